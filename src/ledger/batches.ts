import { StorageError } from '../sandbox/ledger.ts';
import { after, inNextTurn, pauseFor, stopwatch } from '../sandbox/clock.ts';
import { refusedBecause, storeBatch, takenReason, type Batch } from './batch.ts';
import { BatchQueue } from './batch-queue.ts';
import { LedgerCounts } from './ledger-counts.ts';
import { OutageWarnings } from './outage-warnings.ts';
import type { SandboxLedger } from './sandbox-ledger.ts';
import { Session, type ReplicaFacts } from './session.ts';
import { takeOver } from './statements.ts';
import { maxWaitMs, Waiters } from './waiters.ts';

const retryMs = 200;

const unreachable = 'the database of --data cannot be reached';

interface BatchesOptions {
  readonly url: string;
  readonly facts: ReplicaFacts;
  readonly warn: (message: string) => void;
  /** Called for a sandbox that this server must not use any more. */
  readonly onLost: (ledger: SandboxLedger) => void;
}

/**
 * Stores what happens in all sandboxes of a server: while one statement is on its way, the next one collects. After
 * the end of a session, it continues with the next one.
 */
export class Batches {
  /** The number of statements since the start. */
  writes = 0;
  /** The number of failed statements and connections since the start. */
  failures = 0;
  readonly counts = new LedgerCounts();
  readonly #options: BatchesOptions;
  #session: Session | null;
  /** The number of the last session, whose sandboxes are still in memory. */
  #number: string;
  /** All that can be lost with the session. */
  readonly #ledgers = new Set<SandboxLedger>();
  /** It may have been stored if its session ended meanwhile, so it is stored again: that has the same result. */
  #batch: Batch | null = null;
  readonly #queue = new BatchQueue(
    (ledger, error) => this.#notStaged(ledger, error),
    () => this.#runSoon(),
  );
  readonly #waiters = new Waiters();
  #isRunning = false;
  #isClosed = false;
  /** Since when the database owes an answer. */
  #owesSince: number | null = null;
  readonly #warnings: OutageWarnings;

  constructor(session: Session, options: BatchesOptions) {
    this.#options = options;
    this.#warnings = new OutageWarnings(options.warn);
    this.#session = session;
    this.#number = session.number;
    session.onEnd = () => this.#ended(session);
  }

  /** Throws StorageError while there is no session. */
  get session(): Session {
    if (this.#session === null) throw new StorageError(unreachable);
    return this.#session;
  }

  /** Null while there is no session. */
  get current(): Session | null {
    return this.#session;
  }

  /** Why nothing can be stored now; null if it can, or if that is not certain yet. */
  get failure(): string | null {
    if (this.#isClosed) return 'the server has stopped';
    const isLate = this.#owesSince !== null && stopwatch() - this.#owesSince > maxWaitMs;
    return isLate ? 'the database of --data does not answer' : null;
  }

  /** Whether this server still owns what it has in memory. */
  get isFresh(): boolean {
    return this.#session?.isFresh === true;
  }

  /** The number of sandboxes that this server owns now. */
  get ownedCount(): number {
    return this.#session === null ? 0 : this.#ledgers.size;
  }

  /** Stores what has happened in a sandbox with the next statement. */
  add(ledger: SandboxLedger): void {
    this.#ledgers.add(ledger);
    this.#queue.add(ledger);
    this.#runSoon();
  }

  /** Deletes a sandbox before the next statement. */
  delete(ledger: SandboxLedger): void {
    this.#ledgers.delete(ledger);
    this.#queue.delete(ledger);
    this.#runSoon();
  }

  /** Resolves to whether all that has happened in a sandbox is stored; to true for none. */
  stored(of: SandboxLedger | undefined): Promise<boolean> {
    return new Promise((done) => {
      if (of === undefined) done(true);
      else this.whenStored(of, done);
    });
  }

  /** Calls back when all that has happened in a sandbox is stored, or with false if that fails or takes too long. */
  whenStored(of: SandboxLedger, done: (isSafe: boolean) => void): void {
    // Later, because the caller does not expect it yet.
    if (of.lost !== null || this.failure !== null) return queueMicrotask(() => done(false));
    this.#waiters.add(of, done);
    this.#runSoon();
  }

  /** Stores the rest, and ends the session. Rejects if that takes too long. */
  async close(): Promise<void> {
    const until = stopwatch() + maxWaitMs;
    try {
      while (this.#isRunning || this.#hasChanges || this.#queue.isStaging) {
        // Not a SandboxError: the settings are not at fault.
        if (stopwatch() > until) throw new Error(`Not everything is stored: ${unreachable}.`);
        await pauseFor(1);
      }
      await this.#session?.run('delete from lp_sandbox.replica where number = $1', [this.#number]);
    } finally {
      this.end();
    }
  }

  /** Ends the session, whatever is not stored. */
  end(): void {
    this.#isClosed = true;
    this.#waiters.end();
    this.#session?.end();
  }

  get #hasChanges(): boolean {
    return this.#batch !== null || this.#queue.hasChanges;
  }

  /** All calls of a turn of the event loop share a statement. */
  #runSoon(): void {
    if (this.#isRunning || this.#isClosed || this.#session === null) return;
    this.#isRunning = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    try {
      for (let session = this.#session; session !== null; session = this.#session) {
        if (!this.#hasChanges && this.#waiters.areNone) return;
        this.#owesSince ??= stopwatch();
        await this.#step(session);
        if (session !== this.#session) continue;
        this.#succeeded();
        // The replies are sent while the database is busy with the next statement.
        if (this.#hasChanges) inNextTurn(() => session === this.#session && this.#waiters.answer());
        else this.#waiters.answer();
      }
    } catch (error) {
      this.failures += 1;
      if (this.#session === null) return;
      this.#warnings.refused(error);
      after(retryMs, () => this.#runSoon());
    } finally {
      this.#isRunning = false;
    }
  }

  /** Runs the next statement: of changes, or to see that the session lives. */
  async #step(session: Session): Promise<void> {
    this.#batch ??= this.#queue.next(session);
    if (this.#batch === null) {
      await session.run('select');
      return this.#queue.pause();
    }
    await storeBatch(session, this.#batch, this.counts, (ledger, reason) => this.#lose(ledger, reason));
    for (const { of, rows } of this.#batch.kept) if (rows.gives) this.#ledgers.delete(of);
    this.#batch = null;
    this.writes += 1;
  }

  /** Called when a piece of a large state was not stored. It is tried again, unless the database refuses its values. */
  #notStaged(ledger: SandboxLedger, error: unknown): void {
    const reason = refusedBecause(error);
    if (reason !== null) return this.#lose(ledger, reason);
    this.failures += 1;
    if (this.#session !== null) this.#warnings.refused(error);
  }

  #lose(ledger: SandboxLedger, reason: string): void {
    this.#ledgers.delete(ledger);
    this.#queue.drop(ledger);
    if (reason === takenReason) this.counts.fencedWrites += 1;
    ledger.lose(reason);
    this.#options.onLost(ledger);
  }

  #succeeded(): void {
    this.#owesSince = null;
    this.#warnings.succeeded();
  }

  #ended(session: Session): void {
    if (session !== this.#session) return;
    this.#session = null;
    this.#owesSince ??= stopwatch();
    if (!this.#isClosed) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    this.#warnings.lost();
    while (!this.#isClosed && this.#session === null) {
      try {
        await this.#continueWith(await Session.begin(this.#options.url, this.#options.facts));
      } catch (error) {
        this.failures += 1;
        this.#warnings.notConnected(error);
        await pauseFor(retryMs);
      }
    }
  }

  /** Continues with a new session: sandboxes that nobody has taken meanwhile are as they were. */
  async #continueWith(session: Session): Promise<void> {
    let owned: ReadonlySet<string>;
    try {
      owned = await takeOver(session, this.#number);
    } catch (error) {
      session.end();
      throw error;
    }
    if (this.#isClosed) return session.end();
    for (const ledger of this.#ledgers)
      if (ledger.hasRow && !owned.has(ledger.sandbox.id)) this.#lose(ledger, takenReason);
    this.counts.reconnects += 1;
    this.#number = session.number;
    this.#session = session;
    session.onEnd = () => this.#ended(session);
    this.#succeeded();
    this.#waiters.answer();
    this.#runSoon();
  }
}
