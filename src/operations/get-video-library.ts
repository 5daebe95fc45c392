import type { Records } from '../contract/generated/facts.ts';
import { openValue, openValues, type Values } from './open-values.ts';
import { OperationFailed, type Operation, type Services } from './operation.ts';
import { pageOf } from './paging.ts';
import { absolutePath, foldersOf, isBelow, isDirectlyIn } from './video-folders.ts';

type Video = Records['videos'];

/** Searches the video library by title and folder, a page at a time (specification, endpoint 6). */
export const getVideoLibrary: Operation<'get-video-library', 'state' | 'school' | 'show' | 'assume'> = (
  { filterTerm = '', pageNumber, folderPath },
  { state, school, show, assume },
) => {
  const videos = state.collection('videos').where('school', school.id);
  const folders = foldersOf(videos);
  const folder = askedFolder(folderPath, assume);
  if (folder !== null && folder !== '/' && !folders.includes(folder) && assume('unknownFolder') === 'element-error') {
    throw new OperationFailed('not-found', `The video library has no folder ${JSON.stringify(folder)}.`);
  }
  const found = matching(filterTerm, folder === null ? videos : inFolder(folder, videos, assume), assume);
  const pageSize = Number(assume('videoPageSize'));
  const values = openValues(assume);
  return {
    totalResults: found.length,
    pageSize,
    videoData: pageOf(found, pageNumber, pageSize, assume).map((video) => show(video, views[values])),
    absoluteFolderPaths: assume('folderListing') === 'all-folders' ? folders : folders.filter((path) => isDirectlyIn(path, folder ?? '/')),
  };
};

/** The folder to search in, or null for the whole library. */
function askedFolder(path: string | undefined, assume: Services['assume']): string | null {
  if (path !== undefined && path !== '') return absolutePath(path);
  return assume('omittedFolderPath') === 'whole-library' ? null : '/';
}

function inFolder(folder: string, videos: readonly Video[], assume: Services['assume']): readonly Video[] {
  const recursive = assume('folderMatching') === 'recursive';
  return videos.filter(({ folderPath }) => folderPath === folder || (recursive && isBelow(folderPath, folder)));
}

function matching(term: string, videos: readonly Video[], assume: Services['assume']): readonly Video[] {
  if (term === '') return videos;
  const matching = assume('filterMatching');
  if (matching === 'substring') return videos.filter(({ videoTitle }) => videoTitle.includes(term));
  const lower = term.toLowerCase();
  const test = matching === 'prefix' ? 'startsWith' : 'includes';
  return videos.filter(({ videoTitle }) => videoTitle.toLowerCase()[test](lower));
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
