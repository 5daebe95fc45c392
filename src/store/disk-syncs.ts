import type { FileHandle } from 'node:fs/promises';
import { syncFolderSoon } from './disk.ts';

/** The system runs this many at the same time. It cannot give up others that wait for it. */
const maxAtOnce = 4;

/** Replies wait for those of logs. */
const maxStatesAtOnce = 2;

type Done = (failure: Error | null) => void;

/** Brings the files of one folder to the disk. A disk can need seconds for each request to do so. */
export class DiskSyncs {
  #waitingForFolder: Done[] = [];
  #isFolderBusy = false;
  #maxStates = maxStatesAtOnce;
  #states = 0;
  readonly #waitingStates: (() => void)[] = [];

  /**
   * Calls back when the names in the folder of a file are on the disk, or with what has failed. All that wait meanwhile
   * share the next time.
   */
  folder(file: string, done: Done): void {
    this.#waitingForFolder.push(done);
    if (!this.#isFolderBusy) this.#syncFolder(file);
  }

  #syncFolder(file: string): void {
    const waiting = this.#waitingForFolder.splice(0);
    this.#isFolderBusy = true;
    syncFolderSoon(file, (failure) => {
      this.#isFolderBusy = false;
      for (const done of waiting) done(failure);
      if (this.#waitingForFolder.length > 0 && !this.#isFolderBusy) this.#syncFolder(file);
    });
  }

  /** Resolves when a state file is on the disk, or when it is its turn, but it is not needed any more. */
  async state(file: FileHandle, isNeeded: () => boolean): Promise<void> {
    while (this.#states >= this.#maxStates)
      await new Promise<void>((done) => void this.#waitingStates.push(done));
    this.#states += 1;
    try {
      if (isNeeded()) await file.sync();
    } finally {
      this.#states -= 1;
      this.#waitingStates.shift()?.();
    }
  }

  /** No replies wait for the disk any more. */
  hurry(): void {
    this.#maxStates = maxAtOnce;
    for (const go of this.#waitingStates.splice(0, maxAtOnce)) go();
  }
}

/** Returns what counts the ends of this many requests to the disk. After the last one, it calls back with the first error. */
export function afterAll(
  requests: number,
  done: (failure: Error | null) => void,
): (error: Error | null) => void {
  let waiting = requests;
  let failure: Error | null = null;
  return (error) => {
    failure ??= error;
    waiting -= 1;
    if (waiting === 0) done(failure);
  };
}
