import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { wallClock } from '../sandbox/clock.ts';
import { syncFolder } from './disk.ts';
import { inOrder, type LogLine } from './read-logs.ts';

/** Returns what the names of damaged files end in from now on. */
function newEnding(): string {
  return `.unusable-${new Date(wallClock()).toISOString().replaceAll(/[:.]/g, '-')}`;
}

/** Renames damaged files. Returns a sentence that names them. */
export function setAside(files: readonly string[]): string {
  const ending = newEnding();
  const found = files.filter((file) => existsSync(file));
  for (const file of found) renameSync(file, `${file}${ending}`);
  const verb = found.length === 1 ? 'was' : 'were';
  return `${found.join(' and ')} cannot be used and ${verb} moved to a name that ends in ${ending}.`;
}

/**
 * Removes a damaged line and everything after it from the logs, so that other lines can follow. Copies what it
 * removes, before, and returns a sentence that names it.
 */
export function setAsideFrom({ log, at }: LogLine, logs: readonly string[]): string {
  const ordered = inOrder(logs);
  const later = ordered.slice(ordered.indexOf(log) + 1);
  if (at === 0) return setAside([log, ...later]);
  const ending = newEnding();
  const copy = `${log}${ending}`;
  // Throws if this user may not change the log: then no copy is needed.
  closeSync(openSync(log, 'r+'));
  try {
    copyFileSync(log, copy);
    flush(copy);
    syncFolder(copy);
    for (const file of later) renameSync(file, `${file}${ending}`);
  } catch (error) {
    // The log still has everything. The next start would create another copy.
    rmSync(copy, { force: true });
    throw error;
  }
  truncateSync(log, at);
  const renamed =
    later.length === 0 ? '' : ` ${later.join(' and ')} was moved to a name with the same ending.`;
  return `${log} is damaged: the part before byte ${at} is used, and the whole log was copied to a name that ends in ${ending}.${renamed}`;
}

function flush(file: string): void {
  const opened = openSync(file, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
