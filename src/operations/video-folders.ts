/** An absolute path as the library writes it: one slash at the start, none at the end; the root is `/`. */
export function absolutePath(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

/** The folders of some videos and all folders above them, the root left out, in order of their names. */
export function foldersOf(videos: readonly { readonly folderPath: string }[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of new Set(videos.map(({ folderPath }) => folderPath))) {
    const parts = path.split('/').filter((part) => part !== '');
    for (let depth = 1; depth <= parts.length; depth += 1) folders.add(`/${parts.slice(0, depth).join('/')}`);
  }
  return [...folders].toSorted();
}

/** Whether a path lies in a folder, however deep. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' ? path !== '/' : path.startsWith(`${folder}/`);
}

export function isDirectlyIn(path: string, folder: string): boolean {
  return isBelow(path, folder) && !path.slice(folder === '/' ? 1 : folder.length + 1).includes('/');
}
