import { rmSync } from 'node:fs';
import { StorageError } from '../sandbox/ledger.ts';
import type { SandboxFiles } from './locations.ts';
import { syncFolder, syncFolderSoon } from './disk.ts';
import type { DataSync } from './log-files.ts';
import type { Lock } from './lock.ts';
import { createMark, isMark, markFile } from './log-names.ts';
import { kindOf } from './own-files.ts';
import { deleteSource } from './source-file.ts';

/**
 * Deletes the files of a sandbox, but not those of other programs. Throws StorageError, also if another server has the
 * lock.
 */
export function deleteFiles(
  id: string,
  { file, logs }: SandboxFiles,
  { dataSync: sync, lock }: { readonly dataSync: DataSync; readonly lock: Pick<Lock, 'check'> | null },
): void {
  try {
    lock?.check(true);
    const mark = markFile(file, 'deletion');
    const others = logs.filter((log) => log !== mark);
    // Lets the next start finish the deletion. Without it, a kill can leave a log that the next start sets aside.
    if (others.length > 0) createMark(mark);
    deleteSource(file);
    for (const one of [file, ...others, mark]) if (kindOf(one).kind !== 'other') rmSync(one, { force: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
  }
  if (sync === 'always') syncFolder(file);
  else if (sync === 'second') syncFolderSoon(file, () => {});
}

/** Whether a server was killed while it deleted these files. */
export function isBeingDeleted({ logs }: SandboxFiles): boolean {
  return logs.some((log) => isMark(log, 'deletion') && kindOf(log).kind === 'none');
}
