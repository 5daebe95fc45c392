import { CapacityError, SandboxError } from '../base/errors.ts';
import { after, pauseFor } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import type { OpenShelf, SandboxDefaults, SandboxesOptions } from '../sandbox/sandboxes-options.ts';
import { FileShelf } from '../store/file-shelf.ts';
import type { LoadParts } from '../store/restored.ts';
import { announceSeed } from '../store/announce-seed.ts';
import { tooSmall } from '../store/unloadable.ts';
import { Batches } from './batches.ts';
import { JournalProgress, Journals } from './journals.ts';
import { metricsOf, type LedgerMetrics } from './ledger-metrics.ts';
import { loadStored, type StoredSandbox } from './load-stored.ts';
import { SandboxLedger } from './sandbox-ledger.ts';
import { connectTo } from './connect-to.ts';
import type { Session } from './session.ts';
import { SharedShelf } from './shared-shelf.ts';
import { others } from './statements.ts';
import { StoredSandboxes, type Replica } from './stored-sandboxes.ts';
import { takeSandbox } from './take-sandbox.ts';
import { maxWaitMs } from './waiters.ts';

interface LedgerStoreOptions extends Omit<LoadParts, 'seed'> {
  /** The URL of the database. */
  readonly data: string;
  /** The name of this server in the error of a second server that uses the same data. */
  readonly owner: string;
  /** The URL at which others reach this replica; null for a server that shares its sandboxes with none. */
  readonly address: string | null;
  readonly idleReleaseSeconds: number | null;
  readonly warn: (message: string) => void;
}

/** The session of a server that was killed may end a moment later, in milliseconds. A call waits less than the start. */
const maxTakingMs = 5000;

/** After the start, in milliseconds. */
const expiringLoadedAfterMs = 1000;

/** The sandboxes of a server that stores them in PostgreSQL. */
export class LedgerStore {
  readonly sandboxes: Sandboxes;
  readonly metrics: LedgerMetrics;
  readonly #options: LedgerStoreOptions;
  readonly #defaults: SandboxDefaults;
  readonly #batches: Batches;
  readonly #stored: StoredSandboxes;
  readonly #journals: Journals;
  readonly #ledgers = new Map<string, SandboxLedger>();
  /** Those that left memory, until their last facts are stored. */
  readonly #leaving = new Map<string, SandboxLedger>();
  readonly #shelf: OpenShelf;
  readonly #shared: SharedShelf | null;
  readonly #namedSeeds = new Set<string>();
  /** The stored sandbox that is being created. */
  #loading: StoredSandbox | null;
  #isClosed = false;

  private constructor(
    session: Session,
    options: LedgerStoreOptions,
    defaults: SandboxDefaults,
    { first, ...sandboxesOptions }: SandboxesOptions & { readonly first: StoredSandbox | null },
  ) {
    this.#options = options;
    this.#defaults = defaults;
    const { data: url, owner, address, warn } = options;
    const facts = { owner, address };
    this.#batches = new Batches(session, { url, facts, warn, onLost: (ledger) => this.#lost(ledger) });
    this.#stored = new StoredSandboxes(this.#batches, { ...options, seed: defaults.seed });
    const rows = {
      read: (id: string) => this.#load(id),
      release: (sandbox: Sandbox) => this.#release(sandbox),
      whenFree: (id: string) => this.#batches.stored(this.#leaving.get(id)),
      losses: () => 0,
      discard: (id: string) => this.#stored.discard(id),
      page: this.#stored.page,
    };
    this.#shared = address === null ? null : new SharedShelf(rows);
    this.#shelf = this.#shared ?? new FileShelf(rows);
    this.#journals = new Journals(() => this.#batches.current);
    this.metrics = metricsOf(this.#batches, this.#journals, address !== null);
    this.#loading = first;
    this.sandboxes = new Sandboxes(defaults, {
      ...sandboxesOptions,
      ...(first === null ? {} : { defaultPlan: { ...first.plan, origin: 'server' } }),
      servesDefault: address === null,
      shelf: this.#shelf,
      onCreate: (sandbox) => this.#keep(sandbox),
      onRemove: (sandbox) => this.#forget(sandbox),
    });
    // Sandboxes that nobody uses must not keep others from changing.
    if (defaults.stateMemory !== undefined) defaults.stateMemory.free = () => this.sandboxes.release();
  }

  /** Connects, and takes the default sandbox. Rejects with SandboxError if another server has it. */
  static async open(
    options: LedgerStoreOptions,
    defaults: SandboxDefaults,
    sandboxesOptions: SandboxesOptions,
  ): Promise<LedgerStore> {
    const session = await connectTo(options);
    let store: LedgerStore | null = null;
    const isAlone = options.address === null;
    try {
      const row = isAlone ? await takeSandbox('default', session, maxTakingMs) : null;
      const parts = { ...options, seed: defaults.seed };
      const first = row === null ? null : await loadStored('default', row, session, parts);
      store = new LedgerStore(session, options, defaults, { first, ...sandboxesOptions });
      if (first !== null) store.#announce('default', first);
      if (isAlone) await store.#begin(session);
      else store.#stored.leaveMemory(store.sandboxes, options.idleReleaseSeconds);
      return store;
    } catch (error) {
      if (store === null) session.end();
      else store.#abandon();
      throw error;
    }
  }

  #abandon(): void {
    this.#stored.close();
    this.sandboxes.close();
    this.#journals.close();
    this.#batches.end();
  }

  async #begin(session: Session): Promise<void> {
    const rows = await others(session);
    for (const { id } of rows) this.#shelf.add(id);
    const isStored = await this.#batches.stored(this.#ledgers.get('default'));
    if (!isStored) throw new SandboxError('Another server has just begun to use this --data.');
    const expiring = rows.filter(({ expires }) => expires).map(({ id }) => id);
    after(expiringLoadedAfterMs, () => void this.#loadAll(expiring));
  }

  /** Loads sandboxes that can expire, one after another, so that they do. */
  async #loadAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#isClosed) return;
      await this.#shelf.load(id)?.catch(() => {});
    }
  }

  /** Loads a sandbox. If there is no memory for it, others leave memory. */
  async #load(id: string): Promise<void> {
    if (!(await this.#batches.stored(this.#leaving.get(id)))) throw new StorageError('It is not stored yet.');
    const loaded = await this.#stored.take(id);
    if (this.#isClosed) throw new StorageError('The server has stopped.');
    this.#shelf.delete(id);
    if (loaded === null) return;
    while (!this.#restore(id, loaded));
    this.#announce(id, loaded);
  }

  /** Creates a stored sandbox again. Returns false if another one had to make room. */
  #restore(id: string, loaded: StoredSandbox): boolean {
    this.#loading = loaded;
    try {
      this.sandboxes.restore({ id, ...loaded.plan });
      return true;
    } catch (error) {
      this.#loading = null;
      if (error instanceof CapacityError && this.sandboxes.release()) return false;
      this.#shelf.add(id);
      throw tooSmall(error);
    }
  }

  #announce(id: string, { plan, warnings }: StoredSandbox): void {
    const { warn } = this.#options;
    for (const warning of warnings) warn(warning);
    announceSeed(id, plan.seed, this.#defaults.seed, { warn, namedSeeds: this.#namedSeeds });
  }

  #keep(sandbox: Sandbox): void {
    const loaded = this.#loading;
    this.#loading = null;
    loaded?.complete(sandbox);
    if (loaded !== null) sandbox.journal.fill(loaded.journal.entries, loaded.journal.evicted);
    this.#journals.add(new JournalProgress(sandbox, loaded?.journal.rows));
    this.#leaving.delete(sandbox.id);
    this.#ledgers.set(sandbox.id, new SandboxLedger(sandbox, this.#batches, loaded?.position ?? null));
  }

  #forget({ id }: Sandbox): void {
    const ledger = this.#ledgers.get(id);
    if (ledger?.lost === null) ledger.delete();
    this.#ledgers.delete(id);
    this.#journals.forget(id);
  }

  /** Stops storing a sandbox that can be loaded again. Returns false if it has to stay in memory. */
  #release({ id }: Sandbox): boolean {
    const ledger = this.#ledgers.get(id);
    // Its calls would be missing where it is next.
    if (!this.#journals.isComplete(id)) {
      void this.#journals.flush();
      return false;
    }
    if (ledger?.release() !== true) return false;
    this.#journals.forget(id);
    this.#ledgers.delete(id);
    this.#leaving.set(id, ledger);
    this.#batches.whenStored(ledger, (isStored) => {
      if (isStored && this.#leaving.get(id) === ledger) this.#leaving.delete(id);
    });
    return true;
  }

  /** What is in memory may differ from the database: the next call loads the sandbox, if this server may. */
  #lost({ sandbox, lost }: SandboxLedger): void {
    this.#options.warn(`The sandbox "${sandbox.id}" leaves this server: ${lost ?? ''}.`);
    // Each part of the server has the default sandbox. Until a restart, its calls are refused.
    if (sandbox === this.sandboxes.default || this.sandboxes.get(sandbox.id) !== sandbox) return;
    this.sandboxes.remove(sandbox);
    this.#shelf.add(sandbox.id);
  }

  /** What replicas need of each other; null for a server that shares its sandboxes with none. */
  get replica(): Replica | null {
    return this.#shared && this.#stored.replicaWith(this.#shared);
  }

  get writes(): number {
    return this.#batches.writes;
  }

  get failures(): number {
    return this.#batches.failures;
  }

  /** Null even if nothing can be stored: a load balancer must not remove all replicas of a database at once. */
  readonly failure = null;

  /** Stores the last facts, and gives all sandboxes away. Rejects if that fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stored.close();
    this.sandboxes.close();
    await Promise.race([this.#journals.flush(), pauseFor(maxWaitMs)]);
    this.#journals.close();
    for (const ledger of this.#ledgers.values()) if (ledger.lost === null) ledger.give();
    await this.#batches.close();
  }
}
