import { after, stopwatch } from '../sandbox/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { format, version, type Saved } from './saved.ts';
import type { StatePort } from './state-port.ts';

/**
 * How long a change waits for others before it is written. Including the write, it should take less than 100
 * ms.
 */
const batchingMs = 50;

export interface KeeperOptions {
  readonly onError: (error: unknown) => void;
  readonly onWritten?: () => void;
  /** Writing starts after this has resolved. */
  readonly startAfter?: Promise<void> | undefined;
}

/** Writes a sandbox's changes in batches, one after another. */
export class Keeper {
  readonly #sandbox: Sandbox;
  readonly #port: StatePort;
  readonly #onError: (error: unknown) => void;
  readonly #onWritten: () => void;
  #unwritten = false;
  #timer: { cancel(): void } | null = null;
  #writing: Promise<void> | null = null;
  #lastWriteMs = 0;
  readonly #startAfter: Promise<void> | undefined;

  constructor(
    sandbox: Sandbox,
    port: StatePort,
    { onError, onWritten = () => {}, startAfter }: KeeperOptions,
  ) {
    this.#sandbox = sandbox;
    this.#port = port;
    this.#onError = onError;
    this.#onWritten = onWritten;
    this.#startAfter = startAfter;
    sandbox.onChange = () => this.#changed();
  }

  /** Writes all pending changes. Rejects if that fails. */
  async flush(): Promise<void> {
    await this.#writing?.catch(() => {});
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#unwritten) await this.#write();
  }

  /** Stops writing. Resolves when a write in progress has ended. */
  async discard(): Promise<void> {
    this.#sandbox.onChange = () => {};
    this.#timer?.cancel();
    this.#unwritten = false;
    await this.#writing?.catch(() => {});
  }

  #changed(): void {
    this.#unwritten = true;
    if (this.#timer !== null || this.#writing !== null) return;
    // After a long write, leave as much time for other work.
    this.#timer = after(Math.max(batchingMs, this.#lastWriteMs), () => {
      this.#timer = null;
      this.#write().catch(this.#onError);
    });
  }

  async #write(): Promise<void> {
    this.#unwritten = false;
    const start = stopwatch();
    this.#writing =
      this.#startAfter === undefined ? this.#writeNow() : this.#startAfter.then(() => this.#writeNow());
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
