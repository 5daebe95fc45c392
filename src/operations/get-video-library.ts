import type { SlicedWork } from '../base/sliced-work.ts';
import { quoted } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import { folderHint } from './shared/folder-hint.ts';
import type { ListOrder } from './shared/list-order.ts';
import { openValue, openValues, shownValues, type Values } from './shared/open-values.ts';
import { OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { pageOf } from './shared/paging.ts';
import { absolutePath } from './shared/video-folders.ts';
import { libraryOf, type VideoLibrary } from './shared/video-library.ts';

type Video = Records['videos'];
type Uses = 'state' | 'school' | 'showingEach' | 'showingPlain' | 'assume' | 'order';

/** Returns one page of the videos that match a title and a folder (specification, endpoint 6). */
export const getVideoLibrary: Operation<'get-video-library', Uses> = function* (
  { filterTerm: term = '', pageNumber, folderPath },
  services,
) {
  const { showingEach, showingPlain, assume, order } = services;
  const library = yield* libraryIn(services);
  const folder = searchedFolder(folderPath, assume);
  if (folder !== null && !library.has(folder) && assume('unknownFolder') === 'element-error') {
    const hint = folderHint(folderPath ?? '', folder, library.folders);
    throw new OperationFailed(
      'not-found',
      '/folderPath',
      `The video library has no folder ${quoted(folder)}.${hint}`,
    );
  }
  const place = folder === null ? null : { folder, recursive: assume('folderMatching') === 'recursive' };
  const search = term === '' ? null : { term, matching: assume('filterMatching') };
  const found = search === null ? yield* library.in(place) : yield* library.search(place, search);
  const pageSize = Number(assume('videoPageSize'));
  const values = openValues(assume);
  const all = assume('folderListing') === 'all-folders' ? library.folders : library.subfolders(folder ?? '/');
  const narrowed =
    search !== null && assume('filteredFolders') === 'with-matches'
      ? yield* library.withMatches(all, search)
      : all;
  const folders = order === null ? narrowed : yield* order.of(narrowed);
  return {
    totalResults: found.length,
    pageSize,
    videoData: yield* showingEach(pageOf(found, pageNumber, pageSize, assume), views[values]),
    // Only the same list again is worth caching.
    absoluteFolderPaths: narrowed === all ? yield* showingPlain(folders) : folders,
  };
};

function libraryIn(services: Pick<Services, Uses>): SlicedWork<VideoLibrary> {
  const { state, school, order } = services;
  const videos = state.collection('videos');
  return order === null
    ? videos.deriving('school', school.id, libraryOf)
    : sortedLibrary(order, videos.list('school', school.id), state);
}

function* sortedLibrary(
  order: ListOrder,
  listing: SlicedWork<readonly Video[]>,
  { remembered }: Services['state'],
): SlicedWork<VideoLibrary> {
  return yield* remembered.of(yield* order.of(yield* listing), libraryOf);
}

/** Returns the folder to search, or null for the whole library. */
function searchedFolder(path: string | undefined, assume: Services['assume']): string | null {
  if (path !== undefined && path !== '') return absolutePath(path);
  return assume('omittedFolderPath') === 'whole-library' ? null : '/';
}

const views = { 'shown-only': viewWith('shown-only'), plausible: viewWith('plausible') };

function viewWith(values: Values) {
  return ({ createdAt, status, id, videoTitle }: Video) => ({
    createdAt,
    status: openValue(values, status, shownValues.videos.status),
    videoId: id,
    videoTitle,
  });
}
