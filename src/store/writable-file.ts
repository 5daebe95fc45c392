import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { unusablePlace } from './unusable-data.ts';

/**
 * Throws an error that names the flag, if no file can be written at a path. It is no SandboxError: the usage is correct,
 * and the exit code is the same as if writing fails later.
 */
export function requireWritableFile(flag: string, path: string): void {
  requirePath(flag, path);
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    // With a slash at its end, the path names a folder even if there is none yet.
    if (known?.isDirectory() === true || /\/\.{0,2}$/.test(path) || path.endsWith(sep))
      throw Object.assign(new Error(`EISDIR: illegal operation on a directory, open '${path}'`), {
        code: 'EISDIR',
      });
    if (known !== undefined) return accessSync(path, constants.W_OK);
    let folder = dirname(resolve(path));
    while (!existsSync(folder)) folder = dirname(folder);
    // The `/.` makes it fail for a file.
    accessSync(`${folder}/.`, constants.W_OK);
  } catch (error) {
    throw unusablePlace(flag, path, error);
  }
}

/** Throws an error that names the flag, if its path is empty, as it is with an unset variable. */
export function requirePath(flag: string, path: string): void {
  if (path === '') throw new Error(`${flag} cannot be used: its path is empty. Set the path to write to.`);
}
