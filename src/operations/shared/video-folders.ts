import type { SlicedWork } from '../../base/sliced-work.ts';
import { BeyondLimitError } from './beyond-limit.ts';

/** An absolute path as the library writes it: one slash at the start, none at the end; the root is `/`. */
export function absolutePath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

/** More folders than this are not listed: a few long paths can name very many. */
const maxFolders = 20_000;

/**
 * Finds the folders of some videos and all folders above them, the root left out, in order of their names. Throws BeyondLimitError if there
 * are too many.
 */
export function* findingFolders(videos: readonly { readonly folderPath: string }[]): SlicedWork<readonly string[]> {
  const folders = new Set<string>();
  for (const [number, { folderPath }] of videos.entries()) {
    if (number % atOnce === atOnce - 1) yield;
    let folder = folders.has(folderPath) ? '/' : absolutePath(folderPath);
    // What is above a known folder is known.
    while (folder !== '/' && !folders.has(folder)) {
      folders.add(folder);
      if (folders.size > maxFolders) throw new BeyondLimitError(`The video library has more than ${maxFolders} folders.`);
      folder = folder.slice(0, folder.lastIndexOf('/')) || '/';
    }
  }
  return [...folders].toSorted();
}

/** How many videos are read before the work may be interrupted. */
const atOnce = 1000;

/** Whether a path lies in a folder, however deep. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

export function isDirectlyIn(path: string, folder: string): boolean {
  return isBelow(path, folder) && !path.slice(folder === '/' ? 1 : folder.length + 1).includes('/');
}
