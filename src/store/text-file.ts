import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { createFolder } from './create-folder.ts';
import { unreadableFile } from './unusable-data.ts';

/**
 * Returns the text of a file. Null if it does not exist. Throws SandboxError if it cannot be read. `setting` names the
 * setting whose value is the path; `shown` is how messages name the file.
 */
export function readTextFile(path: string, setting: string, shown = path): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    throw unreadableFile(setting, shown, error);
  }
}

/**
 * Returns the text of the file that a flag or setting names, like `readTextFile`. Throws SandboxError also for a folder,
 * a device or a pipe: "not found" would be wrong.
 */
export function readNamedFile(path: string, setting: string): string | null {
  const text = readTextFile(path, setting);
  if (text !== null || !isPath(path)) return text;
  const kind = statSync(path).isDirectory() ? 'folder' : 'device or a pipe';
  throw new SandboxError(`${setting}: ${path} is a ${kind}, not a file.`);
}

/** Whether there is anything at a path, such as a folder. */
export function isPath(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a path names a file. False for a text that cannot be a path. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the path of a file without links; the path as it is if there is no file, or it cannot be read. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns when a file was last changed, in milliseconds. Null if it does not exist. */
export function fileChangedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Writes a file. Creates its folder if necessary. */
export function writeTextFile(path: string, text: string): void {
  createFolder(dirname(path));
  writeFileSync(path, text);
}

/**
 * Replaces a file as a whole, so that readers never see a part of it, not even after a crash. Only its owner can
 * read it. Creates its folder if necessary.
 */
export function replacePrivateFile(path: string, text: string): void {
  const draft = `${path}.new`;
  createFolder(dirname(path));
  // One that is left of a crash may have other permissions.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
}

/** Deletes a file if it exists. */
export function deleteTextFile(path: string): void {
  rmSync(path, { force: true });
}

/** Writes a file piece by piece, so that it can be larger than the longest text. Creates its folder if necessary. */
export function writeTextPieces(path: string, pieces: Iterable<string>): void {
  createFolder(dirname(path));
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}
