import { closeSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Returns the log of a state file whose first line has this number. */
export function fileAt(stateFile: string, line: number): string {
  return join(dirname(stateFile), `${basename(stateFile, '.json')}.${line}.log`);
}

/** Returns the state file and the first line in the name of a log; null for other files. */
export function partsOf(name: string): { readonly of: string; readonly first: number } | null {
  const [, of, first] = /^(.+)\.(\d{1,16})\.log$/.exec(name) ?? [];
  return of === undefined || first === undefined ? null : { of, first: Number(first) };
}

/** Returns the first line in the name of a log. */
export function firstLineOf(log: string): number {
  return partsOf(basename(log))?.first ?? 0;
}

/** The meanings of an empty log, by the line in its name. Creating it needs no space on a full disk. */
const lineOf = {
  /** The files beside it are being deleted. */
  deletion: 0,
  /** Requests have numbers that no line has. */
  gap: Number.MAX_SAFE_INTEGER,
} as const;

type Mark = keyof typeof lineOf;

/** Returns the file beside a state file that is a mark. */
export function markFile(stateFile: string, mark: Mark): string {
  return fileAt(stateFile, lineOf[mark]);
}

/** Whether a log has the name of a mark. */
export function isMark(log: string, mark: Mark): boolean {
  return firstLineOf(log) === lineOf[mark];
}

/** Returns the logs beside a state file, without the mark of a gap. */
export function logsBeside(stateFile: string): readonly string[] {
  const folder = dirname(stateFile);
  const stem = basename(stateFile, '.json');
  const own = readdirSync(folder).filter((name) => partsOf(name)?.of === stem && !isMark(name, 'gap'));
  return own.map((name) => join(folder, name));
}

/** Creates a mark, unless there is one. Returns false if the system refuses, or if another file is in the way. */
export function createMark(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch {
    return isEmptyFile(file);
  }
}

function isEmptyFile(path: string): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.size === 0;
  } catch {
    // It is not there, or its folder cannot be looked up.
    return false;
  }
}
