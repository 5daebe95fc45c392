import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { ConflictError } from '../base/errors.ts';
import type { SandboxFiles } from './locations.ts';
import { hasSource } from './source-file.ts';

/** What a file is: a state file or log of this program, something else, or nothing yet. */
export interface FileKind {
  readonly kind: 'own' | 'other' | 'none';
  readonly bytes: number;
  /** How it begins. */
  readonly beginning: string;
  /** Not a folder, link or device. */
  readonly isRegular: boolean;
}

const nothing: FileKind = { kind: 'none', bytes: 0, beginning: '', isRegular: true };

/** Enough to find the version, and whether the sandbox can expire. */
const beginningBytes = 2048;

/** Returns what a file is. Throws the error of the system if it cannot be read. */
export function kindOf(file: string): FileKind {
  const found = lstatSync(file, { throwIfNoEntry: false });
  // An empty file can be mounted, for the state that is to come.
  if (found === undefined || (found.isFile() && found.size === 0)) return nothing;
  if (!found.isFile()) return { kind: 'other', bytes: found.size, beginning: '', isRegular: false };
  const { bytes, beginning } = beginningOf(file);
  const isOwn = file.endsWith('.log') ? startsLine(beginning) : marker.test(beginning);
  return { kind: isOwn ? 'own' : 'other', bytes, beginning, isRegular: true };
}

/** How every state file begins. */
const marker = /^\s*\{\s*"format"\s*:\s*"learning-platform-sandbox\/state"/;

/** How every line of a log begins; the only line may be cut off. */
const lineStart = '{"line":';

function startsLine(beginning: string): boolean {
  // A power failure may leave zeros in place of the content.
  return beginning.startsWith(lineStart) || lineStart.startsWith(beginning.replace(/\0+$/, ''));
}

/** A line with room for its number, or the beginning of that. */
const blank = /^ *(?:$|,)/;

const ownLine = /^\{"line":/;

/** Whether there is something with a path. Throws the error of the system if it does not tell. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a file has the beginning of a state file, or of a log, whatever its name. */
export function isStateOrLog(file: string): boolean {
  const { kind, isRegular, beginning } = kindOf(file);
  return kind === 'own' || (isRegular && marker.test(beginning));
}

/** Whether a regular file is empty, or begins as a state file or as a line whose number is not written yet. */
export function beginsAsOwn(file: string): boolean {
  const { kind, isRegular, beginning } = kindOf(file);
  if (kind !== 'other') return isRegular;
  const start = beginning.replace(/\0+$/, '');
  return isRegular && [blank, marker, ownLine].some((form) => form.test(start));
}

/** Whether a file begins like a line with this number, but for one character. */
export function isNearlyLine(beginning: string, number: number): boolean {
  const start = `${lineStart}${number},`;
  let wrong = 0;
  for (let place = 0; place < start.length; place += 1) wrong += beginning[place] === start[place] ? 0 : 1;
  return wrong <= 1;
}

/** An editor may have put it in front. */
const byteOrderMark = /^\xef\xbb\xbf/;

function beginningOf(file: string): { readonly bytes: number; readonly beginning: string } {
  const opened = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(beginningBytes);
    const read = readSync(opened, buffer);
    const beginning = buffer.toString('latin1', 0, read).replace(byteOrderMark, '');
    return { bytes: fstatSync(opened).size, beginning };
  } finally {
    closeSync(opened);
  }
}

/** Throws ConflictError if a file of another program has the name of a file of a sandbox. */
export function requireOwn(sandboxId: string, files: readonly string[]): void {
  const foreign = files.find((file) => kindOf(file).kind === 'other');
  if (foreign !== undefined)
    throw new ConflictError(
      `The sandbox "${sandboxId}" would be stored in ${foreign}, but that file is not a file of this program. Move it away, or use another --data.`,
    );
}

/** What the beginnings of the files of a sandbox show. */
export interface StoredFiles {
  /** Whether it must be loaded at the start: because it is large, needs a message, or is of an old version. */
  readonly isUrgent: boolean;
  /** Whether it can expire. */
  readonly canExpire: boolean;
}

/** Larger states would block other clients while they are loaded, in bytes. */
const maxLazyBytes = 1_048_576;

/** Those that are loaded as they are. */
const currentVersions = /^\s*\{\s*"format"[^,]*,\s*"version":\s*[23]\b/;

/**
 * Returns what the beginnings of the files of a sandbox show; null if none of the files belongs to this
 * program.
 */
export function inspect({ file, logs }: SandboxFiles): StoredFiles | null {
  try {
    const own = [file, ...logs]
      .map((one) => ({ ...kindOf(one), isState: one === file }))
      .filter(({ kind }) => kind === 'own');
    if (own.length === 0) return hasSource(file) ? { isUrgent: true, canExpire: false } : null;
    const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
    const isOld = own.some(({ isState, beginning }) => isState && !currentVersions.test(beginning));
    return {
      isUrgent: bytes > maxLazyBytes || isOld,
      canExpire: own.some(({ beginning }) => /"ttlSeconds":\s*\d/.test(beginning)),
    };
  } catch {
    // It cannot be read, which the start reports.
    return { isUrgent: true, canExpire: false };
  }
}
