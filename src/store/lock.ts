import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../base/errors.ts';
import { after, stopwatch, wallClock } from '../sandbox/clock.ts';
import { DeletedError } from './deleted-error.ts';
import { LockFile } from './lock-file.ts';
import { beatMs, holderBeside, lockNameOf, patienceMs } from './lock-holders.ts';
import { LockSockets } from './lock-sockets.ts';
import { isMark } from './log-names.ts';

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
  /**
   * Whether so much time has passed since this server last showed that it runs that another one may have taken the
   * place. What was written meanwhile must not be acknowledged before `check`.
   */
  readonly mayBeLost: boolean;
  /** How often another server had taken the place, and has ended since: it may have changed the files. */
  readonly losses: number;
  /** Resolves when it is known whether another server has taken the place. */
  settle(): Promise<void>;
  release(): Promise<void>;
}

/** How messages name what uses a place, and the flag that sets it. */
interface LockWords {
  readonly user: string;
  readonly flag: string;
}

/** While changes are stored, the lock file is looked at this often, in milliseconds. */
const lookMs = 5;

/**
 * Locks a place in two ways: with a socket, which the system frees when the process ends for any reason, and
 * with a file in the folder, which servers on other machines see. A second server shows `owner` in its error.
 * `location` is what the user gave with `flag`. Rejects with SandboxError if another `user` uses the place.
 */
export async function hold(
  place: LockedPlace,
  location: string,
  owner: string,
  { user, flag }: LockWords = { user: 'server', flag: '--data' },
): Promise<Lock> {
  const lock = new HeldLock(place, owner);
  try {
    const holder = await lock.take();
    if (holder !== null)
      throw new SandboxError(
        `${location} is in use by another ${user} (${holder}). Stop that ${user}, or use another ${flag}.`,
      );
    lock.keep();
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class HeldLock implements Lock {
  readonly #place: LockedPlace;
  readonly #file: LockFile;
  readonly #sockets: LockSockets;
  #beating: { cancel(): void } | null = null;
  #lastBeat = stopwatch();
  #lastBeatOnWall = wallClock();
  /** Whether another server may have had the lock since this one was last seen to have it. */
  #wasAway = false;
  #lastLook = stopwatch();
  #isLost = false;
  losses = 0;
  /** While this server looks for another one that started meanwhile: what happened to its own lock file. */
  #looksAfter: 'deleted' | 'changed' | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isTakingBack = false;

  constructor(place: LockedPlace, owner: string) {
    this.#place = place;
    this.#sockets = new LockSockets(place, owner);
    this.#file = new LockFile(join(place.folder, lockNameOf(place)), owner);
  }

  /** Takes the place. Resolves to the server that has it; null if it was free. */
  async take(): Promise<string | null> {
    return (await this.#occupy()) ?? (await this.#file.claim()) ?? (await holderBeside(this.#place));
  }

  async #occupy(): Promise<string | null> {
    const holder = await this.#sockets.occupy();
    this.#file.sockets = this.#sockets;
    return holder;
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
    if (this.mayBeLost) this.#beat();
    else if (now || stopwatch() - this.#lastLook > lookMs) this.#look(() => {});
    if (this.#looksAfter !== null) throw new DeletedError(this.#file.path, this.#looksAfter);
    if (this.#isLost)
      throw new Error(
        `another server has taken the lock of --data (${this.#file.path}), because this one was paused, or its lock file or folder was missing. Stop one of the two, or use another --data`,
      );
  }

  settle(): Promise<void> {
    this.#look(() => {});
    return this.#looking;
  }

  async release(): Promise<void> {
    this.#beating?.cancel();
    this.#beating = null;
    this.#file.remove();
    await this.#sockets.free();
  }

  // A stopwatch stands still while a machine sleeps.
  get mayBeLost(): boolean {
    return Math.max(stopwatch() - this.#lastBeat, wallClock() - this.#lastBeatOnWall) > patienceMs / 2;
  }

  #beat(): void {
    this.#wasAway ||= this.mayBeLost;
    this.#lastBeat = stopwatch();
    this.#lastBeatOnWall = wallClock();
    this.#look(() => this.#file.beat());
    if (this.#isLost && !this.#isTakingBack) void this.#takeBack();
  }

  /** Takes the place again if the other server has ended. */
  async #takeBack(): Promise<void> {
    this.#isTakingBack = true;
    try {
      const holder = await this.take();
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
      const found = this.#file.content;
      if (found === 'other') this.#isLost = true;
      else if (found === 'own') {
        this.#wasAway = false;
        ifOwn();
        // The disk took so long that this may have replaced the claim of another server.
        if (this.mayBeLost) this.losses += 1;
      } else {
        // Another server may have taken the lock, changed the files, and ended. An empty folder was deleted.
        if (this.#wasAway || (found === 'absent' && this.#hasFiles)) this.losses += 1;
        this.#wasAway = false;
        if (this.#file.writeAgain(found === 'none'))
          this.#looking = this.#lookBeside(found === 'absent' ? 'deleted' : 'changed');
      }
    } catch {
      // The folder may be gone, or its disk. Changes are refused then, because they cannot be stored.
    }
  }

  /** Whether there is something that another server can have stored. A marker file alone needs no lock. */
  get #hasFiles(): boolean {
    return readdirSync(this.#place.folder).some(
      (name) => name.endsWith('.json') || (name.endsWith('.log') && !isMark(name, 'gap')),
    );
  }

  /** A server that started meanwhile under another lock, or in another folder of this name, did not see this one. */
  async #lookBeside(reason: 'deleted' | 'changed'): Promise<void> {
    this.#looksAfter = reason;
    try {
      const holder = (await this.#occupy()) ?? (await holderBeside(this.#place));
      this.#isLost ||= holder !== null;
    } catch {
      // The folder is gone again.
    } finally {
      this.#looksAfter = null;
    }
  }
}
