import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { after, pauseFor, stopwatch, wallClock } from '../sandbox/clock.ts';
import { newToken } from '../sandbox/random.ts';
import { DeletedError } from './deleted-error.ts';
import { addressOf, occupy, thisMachine, type Occupied } from './lock-address.ts';
import { readClaim, type Claim } from './lock-claim.ts';
import { beatMs, holderBeside, lockEnding, patienceMs, runningHolder } from './lock-holders.ts';

/** What a server uses: a folder of state files, or one state file in it with those beside it. */
export interface LockedPlace {
  /** The real path of the folder. */
  readonly folder: string;
  /** The name of the state file without `.json`; null for the whole folder. */
  readonly stem: string | null;
  /** The state file, if it exists: other folders can have the same one, if it is mounted by itself. */
  readonly file?: string;
}

/** A lock on a place. No other process can use the place until it is released or this process ends. */
export interface Lock {
  /**
   * Throws an error if another server has taken the place: this process was paused, or the folder deleted.
   * `now` looks at the lock file even if that was done a moment ago.
   */
  check(now?: boolean): void;
  /** How often another server had taken the place, and has ended since: it may have changed the files. */
  readonly losses: number;
  release(): Promise<void>;
}

/** While changes are stored, the lock file is looked at this often, in milliseconds. */
const lookMs = 5;

/**
 * Locks a place in two ways: with a socket, which the system frees when the process ends for any reason, and
 * with a file in the folder, which servers on other machines see. A second server shows `owner` in its error.
 * `location` is what the user gave as `--data`. Rejects with SandboxError if another server uses the place.
 */
export async function hold(place: LockedPlace, location: string, owner: string): Promise<Lock> {
  const name = place.stem === null ? lockEnding : `${place.stem}.${lockEnding}`;
  const inUse = (holder: string): SandboxError =>
    new SandboxError(
      `${location} is in use by another server (${holder}). Stop that server, or use another --data.`,
    );
  const occupied = await occupy(addressOf(place.folder, name), { owner, folder: place.folder });
  if ('owner' in occupied) throw inUse(occupied.owner);
  const file = new LockFile(place, name, owner, occupied);
  try {
    const holder = (await file.occupyFile()) ?? (await file.claim()) ?? (await holderBeside(place, name));
    if (holder !== null) throw inUse(holder);
    file.keep();
    return file;
  } catch (error) {
    await file.release();
    throw error;
  }
}

/** The file of a lock, with the socket that belongs to it. */
class LockFile implements Lock {
  readonly #place: LockedPlace;
  readonly #name: string;
  readonly #file: string;
  readonly #occupied: Occupied[];
  #claim: Claim;
  #beating: { cancel(): void } | null = null;
  #lastBeat = stopwatch();
  #lastBeatOnWall = wallClock();
  /** Whether another server may have had the lock since this one was last seen to have it. */
  #wasAway = false;
  #lastLook = stopwatch();
  #isLost = false;
  losses = 0;
  /** Why this server is looking for another one that started meanwhile: what happened to its own lock file; null if it is not. */
  #looksAfter: 'deleted' | 'changed' | null = null;
  #isTakingBack = false;

  constructor(place: LockedPlace, name: string, owner: string, occupied: Occupied) {
    this.#place = place;
    this.#name = name;
    this.#file = join(place.folder, name);
    this.#occupied = [occupied];
    const { address } = occupied;
    this.#claim = { owner, token: newToken(), machine: thisMachine(), address, beat: 0 };
  }

  /** Occupies the state file itself. Returns the server that has it; null if it was free. */
  async occupyFile(): Promise<string | null> {
    const { file } = this.#place;
    if (file === undefined) return null;
    const { owner } = this.#claim;
    const occupied = await occupy(addressOf(file, ''), { owner, folder: file });
    if ('owner' in occupied) return occupied.owner;
    this.#occupied.push(occupied);
    return null;
  }

  /** Takes the file. Returns the server that has it; null if it was free. */
  async claim(): Promise<string | null> {
    for (;;) {
      if (this.#create()) return null;
      const found = readClaim(this.#file);
      if (found === 'absent') continue;
      const holder = await runningHolder(this.#file, found, this.#claim.address);
      if (holder !== null) return holder;
      // In place, because a full disk has no room for another file.
      this.#write(constants.O_WRONLY);
      if (found !== null && found.machine === this.#claim.machine) return null;
      // Two servers on different machines may both have found that the holder has ended: the last one wins.
      await pauseFor(beatMs);
      const winner = readClaim(this.#file);
      if (winner !== 'absent' && winner?.token === this.#claim.token) return null;
    }
  }

  /** Shows from now on that this server runs. */
  keep(): void {
    this.#beating = after(beatMs, () => {
      this.#beat();
      this.keep();
    });
  }

  check(now = false): void {
    // A process that was paused may have lost the lock in the meantime.
    if (this.#wasPaused) this.#beat();
    else if (now || stopwatch() - this.#lastLook > lookMs) this.#look(() => {});
    if (this.#looksAfter !== null) throw new DeletedError(this.#file, this.#looksAfter);
    if (this.#isLost)
      throw new Error(
        `another server has taken the lock of --data (${this.#file}), because this one was paused, or its lock file or folder was missing. Stop one of the two, or use another --data`,
      );
  }

  async release(): Promise<void> {
    this.#beating?.cancel();
    this.#beating = null;
    try {
      const found = readClaim(this.#file);
      if (found !== 'absent' && found?.token === this.#claim.token) rmSync(this.#file, { force: true });
    } catch {
      // Without its socket, the file that stays behind keeps nobody out.
    }
    await Promise.all(this.#occupied.map((one) => one.free()));
  }

  /** Whether others may have found that this server has ended. A stopwatch stands still while a machine sleeps. */
  get #wasPaused(): boolean {
    return Math.max(stopwatch() - this.#lastBeat, wallClock() - this.#lastBeatOnWall) > patienceMs / 2;
  }

  #beat(): void {
    this.#wasAway ||= this.#wasPaused;
    this.#lastBeat = stopwatch();
    this.#lastBeatOnWall = wallClock();
    this.#claim = { ...this.#claim, beat: this.#claim.beat + 1 };
    this.#look(() => this.#write(constants.O_WRONLY));
    if (this.#isLost && !this.#isTakingBack) void this.#takeBack();
  }

  /** Takes the place again if the other server has ended. */
  async #takeBack(): Promise<void> {
    this.#isTakingBack = true;
    try {
      const holder = (await this.claim()) ?? (await holderBeside(this.#place, this.#name));
      if (holder !== null || this.#beating === null) return;
      this.losses += 1;
      this.#isLost = false;
    } catch {
      // The next beat tries again.
    } finally {
      this.#isTakingBack = false;
    }
  }

  /** Looks at the file, and writes it again if somebody has deleted or emptied it. */
  #look(ifOwn: () => void): void {
    this.#lastLook = stopwatch();
    try {
      const found = readClaim(this.#file);
      if (found === 'absent' || found === null) {
        // Another server may have taken the lock, changed the files, and ended.
        if (this.#wasAway) this.losses += 1;
        this.#wasAway = false;
        this.#writeAgain(found === null);
      } else if (found.token === this.#claim.token) {
        this.#wasAway = false;
        ifOwn();
      } else this.#isLost = true;
    } catch {
      // The folder may be gone, or its disk. Changes are refused then, because they cannot be stored.
    }
  }

  #writeAgain(isThere: boolean): void {
    if (isThere) this.#write(constants.O_WRONLY);
    if (isThere || this.#create()) void this.#lookBeside(isThere ? 'changed' : 'deleted');
  }

  /** A server that started meanwhile under another lock did not see this one. */
  async #lookBeside(reason: 'deleted' | 'changed'): Promise<void> {
    this.#looksAfter = reason;
    const holder = await holderBeside(this.#place, this.#name).catch(() => null);
    this.#looksAfter = null;
    this.#isLost ||= holder !== null;
  }

  /** Returns false if the file exists. */
  #create(): boolean {
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    try {
      this.#write(O_WRONLY | O_CREAT | O_EXCL);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  }

  #write(flags: number): void {
    const opened = openSync(this.#file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    const text = `${JSON.stringify(this.#claim)}\n`;
    try {
      writeSync(opened, text, 0);
      ftruncateSync(opened, Buffer.byteLength(text));
    } catch (error) {
      if ((flags & constants.O_EXCL) !== 0) rmSync(this.#file, { force: true });
      throw new Error(`${this.#file} cannot be written: ${String(error)}`, { cause: error });
    } finally {
      closeSync(opened);
    }
  }
}
