import { predictBatch, type Element } from '../model/predict.ts';
import type { Reading } from '../model/infer.ts';
import { because, readingOf, type Finding, type Scene } from '../probe.ts';
import { numberAt, resultOf, type Reply, listAt, textAt } from '../reply.ts';
import type { School, Video } from '../school.ts';
import { theirs } from '../shown-text.ts';

export const operation = 'get-video-library';

/** Sends all documented parameters, because a service may require them. */
export function search(
  { pace, school }: Scene,
  parameters: { filterTerm?: string; folderPath?: string; pageNumber?: number },
): Promise<Reply> {
  return pace.call({
    operation,
    elements: [{ filterTerm: '', pageNumber: school.library?.firstPage ?? 1, folderPath: '', ...parameters }],
  });
}

/** Returns why no folder of the library is known; null if there is one. */
export function whyNoFolders({ library, unread }: School): string | null {
  if (library === null) return unread.library;
  return library.folders.length === 0 ? 'the video library lists no folders' : null;
}

export function videosOf(result: unknown): readonly Video[] {
  return listAt(result, 'videoData').flatMap((video) => {
    const [id, title] = [textAt(video, 'videoId'), textAt(video, 'videoTitle')];
    return id === null || title === null ? [] : [{ id, title }];
  });
}

export async function folderSearch(scene: Scene): Promise<Finding> {
  const { folders: found } = scene.school;
  if (found === null)
    return because(whyNoFolders(scene.school) ?? 'found no folder of the video library with videos');
  const { above, below, video } = found;
  const inAbove = await seek(scene, video, { filterTerm: video.title, folderPath: above });
  const anywhere = await seek(scene, video, { filterTerm: video.title, folderPath: '' });
  return {
    readings: [
      sought('folderMatching', `a video of ${theirs(below)}, sought in ${theirs(above)}`, inAbove, (asked) =>
        asked('folderMatching') === 'recursive' ? 'ok:found' : 'ok:not found',
      ),
      sought(
        'omittedFolderPath',
        `a video of ${theirs(below)}, sought without a folder`,
        anywhere,
        (asked) =>
          asked('omittedFolderPath') === 'whole-library' || asked('folderMatching') === 'recursive'
            ? 'ok:found'
            : 'ok:not found',
      ),
    ].flat(),
  };
}

/** The response to a search, and the video that was searched for. */
interface Sought {
  readonly reply: Reply;
  readonly show: (result: unknown) => string;
  /** Whether there are more pages that may have the video. */
  readonly isCutOff: boolean;
}

async function seek(
  scene: Scene,
  video: Video,
  parameters: { filterTerm: string; folderPath: string },
): Promise<Sought> {
  const reply = await search(scene, parameters);
  const result = resultOf(reply);
  const isThere = videosOf(result).some(({ id }) => id === video.id);
  const found = videosOf(result).length;
  // Without a total, a full page may be followed by others.
  const isFull = found > 0 && found >= (scene.school.library?.pageSize ?? 0);
  const isCutOff =
    !isThere &&
    (scene.school.library?.total === null ? isFull : (numberAt(result, 'totalResults') ?? 0) > found);
  return { reply, isCutOff, show: () => (isThere ? 'found' : 'not found') };
}

function sought(
  about: Reading['about'],
  what: string,
  { reply, show, isCutOff }: Sought,
  fare: Element,
): readonly Reading[] {
  if (isCutOff) return [];
  const reading = readingOf(about, what, reply, (asked) => predictBatch(asked, [fare]), show);
  const result = resultOf(reply);
  return [result === null ? reading : { ...reading, words: `${what}: ${show(result)}` }];
}

export async function titleSearch(scene: Scene): Promise<Finding> {
  const { library, unread } = scene.school;
  if (library === null) return because(unread.library);
  const { videos } = library;
  const chosen = videos
    .map((video) => ({ video, end: endOf(video, videos) }))
    .find(({ end }) => end !== null);
  if (chosen?.end === null || chosen === undefined)
    return because('no video has a title of several words whose end no other title begins with');
  const { video, end } = chosen;
  const asItIs = await seek(scene, video, { filterTerm: end, folderPath: '' });
  const inCapitals = await seek(scene, video, { filterTerm: end.toUpperCase(), folderPath: '' });
  const start = video.title.slice(0, -1).toUpperCase();
  const startInCapitals = await seek(scene, video, { filterTerm: start, folderPath: '' });
  const words = `${end} ${video.title.slice(0, video.title.indexOf(' '))}`;
  const inOtherOrder = await seek(scene, video, { filterTerm: words, folderPath: '' });
  return {
    readings: [
      sought('filterMatching', `the end of a title, ${theirs(JSON.stringify(end))}`, asItIs, (asked) =>
        asked('filterMatching') === 'prefix' ? 'ok:not found' : 'ok:found',
      ),
      sought('filterMatching', `the same in capitals`, inCapitals, (asked) =>
        asked('filterMatching') === 'substring-ignoring-case' ? 'ok:found' : 'ok:not found',
      ),
      sought('filterMatching', 'the beginning of the title in capitals', startInCapitals, (asked) =>
        asked('filterMatching') === 'substring' ? 'ok:not found' : 'ok:found',
      ),
      // A service that seeks each word alone finds it.
      sought('filterMatching', 'its words in another order', inOtherOrder, () => 'ok:not found'),
    ].flat(),
  };
}

const foldersFare: Element = (asked) => (asked('filteredFolders') === 'all' ? 'ok:some' : 'ok:none');

/** Searches for a title that no video has. */
export async function searchFolders(scene: Scene): Promise<Finding> {
  const why = whyNoFolders(scene.school);
  if (why !== null) return because(why);
  const reply = await search(scene, { filterTerm: `lp-sandbox-calibrate-${scene.stamp}` });
  return {
    readings: [
      readingOf(
        'filteredFolders',
        'the folders of a search that finds no video',
        reply,
        (asked) => predictBatch(asked, [foldersFare]),
        (result) => (listAt(result, 'absoluteFolderPaths').length > 0 ? 'some' : 'none'),
      ),
    ],
  };
}

/**
 * A title from its second word on, where upper and lower case make a difference in it and no title begins so.
 */
function endOf({ title }: Video, videos: readonly Video[]): string | null {
  const end = title.slice(title.indexOf(' ') + 1);
  const lower = end.toLowerCase();
  const isTelling =
    end !== title && end.length > 3 && end.toUpperCase() !== end && end.toUpperCase().toLowerCase() === lower;
  const isElsewhere = videos.some((other) => other.title.toLowerCase().startsWith(lower));
  return isTelling && !isElsewhere ? end : null;
}
