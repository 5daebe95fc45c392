import { didYouMean } from '../base/did-you-mean.ts';
import { quoted } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import { openValue, openValues, type Values } from './shared/open-values.ts';
import { OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { pageOf } from './shared/paging.ts';
import { absolutePath } from './shared/video-folders.ts';
import { libraryOf } from './shared/video-library.ts';

type Video = Records['videos'];
type Uses = 'state' | 'school' | 'showingEach' | 'showingPlain' | 'assume';

/** Returns one page of the videos that match a title and a folder (specification, endpoint 6). */
export const getVideoLibrary: Operation<'get-video-library', Uses> = function* (
  { filterTerm: term = '', pageNumber, folderPath },
  { state, school, showingEach, showingPlain, assume },
) {
  const library = yield* state.collection('videos').deriving('school', school.id, libraryOf);
  const folder = searchedFolder(folderPath, assume);
  if (folder !== null && !library.has(folder) && assume('unknownFolder') === 'element-error') {
    const hint = didYouMean(folder, library.folders.slice(0, maxCompared));
    throw new OperationFailed('not-found', `The video library has no folder ${quoted(folder)}.${hint}`);
  }
  const place = folder === null ? null : { folder, recursive: assume('folderMatching') === 'recursive' };
  const found =
    term === ''
      ? library.in(place)
      : yield* library.search(place, { term, matching: assume('filterMatching') });
  const pageSize = Number(assume('videoPageSize'));
  const values = openValues(assume);
  const folders =
    assume('folderListing') === 'all-folders' ? library.folders : library.subfolders(folder ?? '/');
  return {
    totalResults: found.length,
    pageSize,
    videoData: yield* showingEach(pageOf(found, pageNumber, pageSize, assume), views[values]),
    absoluteFolderPaths: yield* showingPlain(folders),
  };
};

/** The number of folders that are compared for a suggestion. */
const maxCompared = 200;

/** Returns the folder to search, or null for the whole library. */
function searchedFolder(path: string | undefined, assume: Services['assume']): string | null {
  if (path !== undefined && path !== '') return absolutePath(path);
  return assume('omittedFolderPath') === 'whole-library' ? null : '/';
}

const views = { 'shown-only': viewWith('shown-only'), plausible: viewWith('plausible') };

function viewWith(values: Values) {
  return ({ createdAt, status, id, videoTitle }: Video) => ({
    createdAt,
    status: openValue(values, status, 'CcFailed'),
    videoId: id,
    videoTitle,
  });
}
