import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { StorageError } from '../sandbox/ledger.ts';
import type { DataSync } from './data-sync.ts';
import { syncFolder, syncFolderSoon } from './disk.ts';
import type { SandboxFiles } from './locations.ts';
import type { Lock } from './lock.ts';
import { firstLineOf, isMark, markFile } from './log-names.ts';
import { kindOf } from './own-files.ts';
import { sourceOf } from './source-file.ts';

interface FinishOptions {
  readonly dataSync: DataSync;
  readonly warn: (message: string) => void;
}

interface DeletionOptions extends FinishOptions {
  readonly lock: Lock | null;
}

/**
 * Deletes the files of a sandbox, but not those of other programs. From the first of them on, the sandbox is deleted:
 * returns the files that the system does not delete now, if any, for the next call or start. Throws StorageError, also
 * if `find` throws an error: then none is deleted, now or by the next start.
 */
export function deleteFiles(
  id: string,
  options: DeletionOptions,
  find: () => SandboxFiles,
): SandboxFiles | null {
  let files: SandboxFiles;
  try {
    files = find();
    begin(files, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
  }
  return finishDeletion(id, files, options);
}

/** As `deleteFiles`, for a deletion that has begun before. */
export function finishDeletion(
  id: string,
  files: SandboxFiles,
  { dataSync, warn }: FinishOptions,
): SandboxFiles | null {
  const failure = end(files, dataSync);
  if (failure === null) return null;
  const logs = [...new Set([...files.logs, markFile(files.file, 'deletion')])].filter(existsSync);
  const left = [files.file, ...logs].filter(existsSync);
  warn(
    `The sandbox "${id}" is deleted, but not all of its files are: ${left.join(', ')}. ${failure.message}. The server tries again before it creates a sandbox of this name, and at the next start.`,
  );
  return { file: files.file, logs };
}

/** Deletes the first file. Throws an error if that fails: then all of them are as before. */
function begin(files: SandboxFiles, { dataSync, lock }: DeletionOptions): void {
  const mark = markFile(files.file, 'deletion');
  let isMarked = false;
  try {
    // Lets the next start finish the deletion. Without it, a kill can leave a log that the next start sets aside.
    isMarked = hasMarked(mark, dataSync === 'always');
    // A disk that cannot keep the mark cannot keep the deletion.
    if (isMarked && dataSync === 'always') syncFolder(mark);
    // The disk took so long that another server may have read them before.
    if (lock?.mayBeLost === true) lock.check();
    const first = inOrder(files).find(isOwn);
    if (first !== undefined) rmSync(first, { force: true });
  } catch (error) {
    // If it stays, the next start deletes the files, so this server does, too.
    if (!isMarked || tryTo(() => rmSync(mark, { force: true })) === null) throw error;
  }
}

/** Returns whether this call has created the mark: a deletion that has begun before is not undone. */
function hasMarked(mark: string, isRequired: boolean): boolean {
  try {
    closeSync(openSync(mark, 'wx', 0o600));
    return true;
  } catch (error) {
    if (isRequired && !existsSync(mark)) throw error;
    return false;
  }
}

/** Deletes the other files, and then the mark. Returns the first error of the system, or null. */
function end(files: SandboxFiles, sync: DataSync): Error | null {
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
  if (kindOf(mark).kind === 'none') rmSync(mark, { force: true });
}

/** Returns the files without the mark, the one first without which the others are no sandbox. */
function inOrder({ file, logs }: SandboxFiles): readonly string[] {
  const others = logs.filter((log) => !isMark(log, 'deletion'));
  const ordered = others.toSorted((one, other) => firstLineOf(one) - firstLineOf(other));
  return [file, sourceOf(file), ...ordered];
}

function isOwn(file: string): boolean {
  return existsSync(file) && kindOf(file).kind !== 'other';
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

/** Deletes the files of those that a server has begun to delete. */
export function finishDeletions(byId: ReadonlyMap<string, SandboxFiles>, options: FinishOptions): void {
  for (const [id, files] of byId) if (isBeingDeleted(files)) finishDeletion(id, files, options);
}

/** Whether a server has begun to delete these files, but could not delete all of them. */
export function isBeingDeleted({ logs }: SandboxFiles): boolean {
  return logs.some((log) => isMark(log, 'deletion') && kindOf(log).kind === 'none');
}

/** Throws an error if the mark of a deletion is there: the next start deletes what is stored now. */
export function requireUnmarked(stateFile: string): void {
  const mark = markFile(stateFile, 'deletion');
  if (existsSync(mark) && isBeingDeleted({ file: stateFile, logs: [mark] }))
    throw new Error('its deletion has begun, but not all of its files could be deleted');
}
