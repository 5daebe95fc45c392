import { existsSync, rmSync } from 'node:fs';
import { StorageError } from '../sandbox/ledger.ts';
import type { SandboxFiles } from './locations.ts';
import { syncFolder, syncFolderSoon } from './disk.ts';
import type { DataSync } from './data-sync.ts';
import { createMark, isMark, markFile } from './log-names.ts';
import type { Lock } from './lock.ts';
import { kindOf } from './own-files.ts';
import { deleteSource } from './source-file.ts';

/**
 * Deletes the files of a sandbox, but not those of other programs. Throws StorageError, also if `find` throws an error:
 * another server has the files, or they are missing.
 */
export function deleteFiles(
  id: string,
  { dataSync: sync, lock }: { readonly dataSync: DataSync; readonly lock: Lock | null },
  find: () => SandboxFiles,
): void {
  let files: SandboxFiles;
  try {
    files = find();
    remove(files);
    // The disk took so long that another server may have read them before.
    if (lock?.mayBeLost === true) lock.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
  }
  if (sync === 'always') syncFolder(files.file);
  else if (sync === 'second') syncFolderSoon(files.file, () => {});
}

function remove({ file, logs }: SandboxFiles): void {
  const mark = markFile(file, 'deletion');
  const others = logs.filter((log) => log !== mark);
  const found = [file, ...others].filter(existsSync);
  // Lets the next start finish the deletion. Without it, a kill can leave a log that the next start sets aside.
  if (others.length > 0) createMark(mark);
  try {
    deleteSource(file);
    for (const one of [file, ...others, mark]) if (kindOf(one).kind !== 'other') rmSync(one, { force: true });
  } catch (error) {
    if (found.every(existsSync)) removeMark(file);
    throw error;
  }
}

/**
 * Removes the mark of a deletion that has failed: the files stay, and the next start must not delete them. Throws the
 * error of the system.
 */
export function removeMark(stateFile: string): void {
  const mark = markFile(stateFile, 'deletion');
  if (kindOf(mark).kind === 'none') rmSync(mark, { force: true });
}

/** Whether a server was killed while it deleted these files, or could not delete all of them. */
export function isBeingDeleted({ logs }: SandboxFiles): boolean {
  return logs.some((log) => isMark(log, 'deletion') && kindOf(log).kind === 'none');
}

/** Throws an error if the mark of a deletion is there: the next start deletes what is stored now. */
export function requireUnmarked(stateFile: string): void {
  const mark = markFile(stateFile, 'deletion');
  if (existsSync(mark) && isBeingDeleted({ file: stateFile, logs: [mark] }))
    throw new Error('its deletion has begun, but not all of its files could be deleted');
}
