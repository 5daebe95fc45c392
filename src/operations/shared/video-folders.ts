import type { SlicedWork } from '../../base/sliced-work.ts';
import { BeyondLimitError } from './beyond-limit.ts';

/** A longer path in a request is not normalized, so that millions of slashes cost nothing: no folder has it. */
const maxPathChars = 65_536;

/** Returns a normalized absolute path: one slash at the start, none at the end; the root is `/`. */
export function absolutePath(path: string): string {
  if (path.length > maxPathChars) return path;
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

/** Bounds the number of folders: a few long paths can contain very many. */
const maxFolders = 20_000;

/**
 * Returns the folders of some videos and all parent folders except the root, sorted by name. Throws
 * BeyondLimitError if there are too many.
 */
export function* findFolders(
  videos: readonly { readonly folderPath: string }[],
): SlicedWork<readonly string[]> {
  const folders = new Set<string>();
  for (const [number, { folderPath }] of videos.entries()) {
    if (number % sliceSize === sliceSize - 1) yield;
    let folder = folders.has(folderPath) ? '/' : absolutePath(folderPath);
    // The parents of a known folder are known.
    while (folder !== '/' && !folders.has(folder)) {
      folders.add(folder);
      if (folders.size > maxFolders)
        throw new BeyondLimitError(`The video library has more than ${maxFolders} folders.`);
      folder = folder.slice(0, folder.lastIndexOf('/')) || '/';
    }
  }
  return [...folders].toSorted();
}

/** The number of videos after which the work may be interrupted. */
const sliceSize = 1000;

/** Returns whether a path is in a folder, at any depth. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

export function isDirectlyIn(path: string, folder: string): boolean {
  return isBelow(path, folder) && !path.slice(folder === '/' ? 1 : folder.length + 1).includes('/');
}
