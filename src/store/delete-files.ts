import { messageOf } from '../base/message-of.ts';
import { renameSync, rmSync } from 'node:fs';
import { StorageError } from '../sandbox/ledger.ts';
import type { DataSync } from './data-sync.ts';
import { syncFolder, syncFolderSoon } from './disk.ts';
import type { SandboxFiles } from './locations.ts';
import type { Lock } from './lock.ts';
import { firstLineOf, isMark, markFile } from './log-names.ts';
import { isStateOrLog, isThere, kindOf } from './own-files.ts';
import { sourceOf } from './source-file.ts';

interface FinishOptions {
  readonly dataSync: DataSync;
  readonly warn: (message: string) => void;
}

interface DeletionOptions extends FinishOptions {
  readonly lock: Lock | null;
}

/**
 * Deletes the files of a sandbox, but not those of other programs. First, one of them becomes the mark of the deletion:
 * from then on, the sandbox is deleted, and a warning names the files that the system does not delete now. Throws
 * StorageError before that, also if `find` throws an error: then all files are as they were.
 */
export function deleteFiles(id: string, options: DeletionOptions, find: () => SandboxFiles): void {
  let files: SandboxFiles;
  try {
    files = find();
    begin(files, options);
  } catch (error) {
    const reason = messageOf(error);
    throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
  }
  const failure = finishDeletion(files, options.dataSync);
  if (failure !== null) options.warn(notDeleted(id, files, failure));
}

/** Deletes the files of those sandboxes whose deletion an earlier server has begun. */
export function finishDeletions(
  byId: ReadonlyMap<string, SandboxFiles>,
  { dataSync, warn }: FinishOptions,
): void {
  for (const [id, files] of byId) {
    const failure = isBeingDeleted(files) ? finishDeletion(files, dataSync) : null;
    if (failure !== null) warn(notDeleted(id, files, failure));
  }
}

function notDeleted(id: string, { file, logs }: SandboxFiles, { message }: Error): string {
  const mark = markFile(file, 'deletion');
  const left = [...new Set([file, ...logs, mark])].filter((one) => tryTo(() => requireGone(one)) !== null);
  return `The sandbox "${id}" is deleted, but not all of its files are: ${left.join(', ')}. ${message}. The server tries again before it creates a sandbox of this name, and at the next start.`;
}

function requireGone(file: string): void {
  if (isThere(file)) throw new Error(`${file} is there.`);
}

/** Turns the first file into the mark. Throws an error if that fails: then all files are as before. */
function begin(files: SandboxFiles, { dataSync, lock }: DeletionOptions): void {
  lock?.check(true);
  const mark = markFile(files.file, 'deletion');
  // An empty file marks nothing, and another file is the sandbox.
  const first = inOrder(files).find(isMarkable);
  if (first === undefined) return;
  if (kindOf(mark).kind === 'other' && !isStateOrLog(mark))
    throw new Error(`${mark} is not a file of this program. Move that file away`);
  const undo = (): Error | null => tryTo(() => isThere(first) || renameSync(mark, first));
  try {
    renameSync(first, mark);
    // What the disk cannot keep is not acknowledged.
    if (dataSync === 'always') syncFolder(mark);
  } catch (error) {
    const isUndone = undo() === null;
    if (isUndone && dataSync === 'always') tryTo(() => syncFolder(first));
    // Some systems report an error of what they have done: then the next start deletes the files, and this server now.
    if (isUndone || dataSync === 'always') throw error;
  }
  try {
    // That may have taken so long that another server has the files.
    lock?.check(true);
  } catch (error) {
    undo();
    throw error;
  }
}

/** Deletes the other files, and then the mark. Returns the first error of the system, or null. */
export function finishDeletion(files: SandboxFiles, sync: DataSync): Error | null {
  const failures = inOrder(files).map((one) => tryTo(() => isOwn(one) && rmSync(one, { force: true })));
  let failure = failures.find((one) => one !== null) ?? null;
  // The mark must not be gone from a disk that still has the files.
  if (sync === 'always') failure ??= tryTo(() => syncFolder(files.file));
  failure ??= tryTo(() => removeMark(files.file));
  if (sync === 'second') syncFolderSoon(files.file, () => {});
  return failure;
}

function removeMark(stateFile: string): void {
  const mark = markFile(stateFile, 'deletion');
  if (isMarkable(mark)) rmSync(mark, { force: true });
}

/** Returns the files without the mark, the one first without which the others are no sandbox. */
function inOrder({ file, logs }: SandboxFiles): readonly string[] {
  const others = logs.filter((log) => !isMark(log, 'deletion'));
  const ordered = others.toSorted((one, other) => firstLineOf(one) - firstLineOf(other));
  return [file, sourceOf(file), ...ordered];
}

function isOwn(file: string): boolean {
  return isThere(file) && kindOf(file).kind !== 'other';
}

/** Returns the error of what fails; null if it succeeds. */
function tryTo(act: () => unknown): Error | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether a server has begun to delete these files, but could not delete all of them. */
export function isBeingDeleted({ file, logs }: SandboxFiles): boolean {
  return logs.includes(markFile(file, 'deletion')) && hasMark(file);
}

/** Whether the deletion of a sandbox with this state file has begun. The mark is the file that was renamed. */
export function hasMark(stateFile: string): boolean {
  return isMarkable(markFile(stateFile, 'deletion'));
}

function isMarkable(file: string): boolean {
  return isThere(file) && isStateOrLog(file);
}

/** Throws an error if the mark of a deletion is there: the next start deletes what is stored now. */
export function requireUnmarked(stateFile: string): void {
  if (hasMark(stateFile))
    throw new Error('its deletion has begun, but not all of its files could be deleted');
}
