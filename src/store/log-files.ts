import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OpenLogs } from './open-logs.ts';
import { stopwatch } from '../sandbox/clock.ts';

/** When the lines of a log reach the disk: never on request, within a second, or before each reply. */
export type DataSync = (typeof dataSyncs)[number];

export const dataSyncs = ['never', 'second', 'always'] as const;

/** To look whether a file was deleted takes half as long as to write a line, in milliseconds. */
const presentMs = 5;

/**
 * The log of one sandbox: files beside its state file, each named after its first line, such as
 * `default.1.log`. A new file begins when the state file is written; the older ones are deleted afterwards.
 */
export class LogFiles {
  readonly #stateFile: string;
  readonly #open: OpenLogs;
  #older: readonly string[];
  #file: string | null = null;
  #bytes = 0;
  /** How long nobody looks again whether the current file was deleted, from `stopwatch`. */
  #presentUntil = 0;
  /** Whether the name of the current file may not be on the disk yet. */
  #isNew = true;

  /** `older` are the files that exist. */
  constructor(stateFile: string, open: OpenLogs, older: readonly string[]) {
    this.#stateFile = stateFile;
    this.#open = open;
    this.#older = older;
  }

  /** The files that exist. */
  get files(): readonly string[] {
    return this.#file === null || this.#bytes === 0 ? this.#older : [...this.#older, this.#file];
  }

  /** The size of the current file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a new file with this line. */
  begin(line: number): void {
    this.#older = this.files;
    if (this.#file !== null) this.#open.close(this.#file);
    this.#file = fileAt(this.#stateFile, line);
    this.#bytes = 0;
    this.#isNew = true;
    this.#presentUntil = 0;
  }

  /** Appends a line. Throws the error of the system; then nothing was appended. */
  append(line: string): void {
    if (this.#file === null) throw new Error('The log has no file yet.');
    const descriptor = this.#open.descriptor(this.#file, this.#bytes === 0);
    if (stopwatch() > this.#presentUntil) this.#requirePresent(this.#file, descriptor);
    try {
      this.#bytes += writeWhole(descriptor, line);
    } catch (error) {
      // A part of a line in the middle of a log would make the rest unreadable.
      if (this.#bytes > 0) ftruncateSync(descriptor, this.#bytes);
      else this.#deleteCurrent(this.#file);
      throw error;
    }
  }

  /** Throws an error if somebody has deleted the file: what is written to it would be lost. */
  #requirePresent(file: string, descriptor: number): void {
    if (fstatSync(descriptor).nlink === 0) {
      this.#open.close(file);
      throw new Error(`${file} was deleted`);
    }
    this.#presentUntil = stopwatch() + presentMs;
  }

  #deleteCurrent(file: string): void {
    this.#open.close(file);
    rmSync(file, { force: true });
  }

  /** Waits until the lines are on the disk. */
  syncNow(): void {
    // Opening the file would create it.
    if (this.#file === null || this.#bytes === 0) return;
    fdatasyncSync(this.#open.descriptor(this.#file));
    if (this.#isNew) syncFolder(this.#file);
    this.#isNew = false;
  }

  /** Calls back when the lines so far are on the disk. */
  sync(done: (error: Error | null) => void): void {
    if (this.#file === null || this.#bytes === 0) return done(null);
    const file = this.#file;
    const isNew = this.#isNew;
    this.#open.sync(file, (error) => {
      if (error === null && isNew) syncFolder(file);
      if (error === null && file === this.#file) this.#isNew = false;
      done(error);
    });
  }

  /** Deletes the files before the current one. */
  deleteOlder(): void {
    for (const file of this.#older) rmSync(file, { force: true });
    this.#older = [];
  }

  close(): void {
    if (this.#file !== null) this.#open.close(this.#file);
    this.#file = null;
  }
}

/** Makes the names in the folder of a file permanent. Not every system can open a folder. */
export function syncFolder(file: string): void {
  let folder: number;
  try {
    folder = openSync(dirname(file), 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } catch {
    // The system does it at some time.
  } finally {
    closeSync(folder);
  }
}

/** The content of the logs of a sandbox. */
export interface LogContent {
  readonly lines: readonly string[];
  /** The bytes of lines that are not whole. */
  readonly tornBytes: number;
  /** Removes the lines that are not whole, so that others can follow. */
  readonly repair: () => void;
}

/** Reads the logs of a sandbox, in the order of their lines. */
export function readLogs(files: readonly string[]): LogContent {
  const logs = inOrder(files).map((file) => {
    const bytes = readFileSync(file);
    return { file, bytes, wholeBytes: bytes.lastIndexOf(0x0a) + 1 };
  });
  const torn = logs.filter(({ bytes, wholeBytes }) => wholeBytes < bytes.length);
  return {
    lines: logs.flatMap(({ bytes, wholeBytes }) =>
      bytes.toString('utf8', 0, wholeBytes).split('\n').slice(0, -1),
    ),
    tornBytes: torn.reduce((sum, { bytes, wholeBytes }) => sum + bytes.length - wholeBytes, 0),
    repair: () => {
      for (const { file, wholeBytes } of torn) {
        if (wholeBytes > 0) truncateSync(file, wholeBytes);
        else rmSync(file, { force: true });
      }
    },
  };
}

/** Writes a text, and returns its length in bytes. */
function writeWhole(descriptor: number, text: string): number {
  const length = Buffer.byteLength(text);
  let written = writeSync(descriptor, text);
  // The disk is almost full.
  if (written < length) {
    const bytes = Buffer.from(text);
    while (written < length) written += writeSync(descriptor, bytes, written);
  }
  return length;
}

function inOrder(files: readonly string[]): readonly string[] {
  return files.toSorted((one, other) => firstOf(one) - firstOf(other));
}

function firstOf(file: string): number {
  return partsOf(basename(file))?.first ?? 0;
}

/** Returns the log of a state file whose first line has this number. */
export function fileAt(stateFile: string, line: number): string {
  return join(dirname(stateFile), `${basename(stateFile, '.json')}.${line}.log`);
}

/** Returns the state file and the first line in the name of a log; null for other files. */
export function partsOf(name: string): { readonly of: string; readonly first: number } | null {
  const [, of, first] = /^(.+)\.(\d{1,16})\.log$/.exec(name) ?? [];
  return of === undefined || first === undefined ? null : { of, first: Number(first) };
}
