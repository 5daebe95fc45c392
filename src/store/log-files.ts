import { fstatSync, lstatSync, rmSync, type Stats } from 'node:fs';
import { writeWhole } from './disk.ts';
import { afterAll } from './disk-syncs.ts';
import { endOfFile, endOfText, inodeOf, KnownFiles } from './known-files.ts';
import { LargeLine } from './large-line.ts';
import { createMark, fileAt, logsBeside, markFile } from './log-names.ts';
import { LogChain, noChain, type StateMark } from './log-chain.ts';
import type { OpenLogs } from './open-logs.ts';
import { kindOf } from './own-files.ts';
import type { RefusedLine } from './refused-line.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { DeletedError } from './deleted-error.ts';

/** How long a file counts as present, in milliseconds: looking takes half as long as writing a line. */
export const presentMs = 5;

/**
 * The log of one sandbox: files beside its state file, each named after its first line, such as
 * `default.1.log`. A new file begins when the state file is written; the older ones are deleted afterwards.
 */
export class LogFiles {
  readonly #stateFile: string;
  readonly #open: OpenLogs;
  #older: readonly string[];
  /** The files whose lines are all in the state file that is being written. */
  #superseded: readonly string[] = [];
  /** Those with lines that may not be on the disk yet. */
  #unsynced: ReadonlySet<string> = new Set();
  #file: string | null = null;
  /** The size of the current file… */
  #size = 0;
  /** … and that of its last line… */
  #lastBytes = 0;
  /** … what identifies it, null until the first line… */
  #inode: Stats | null = null;
  /** … and how it ends. */
  #end: ReturnType<typeof endOfText> = '';
  /** The files before it. */
  readonly #known = new KnownFiles();
  /** The size of the files before the current one whose lines the state file does not have… */
  #sizeBefore = 0;
  /** … and of those that it replaces when it is written. */
  #supersededSize = 0;
  /** The time until which the current file counts as present, from `stopwatch`. */
  #presentUntil = 0;
  /** How many files were created, and how many of them when the names were last brought to the disk. */
  #created = 0;
  #namesOnDisk = 0;
  readonly #chain: LogChain;

  /** `older` are the files that exist, and `read` is the end of what was read from them. */
  constructor(stateFile: string, open: OpenLogs, older: readonly string[], read = noChain) {
    this.#chain = new LogChain(read);
    this.#stateFile = stateFile;
    this.#open = open;
    this.#older = older;
    for (const file of older) this.#known.addFound(file);
  }

  /** The files that exist. */
  get files(): readonly string[] {
    return this.#file === null || this.#size === 0 ? this.#older : [...this.#older, this.#file];
  }

  /** Those, and one with a part of a refused line that could be neither cut off nor deleted. */
  get filesToDelete(): readonly string[] {
    return this.#file === null ? this.#older : [...this.#older, this.#file];
  }

  /** The size of the lines since the last `begin`. */
  get bytes(): number {
    return this.#sizeBefore + this.#size;
  }

  /** The size of all files. */
  get allBytes(): number {
    return this.bytes + this.#supersededSize;
  }

  /** Begins the first file. */
  resume(line: number): void {
    this.#beginFile(fileAt(this.#stateFile, line));
  }

  /** Begins a new file with this line, because a state file with the lines before it is about to be written. */
  begin(line: number): StateMark {
    this.#beginFile(fileAt(this.#stateFile, line));
    this.#superseded = this.#older;
    this.#supersededSize += this.#sizeBefore;
    this.#sizeBefore = 0;
    return this.#chain.stateMark(this.#older);
  }

  /** `written` is the file if it is there already. */
  #beginFile(file: string, written: Stats | null = null): void {
    this.#older = this.files;
    this.#sizeBefore += this.#size;
    if (this.#file !== null) {
      if (this.#size > 0) this.#unsynced = new Set([...this.#unsynced, this.#file]);
      this.#know(this.#file);
      this.#open.close(this.#file);
    }
    this.#file = file;
    this.#size = this.#lastBytes = written?.size ?? 0;
    this.#inode = written;
    this.#end = written === null ? '' : endOfFile(file, written.size);
    if (written !== null) this.#renew(file);
    this.#presentUntil = 0;
  }

  /** Appends a line. Throws the error of the system; then nothing was appended. */
  append(line: string): void {
    if (this.#file === null) throw new Error('The log has no file yet.');
    const isNew = this.#size === 0;
    const descriptor = this.#open.descriptor(this.#file, isNew);
    if (isNew) this.#renew(this.#file);
    if (isNew || stopwatch() > this.#presentUntil) this.#requirePresent(this.#file, descriptor);
    try {
      const text = isNew ? this.#chain.first(this.#file, line) : line;
      this.#lastBytes = writeWhole(descriptor, text);
      this.#size += this.#lastBytes;
      this.#chain.appended(this.#file);
      this.#end = endOfText(text);
    } catch (error) {
      // If truncating the file fails, too, the next line finds more in the file than there should be.
      this.#presentUntil = 0;
      this.#open.cutOff(this.#file, this.#size);
      throw error;
    }
  }

  /** Begins a line that is written in pieces. Throws the error of the system. */
  beginLarge(): LargeLine {
    return new LargeLine(this.#stateFile);
  }

  /** Appends a line that was written in pieces but for its end, as a new file. Throws as `append`. */
  appendLarge(large: LargeLine, line: number, end: string): void {
    this.check();
    const file = fileAt(this.#stateFile, line);
    large.add(`${this.#chain.begin(file)}${end}`);
    if (file === this.#file) this.#open.close(file);
    this.#beginFile(file, large.moveTo(file, line));
    this.#chain.appended(file);
  }

  /** Returns the last line, which has this number, to withdraw it later. */
  lastLine(number: number): RefusedLine | null {
    const [file, inode, to] = [this.#file, this.#inode, this.#size];
    if (file === null || inode === null) return null;
    const next = fileAt(this.#stateFile, number);
    return { number, file, inode, from: to - this.#lastBytes, to, id: this.#chain.idOf(file), next };
  }

  /** Throws an error if the file was deleted, replaced or cut off: what is written to it would be lost. */
  #requirePresent(file: string, descriptor: number): void {
    const opened = fstatSync(descriptor);
    const found = lstatSync(file, { throwIfNoEntry: false });
    // The file may have been replaced before it was opened again.
    if (this.#size === 0 || this.#inode === null) this.#inode = opened;
    const inode = inodeOf(this.#inode);
    const isSame = found !== undefined && inodeOf(found) === inode && inodeOf(opened) === inode;
    if (!isSame || opened.size !== this.#size) {
      this.#open.close(file);
      throw new DeletedError(file, found === undefined ? 'deleted' : 'changed');
    }
    this.#presentUntil = stopwatch() + presentMs;
  }

  #know(file: string | null): void {
    if (file !== null && this.#inode !== null) this.#known.set(file, this.#inode, this.#size, this.#end);
  }

  /** Throws an error if one of the files was deleted or changed. */
  check(): void {
    this.#know(this.#file);
    for (const file of this.files) this.#known.check(file);
  }

  /** Whether the files are as they were written, and no others are beside them. */
  get isUnchanged(): boolean {
    this.#know(this.#file);
    return this.#known.areAll(this.files, logsBeside(this.#stateFile));
  }

  /** Calls back when the lines so far are on the disk, and the names of their files. */
  sync(done: (error: Error | null) => void): void {
    const current = this.#file;
    const files = [...this.#unsynced, ...(current === null || this.#size === 0 ? [] : [current])];
    if (files.length === 0) return done(null);
    const created = this.#created;
    const areNamed = created === this.#namesOnDisk;
    const end = afterAll(files.length + (areNamed ? 0 : 1), (failure) => {
      // To flush the files before the current one, they were opened again.
      for (const one of files) if (one !== this.#file) this.#open.close(one);
      if (failure === null)
        this.#unsynced = new Set([...this.#unsynced].filter((one) => !files.includes(one)));
      done(failure);
    });
    // At the same time as the lines, because a reply may wait for both.
    if (!areNamed)
      this.#open.syncs.folder(this.#stateFile, (failure) => {
        if (failure === null) this.#namesOnDisk = Math.max(this.#namesOnDisk, created);
        end(failure);
      });
    for (const file of files) this.#open.sync(file, end);
  }

  /** Leaves an empty file, which needs no space: requests have numbers that no line has. False if that fails, too. */
  markGap(): boolean {
    const file = markFile(this.#stateFile, 'gap');
    this.#renew(file);
    if (!createMark(file)) return false;
    this.#older = [...this.#older, file];
    return true;
  }

  /** The file is new. An empty one of its name, as a crash leaves it, must not be deleted with the older ones. */
  #renew(file: string): void {
    this.#created += 1;
    this.#older = this.#older.filter((one) => one !== file);
    this.#superseded = this.#superseded.filter((one) => one !== file);
  }

  /** Deletes the files that the state file replaces; what somebody else has put in their place stays there. */
  deleteSuperseded(): void {
    const gone = new Set(this.#superseded);
    for (const file of gone) {
      // A deleted file takes up space for as long as it is open, and another one may get its name.
      this.#open.forget(file);
      if (kindOf(file).kind !== 'other') rmSync(file, { force: true });
      this.#known.delete(file);
    }
    this.#superseded = [];
    this.#supersededSize = 0;
    this.#older = this.#older.filter((file) => !gone.has(file));
    this.#unsynced = new Set([...this.#unsynced].filter((file) => !gone.has(file)));
  }

  close(): void {
    for (const file of [...this.#unsynced, ...(this.#file === null ? [] : [this.#file])])
      this.#open.close(file);
    this.#unsynced = new Set();
    this.#file = null;
  }
}
