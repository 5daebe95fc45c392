import { predictBatch, shownFare, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, noteMessage, readingOf, type Finding, type Probe, type Scene } from '../probe.ts';
import { listAt, numberAt, resultOf, textAt, whyNoNumber, type Reply } from '../reply.ts';
import type { School } from '../school.ts';
import { theirs } from '../shown-text.ts';
import { besideGood } from './batches.ts';
import { noteValue, plainReading } from './listings.ts';
import {
  folderSearch,
  searchFolders,
  titleSearch,
  operation,
  search,
  videosOf,
  whyNoFolders,
} from './library-search.ts';

/** How many folders are read. */
const maxFolders = 20;

/** Pages of the video library, its folders and its search. */
export const library: readonly Probe[] = [
  {
    name: 'library-pages',
    what: 'pages 1, 0 and 99999 of the video library',
    calls: 5,
    tells: ['videoPageSize', 'firstPageNumber', 'pageOutOfRange', 'batchProcessing', 'openValues'],
    run: pages,
  },
  {
    name: 'library-folders',
    what: 'up to 20 folders of the video library',
    calls: maxFolders,
    tells: ['folderListing', 'openValues'],
    run: folders,
  },
  {
    name: 'folder-search',
    what: 'a search for a video of a subfolder, in the parent folder and without a folder',
    calls: 2,
    tells: ['folderMatching', 'omittedFolderPath'],
    run: folderSearch,
  },
  {
    name: 'unknown-folder',
    what: 'a folder that does not exist',
    calls: 1,
    tells: ['unknownFolder'],
    run: async (scene) => {
      // Without the number of the first page, an empty folder looks like one that does not exist.
      if (scene.school.library === null) return because(scene.school.unread.library);
      const reply = await search(scene, { folderPath: '/lp-sandbox-calibrate/no-such-folder' });
      noteMessage(scene, 'for an unknown folder', reply, ['folder']);
      const fare: Element = (asked) => {
        if (asked('unknownFolder') === 'element-error') return 'not-found';
        return shownFare(asked, scene.school.library?.firstPage ?? 1, 0, 10);
      };
      return {
        readings: [
          readingOf(
            'unknownFolder',
            'an unknown folder',
            reply,
            (asked) => predictBatch(asked, [fare]),
            some,
          ),
        ],
      };
    },
  },
  {
    name: 'title-search',
    what: 'searches for a video title: its end, unchanged and in capitals, its beginning in capitals, and its words in another order',
    calls: 4,
    tells: ['filterMatching'],
    run: titleSearch,
  },
  {
    name: 'search-folders',
    what: 'a search that finds no video, and its folders',
    calls: 1,
    tells: ['filteredFolders'],
    run: searchFolders,
  },
];

function foldersOf(result: unknown): readonly string[] {
  return listAt(result, 'absoluteFolderPaths').filter((path) => typeof path === 'string');
}

function some(result: unknown): string {
  return listAt(result, 'videoData').length > 0 ? 'some' : 'none';
}

async function pages(scene: Scene): Promise<Finding> {
  const { school } = scene;
  const numbers = [1, 0, 99_999];
  const replies: Reply[] = [];
  for (const pageNumber of numbers) replies.push(await search(scene, { pageNumber }));
  const [atOne, atZero] = replies.map(resultOf);
  const told = atOne ?? atZero;
  const [statedTotal, statedSize] = [numberAt(told, 'totalResults'), numberAt(told, 'pageSize')];
  const [first, second] = replies;
  const reply = (atOne === null && atZero !== null ? second : first) ?? replies[0];
  if (reply !== undefined)
    school.unread.library = whyNoNumber(operation, reply, ['totalResults', 'pageSize']);
  const onZero = videosOf(atZero);
  const videos = onZero.length > 0 ? onZero : videosOf(atOne);
  if ((statedTotal === null || statedSize === null) && videos.length === 0)
    return because(school.unread.library);
  // The videos show more than their number. Only whether a page has any matters here.
  const pageSize = statedSize ?? videos.length;
  const total = statedTotal ?? new Set([...onZero, ...videosOf(atOne)].map(({ id }) => id)).size;
  school.library = {
    total: statedTotal,
    pageSize,
    firstPage: onZero.length > 0 ? 0 : 1,
    videos,
    folders: foldersOf(told),
  };
  for (const page of [atOne, atZero]) noteStatuses(scene, 'library-pages', page);
  const readings = replies.map((reply, index): Reading => {
    const number = numbers[index] ?? 0;
    const about = number > 1 ? 'pageOutOfRange' : 'firstPageNumber';
    const fare: Element = (asked) => shownFare(asked, number, total, pageSize);
    noteMessage(scene, `for page ${number}`, reply, ['page']);
    const reading = readingOf(
      about,
      `page ${number} of the video library`,
      reply,
      (asked) => predictBatch(asked, [fare]),
      some,
    );
    return {
      ...reading,
      words: `${reading.words}, ${videosOf(resultOf(reply)).length}${statedTotal === null ? '' : ` of ${total}`} videos`,
    };
  });
  const on = (number: number): readonly [object, Element] => [
    { filterTerm: '', pageNumber: number, folderPath: '' },
    (asked) => shownFare(asked, number, total, pageSize),
  ];
  const { firstPage } = school.library;
  const beside = await besideGood(
    scene,
    ['page 99999 of the video library', `page ${firstPage}`],
    operation,
    [on(99_999), on(firstPage)],
  );
  if (statedSize === null)
    return { readings: [...readings, ...beside], lacking: { videoPageSize: school.unread.library } };
  const size = plainReading(
    'videoPageSize',
    String(pageSize),
    `pageSize of the video library: ${theirs(pageSize)}`,
  );
  return { readings: [size, ...readings, ...beside] };
}

function noteStatuses(scene: Scene, probe: string, result: unknown): void {
  for (const video of listAt(result, 'videoData')) {
    const status = textAt(video, 'status');
    noteValue(scene, probe, status, status === 'CcFailed');
  }
}

const noListing = 'no folder of the video library could be read, or the only one is the root';

/** Reads folders, for the statuses in them, and for one with videos inside another folder. */
async function folders(scene: Scene): Promise<Finding> {
  const { school } = scene;
  const readings: Reading[] = [];
  const known = new Set(school.library?.folders);
  const waiting = [...known];
  const read = new Set<string>();
  for (let looked = 0; looked < maxFolders && waiting.length > 0; looked += 1) {
    const path = waiting.shift() ?? '/';
    const result = resultOf(await search(scene, { folderPath: path }));
    if (result === null) continue;
    read.add(path);
    noteStatuses(scene, 'library-folders', result);
    const listed = foldersOf(result);
    const names = listingOf(path, listed, school.library?.folders ?? []);
    // Inside the root, all folders and those with videos are the same.
    if (readings.length === 0 && path !== '/')
      readings.push(
        plainReading(
          'folderListing',
          names ?? 'other',
          `absoluteFolderPaths of ${theirs(path)} ${listed.includes(path) ? 'has' : 'lacks'} ${theirs(path)} itself${names === null ? ', and no option lists folders so' : ''}`,
        ),
      );
    const [video] = videosOf(result);
    const above = path.slice(0, path.lastIndexOf('/')) || '/';
    // The first folder with videos that is inside another folder stays.
    if (video !== undefined && !isNested(school)) school.folders = { above, below: path, video };
    const deeper = listed.filter((one) => one.startsWith(`${path}/`) && !known.has(one));
    for (const one of deeper) known.add(one);
    // Deeper folders come first.
    waiting.unshift(...deeper);
  }
  if (read.size < known.size)
    school.unread.statuses = `only ${read.size} of ${known.size} folders of the video library could be read`;
  return readings.length > 0 ? { readings } : because(whyNoFolders(school) ?? noListing);
}

/**
 * Returns how the folders of a folder are listed, or null if as by no option: all folders, some of them deeper
 * ones, or only those with videos on the page. `all` are the folders of the whole library.
 */
function listingOf(path: string, listed: readonly string[], all: readonly string[]): string | null {
  if (listed.includes(path)) return all.every((one) => listed.includes(one)) ? 'all-folders' : null;
  const areBelow = listed.every((one) => one.startsWith(`${path}/`) && isDirect(one.slice(path.length)));
  return areBelow && all.every(isDirect) ? 'direct-subfolders' : null;
}

/** Whether a path, from a folder on, is that of a folder directly in it. */
function isDirect(path: string): boolean {
  return path.lastIndexOf('/') === 0;
}

function isNested({ folders: found }: School): boolean {
  return found !== null && found.above !== '/';
}
