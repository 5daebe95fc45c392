import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { pauseFor } from '../sandbox/clock.ts';
import { newToken } from '../sandbox/random.ts';
import { thisMachine } from './lock-address.ts';
import { readClaim, type Claim } from './lock-claim.ts';
import { beatMs, runningHolder } from './lock-holders.ts';

/** The file of a lock, which servers on other machines see. */
export class LockFile {
  readonly path: string;
  #claim: Claim;

  constructor(path: string, owner: string) {
    this.path = path;
    this.#claim = { owner, token: newToken(), machine: thisMachine(), address: '', beat: 0 };
  }

  /** Sets the addresses of the sockets that it names. */
  set sockets({ address, register }: { readonly address: string; readonly register: string }) {
    this.#claim = { ...this.#claim, address, register };
  }

  /** Takes the file. Resolves to the server that has it; null if it was free. */
  async claim(): Promise<string | null> {
    for (;;) {
      if (this.#create()) return null;
      const found = readClaim(this.path);
      if (found === 'absent') continue;
      const holder = await runningHolder(this.path, found, this.#claim.address);
      if (holder !== null) return holder;
      // In place, because a full disk has no room for another file.
      this.#write(constants.O_WRONLY);
      if (found !== null && found.machine === this.#claim.machine) return null;
      // Two servers on different machines may both have found that the holder has ended: the last one wins.
      await pauseFor(beatMs);
      const winner = readClaim(this.path);
      if (winner !== 'absent' && winner?.token === this.#claim.token) return null;
    }
  }

  /** Whose claim it has. Throws as `readClaim`. */
  get content(): 'own' | 'other' | 'none' | 'absent' {
    const found = readClaim(this.path);
    if (found === 'absent') return found;
    if (found === null) return 'none';
    return found.token === this.#claim.token ? 'own' : 'other';
  }

  /** Shows that this server runs. Throws an error if it cannot be written. */
  beat(): void {
    this.#claim = { ...this.#claim, beat: this.#claim.beat + 1 };
    this.#write(constants.O_WRONLY);
  }

  /** Writes the file after somebody has deleted or emptied it. Returns false if another server has created it. */
  writeAgain(isThere: boolean): boolean {
    if (!isThere) return this.#create();
    this.#write(constants.O_WRONLY);
    return true;
  }

  /** Deletes the file if it is of this server. */
  remove(): void {
    try {
      if (this.content === 'own') rmSync(this.path, { force: true });
    } catch {
      // Without its socket, the file that stays behind keeps nobody out.
    }
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
    const opened = openSync(this.path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    const text = `${JSON.stringify(this.#claim)}\n`;
    try {
      writeSync(opened, text, 0);
      ftruncateSync(opened, Buffer.byteLength(text));
    } catch (error) {
      if ((flags & constants.O_EXCL) !== 0) rmSync(this.path, { force: true });
      throw new Error(`${this.path} cannot be written: ${String(error)}`, { cause: error });
    } finally {
      closeSync(opened);
    }
  }
}
