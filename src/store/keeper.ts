import { after, stopwatch } from '../sandbox/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { format, version, type Saved } from './saved.ts';
import type { StatePort } from './state-port.ts';

/** How long a change waits for others before it is written, in milliseconds. With the write itself it stays under 100. */
const gatheringMs = 50;

export interface KeeperOptions {
  readonly onError: (error: unknown) => void;
  readonly onWritten?: () => void;
  /** Nothing is written before this has resolved. */
  readonly begin?: Promise<void> | undefined;
}

/** Writes a sandbox's changes: many at a time, one write after another. */
export class Keeper {
  readonly #sandbox: Sandbox;
  readonly #port: StatePort;
  readonly #onError: (error: unknown) => void;
  readonly #onWritten: () => void;
  #unwritten = false;
  #timer: { cancel(): void } | null = null;
  #writing: Promise<void> | null = null;
  #lastWriteMs = 0;
  readonly #begin: Promise<void> | undefined;

  constructor(sandbox: Sandbox, port: StatePort, { onError, onWritten = () => {}, begin }: KeeperOptions) {
    this.#sandbox = sandbox;
    this.#port = port;
    this.#onError = onError;
    this.#onWritten = onWritten;
    this.#begin = begin;
    sandbox.onChange = () => this.#changed();
  }

  /** Writes what is not written yet. Rejects where that fails. */
  async flush(): Promise<void> {
    await this.#writing?.catch(() => {});
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#unwritten) await this.#write();
  }

  /** Writes nothing any more. Resolves when a write on its way is over. */
  async discard(): Promise<void> {
    this.#sandbox.onChange = () => {};
    this.#timer?.cancel();
    this.#unwritten = false;
    await this.#writing?.catch(() => {});
  }

  #changed(): void {
    this.#unwritten = true;
    if (this.#timer !== null || this.#writing !== null) return;
    // Where writing takes long, as much time again is left to everything else.
    this.#timer = after(Math.max(gatheringMs, this.#lastWriteMs), () => {
      this.#timer = null;
      this.#write().catch(this.#onError);
    });
  }

  async #write(): Promise<void> {
    this.#unwritten = false;
    const start = stopwatch();
    this.#writing = this.#begin === undefined ? this.#writeNow() : this.#begin.then(() => this.#writeNow());
    try {
      await this.#writing;
      this.#onWritten();
    } catch (error) {
      this.#unwritten = true;
      throw error;
    } finally {
      this.#writing = null;
      this.#lastWriteMs = stopwatch() - start;
    }
    if (this.#unwritten) this.#changed();
  }

  #writeNow(): Promise<void> {
    this.#port.data = savedFrom(this.#sandbox);
    return this.#port.write();
  }
}

function savedFrom({ id, state }: Sandbox): Saved {
  const { name, fingerprint } = state.seed;
  return {
    format,
    version,
    sandbox: id,
    seed: { name, fingerprint },
    beginning: new Date(state.beginning).toISOString(),
    get changes() {
      return state.changes();
    },
  };
}
