import { fdatasyncSync, fstatSync, ftruncateSync, lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeWhole } from './disk.ts';
import type { OpenLogs } from './open-logs.ts';
import { kindOf } from './own-files.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { DeletedError } from './deleted-error.ts';

/** When the lines of a log reach the disk: never on request, within a second, or before each reply. */
export type DataSync = (typeof dataSyncs)[number];

export const dataSyncs = ['never', 'second', 'always'] as const;

/** How long a file counts as present, in milliseconds: to look takes half as long as to write a line. */
export const presentMs = 5;

/** A line that is written in pieces. */
export interface LineInPieces {
  /** The number of bytes so far. */
  bytes: number;
}

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
  /** The line at the end of the current file that is not finished. */
  #unfinished: LineInPieces | null = null;
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
    return this.#file === null || this.#size === 0 ? this.#older : [...this.#older, this.#file];
  }

  /** The size of the current file, with the line that is not finished. */
  get #size(): number {
    return this.#bytes + (this.#unfinished?.bytes ?? 0);
  }

  /** The size of the lines in the current file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a new file with this line. */
  begin(line: number): void {
    if (this.#unfinished !== null) this.discardLine(this.#unfinished);
    // At the end of a file, a part of a line is ignored.
    this.#unfinished = null;
    this.#older = this.files;
    if (this.#file !== null) this.#open.close(this.#file);
    this.#file = fileAt(this.#stateFile, line);
    this.#bytes = 0;
    this.#isNew = true;
    this.#presentUntil = 0;
  }

  /** Appends a line. Throws the error of the system; then nothing was appended. */
  append(line: string): void {
    this.#discardUnfinished();
    this.#bytes += this.#write(line, this.#bytes);
  }

  /** Begins a line that is written in pieces. A line that is appended before it is finished discards it. */
  beginLine(): LineInPieces {
    this.#discardUnfinished();
    return (this.#unfinished = { bytes: 0 });
  }

  /**
   * Appends a piece. Returns false if the line was discarded. Throws the error of the system; then the line is
   * discarded.
   */
  addPiece(line: LineInPieces, piece: string): boolean {
    if (this.#unfinished !== line) return false;
    try {
      line.bytes += this.#write(piece, this.#bytes + line.bytes);
      return true;
    } catch (error) {
      this.#unfinished = null;
      throw error;
    }
  }

  /** Appends the last piece, as `addPiece`. */
  endLine(line: LineInPieces, piece: string): boolean {
    if (!this.addPiece(line, piece)) return false;
    this.#bytes += line.bytes;
    this.#unfinished = null;
    return true;
  }

  /** Returns whether a line was neither finished nor discarded. */
  isUnfinished(line: LineInPieces): boolean {
    return this.#unfinished === line;
  }

  /** Removes a line that is not finished. If the system refuses, it does so again before the next line. */
  discardLine(line: LineInPieces): void {
    if (this.#unfinished !== line) return;
    try {
      this.#discardUnfinished();
    } catch {
      // The next line reports it.
      this.#unfinished = line;
    }
  }

  #discardUnfinished(): void {
    if (this.#unfinished !== null && this.#unfinished.bytes > 0) this.#cutOff();
    this.#unfinished = null;
  }

  /** Writes a text at the end of the current file, which has this many bytes. Returns the bytes of the text. */
  #write(text: string, before: number): number {
    if (this.#file === null) throw new Error('The log has no file yet.');
    const descriptor = this.#open.descriptor(this.#file, before === 0);
    if (stopwatch() > this.#presentUntil) this.#requirePresent(this.#file, descriptor, before);
    try {
      return writeWhole(descriptor, text);
    } catch (error) {
      this.#cutOff();
      throw error;
    }
  }

  /** Removes what follows the last line: a part of a line in the middle of a log would make the rest unreadable. */
  #cutOff(): void {
    if (this.#file === null) return;
    if (this.#bytes > 0) ftruncateSync(this.#open.descriptor(this.#file), this.#bytes);
    else this.#deleteCurrent(this.#file);
  }

  /**
   * Throws an error if the file was deleted, its folder replaced, or lines cut off: what is written to it would be
   * lost.
   */
  #requirePresent(file: string, descriptor: number, bytes: number): void {
    const { ino, size } = fstatSync(descriptor);
    const isThere = lstatSync(file, { throwIfNoEntry: false })?.ino === ino;
    if (!isThere || size !== bytes) {
      this.#open.close(file);
      throw new DeletedError(file, isThere ? 'changed' : 'deleted');
    }
    this.#presentUntil = stopwatch() + presentMs;
  }

  /** Throws an error if one of the files was deleted, or the current one changed. */
  check(): void {
    for (const file of this.files) {
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found === undefined) throw new DeletedError(file);
      if (file === this.#file && found.size !== this.#size) throw new DeletedError(file, 'changed');
    }
  }

  #deleteCurrent(file: string): void {
    this.#open.close(file);
    rmSync(file, { force: true });
  }

  /** Waits until the lines are on the disk. */
  syncNow(): void {
    if (this.#file === null || this.#bytes === 0) return;
    // If it was deleted, or something else is in its place, all of it is about to be written again.
    if (lstatSync(this.#file, { throwIfNoEntry: false })?.isFile() !== true) return;
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

  /** Deletes the files before the current one; what somebody else has put in their place stays there. */
  deleteOlder(): void {
    for (const file of this.#older) if (kindOf(file).kind !== 'other') rmSync(file, { force: true });
    this.#older = [];
  }

  close(): void {
    if (this.#unfinished !== null) this.discardLine(this.#unfinished);
    if (this.#file !== null) this.#open.close(this.#file);
    this.#file = null;
  }
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
