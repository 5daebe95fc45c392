import { ElsewhereError } from '../base/errors.ts';
import { after } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { PageRequest, SandboxPage } from '../sandbox/sandbox-page.ts';
import type { LoadParts } from '../store/restored.ts';
import type { Batches } from './batches.ts';
import { messageOf } from '../base/message-of.ts';
import { IdleRelease } from './idle-release.ts';
import type { RequestCounts } from './ledger-counts.ts';
import { loadStored, type StoredSandbox } from './load-stored.ts';
import { listStored } from './list-stored.ts';
import { SandboxTotal } from './sandbox-total.ts';
import type { SharedShelf } from './shared-shelf.ts';
import { anyOther, depose, expire, leave, remove } from './statements.ts';
import { takeSandbox } from './take-sandbox.ts';
import { maxWaitMs } from './waiters.ts';

/** Expired sandboxes are deleted this often, or as often as idle ones leave memory, in milliseconds. */
const maxExpireEveryMs = 60_000;

/** A little longer than a response waits, because the work has a limit of its own, in milliseconds. */
const limitMs = maxWaitMs + 200;

/** One of several servers that share the sandboxes of a database. */
export interface Replica {
  /** Forgets which replica has a sandbox. */
  forget(id: string): void;
  /** Ends the session of the replica at an address, which owns nothing from then on. */
  depose(address: string): Promise<void>;
  /** From now on, this replica takes no sandboxes, unless it is the last one. */
  leave(): Promise<void>;
  readonly requests: RequestCounts;
}

/** The sandboxes in the database, which this server can take. */
export class StoredSandboxes {
  readonly #batches: Batches;
  readonly #parts: LoadParts;
  readonly #total = new SandboxTotal();
  #isLeaving = false;
  #idle: IdleRelease | null = null;
  #isClosed = false;

  constructor(batches: Batches, parts: LoadParts) {
    this.#batches = batches;
    this.#parts = parts;
  }

  /** Takes and reads a sandbox. Null if there is none. Rejects with ElsewhereError if another replica has it, or gets it. */
  async take(id: string): Promise<StoredSandbox | null> {
    const { session } = this.#batches;
    const stays = this.#isLeaving ? await inTime(anyOther(session)) : null;
    if (stays !== null) throw new ElsewhereError(id, stays);
    const row = await inTime(takeSandbox(id, session, maxWaitMs));
    if (row?.was_owned === true) this.#batches.counts.takeovers += 1;
    // A large sandbox may take longer to read, but the database must answer.
    await inTime(session.aside('select'));
    return row === null ? null : loadStored(id, row, session, this.#parts);
  }

  /** Lists the sandboxes of all replicas. Rejects with StorageError if the database does not answer. */
  readonly page = async (wanted: PageRequest): Promise<SandboxPage> =>
    inTime(listStored(this.#batches.session, this.#total, wanted));

  /** Deletes a sandbox that is not in memory. Rejects with StorageError if it remains. */
  async discard(id: string): Promise<void> {
    try {
      const remaining = await inTime(remove(this.#batches.session, [id]));
      if (remaining.has(id)) throw new StorageError(`The sandbox "${id}" is in use by another server.`);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(`The sandbox "${id}" could not be deleted: ${messageOf(error)}`);
    }
  }

  /** Returns what replicas need of each other. */
  replicaWith(shelf: SharedShelf): Replica {
    return {
      forget: (id) => shelf.forget(id),
      depose: (address) => this.#depose(address),
      leave: () => this.#leave(),
      requests: this.#batches.counts.requests,
    };
  }

  async #depose(address: string): Promise<void> {
    const { session, counts } = this.#batches;
    if (await depose(session, address)) counts.deposedReplicas += 1;
  }

  async #leave(): Promise<void> {
    this.#isLeaving = true;
    await leave(this.#batches.session);
  }

  /** Frees the memory of sandboxes that were idle for this number of seconds (null: never), and deletes the expired ones. */
  leaveMemory(sandboxes: Sandboxes, idleSeconds: number | null): void {
    if (idleSeconds !== null) this.#idle = new IdleRelease(sandboxes, idleSeconds);
    this.#expireLater(Math.min(maxExpireEveryMs, (idleSeconds ?? Infinity) * 1000));
  }

  /** Deletes expired sandboxes that no replica has in memory, again and again. */
  #expireLater(everyMs: number): void {
    after(everyMs, () => {
      if (this.#isClosed) return;
      // Another replica, or the next time, deletes them.
      if (this.#batches.isFresh) expire(this.#batches.session).catch(() => {});
      this.#expireLater(everyMs);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#idle?.close();
  }
}

/** Rejects with StorageError if the database does not answer in time. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let limit = { cancel: (): void => {} };
  const late = new Promise<never>((_, fail) => {
    limit = after(limitMs, () => fail(new StorageError('the database of --data does not answer')));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    limit.cancel();
  }
}
