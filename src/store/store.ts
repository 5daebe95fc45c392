import { CapacityError } from '../base/errors.ts';
import type { CheckSource } from '../contract/parameter-checks.ts';
import { after } from '../sandbox/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import type { SandboxDefaults, SandboxesOptions } from '../sandbox/sandboxes-options.ts';
import { deleteFiles, finishDeletions, isBeingDeleted } from './delete-files.ts';
import { FileShelf } from './file-shelf.ts';
import { Keepers } from './keepers.ts';
import { hasAny, load, requireAny } from './load.ts';
import type { Loaded } from './restored.ts';
import type { Location, SandboxFiles } from './locations.ts';
import type { Lock } from './lock.ts';
import { inMemory, occupied, type Opened } from './occupied.ts';
import type { DataSync } from './data-sync.ts';
import { inspect } from './own-files.ts';
import type { Seeds } from './read-seed.ts';
import { tooSmall, unloadable } from './unloadable.ts';
import { isOfSystem, unusableData } from './unusable-data.ts';

export interface StoreOptions {
  /** A file or folder. Null stores everything in memory. */
  readonly data: string | null;
  readonly dataSync: DataSync;
  /** The name of this server in the error of a second server that uses the same data. */
  readonly owner: string;
  readonly warn: (message: string) => void;
  readonly seeds: Seeds;
  readonly checkSource: CheckSource;
}

type LoadingOptions = StoreOptions & { readonly namedSeeds: Set<string> };

/** After the start, in milliseconds. */
const expiringLoadedAfterMs = 1000;

/** The sandboxes of a server and their files. */
export class Store {
  readonly sandboxes: Sandboxes;
  readonly #lock: Lock | null;
  readonly #location: Location | null;
  readonly #options: LoadingOptions;
  readonly #defaults: SandboxDefaults;
  /** The files of the sandboxes that are not in memory. */
  readonly #files: Map<string, SandboxFiles>;
  /** Null if everything stays in memory. */
  readonly #keepers: Keepers | null;
  readonly #shelf = new FileShelf({
    read: (id) => this.#loadLater(id).catch((error: unknown) => this.#reportUnloaded(id, error)),
    release: (sandbox) => this.#release(sandbox),
    losses: () => this.#lock?.losses ?? 0,
    discard: (id) => this.#discard(id),
  });
  /** Those whose files could not be loaded: somebody may have put a missing one back. */
  readonly #unloaded = new Set<string>();
  #isClosed = false;
  /** The stored sandbox that is being created. */
  #loading: Loaded | null = null;

  private constructor(
    { location, lock, files }: Opened,
    options: LoadingOptions,
    defaults: SandboxDefaults,
    { first, ...sandboxesOptions }: SandboxesOptions & { readonly first: Loaded | null },
  ) {
    this.#lock = lock;
    this.#location = location;
    this.#files = files;
    this.#options = options;
    this.#keepers = location === null ? null : new Keepers({ ...options, location, lock });
    this.#defaults = defaults;
    this.#loading = first;
    this.sandboxes = new Sandboxes(defaults, {
      ...sandboxesOptions,
      ...(first === null ? {} : { defaultPlan: first.plan }),
      shelf: this.#shelf,
      onCreate: (sandbox) => this.#keep(sandbox),
      onRemove: (sandbox) => this.#keepers?.forget(sandbox),
    });
    // Sandboxes that nobody uses must not keep others from changing.
    if (defaults.stateMemory !== undefined) defaults.stateMemory.free = () => this.sandboxes.release();
  }

  /** Locks the data and loads the sandboxes in it. Rejects with SandboxError if another server uses it. */
  static async open(
    given: StoreOptions,
    defaults: SandboxDefaults,
    sandboxesOptions: SandboxesOptions,
  ): Promise<Store> {
    const options = { ...given, namedSeeds: new Set<string>() };
    const { location, lock } = options.data === null ? inMemory : await occupied(options.data, options.owner);
    let files = new Map<string, SandboxFiles>();
    try {
      if (location !== null && location.warning !== null) options.warn(location.warning);
      location?.clean();
      if (location !== null) finishDeletions(location.files(), options);
      files = location?.files() ?? files;
      const first = await load('default', files.get('default'), options, defaults);
      const store = new Store({ location, lock, files }, options, defaults, { first, ...sandboxesOptions });
      await store.#begin();
      return store;
    } catch (error) {
      await lock?.release();
      if (options.data === null) throw error;
      throw isOfSystem(error) ? unusableData(options.data, error) : unloadable(error, files.size > 0);
    }
  }

  /** Loads the sandboxes that cannot wait until they are used. */
  async #begin(): Promise<void> {
    const expiring: string[] = [];
    for (const [id, files] of this.#files) {
      const isWanted = this.sandboxes.get(id) === undefined && !isBeingDeleted(files);
      const stored = isWanted ? inspect(files) : null;
      if (stored === null) continue;
      this.#shelf.add(id);
      if (stored.isUrgent) await this.#load(id);
      else if (stored.canExpire) expiring.push(id);
    }
    await this.#keepers?.start();
    after(expiringLoadedAfterMs, () => void this.#loadAll(expiring));
  }

  /** Loads sandboxes that can expire, one after another, so that they do. */
  async #loadAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#isClosed) return;
      await this.#shelf.load(id)?.catch(() => {});
    }
  }

  #reportUnloaded(id: string, error: unknown): never {
    this.#unloaded.add(id);
    if (!this.#isClosed) this.#options.warn(`The sandbox "${id}" cannot be loaded: ${String(error)}`);
    throw error;
  }

  /** Stops writing a sandbox that can be loaded again. Returns false if it has to stay in memory. */
  #release(sandbox: Sandbox): boolean {
    const files = this.#keepers?.release(sandbox) ?? null;
    if (files !== null) this.#files.set(sandbox.id, files);
    return files !== null;
  }

  /** Loads a sandbox after the start. */
  async #loadLater(id: string): Promise<void> {
    this.#requireLock(id);
    requireAny(this.#files.get(id));
    await this.#load(id);
  }

  /** Throws an error if another server has the lock. Looks for the files of a sandbox again if they may be others. */
  #requireLock(id: string): void {
    this.#lock?.check(true);
    const wasLost = (this.#lock?.losses ?? 0) > 0;
    if (!this.#unloaded.delete(id) && !wasLost) return;
    const found = this.#location?.files().get(id);
    if (found !== undefined) this.#files.set(id, found);
    else if (wasLost) this.#files.delete(id); // Otherwise, they are missing only for a moment.
  }

  /** Loads a stored sandbox. If there is no memory for it, others leave memory. */
  async #load(id: string): Promise<void> {
    for (;;) {
      const loaded = await load(id, this.#files.get(id), this.#options, this.#defaults);
      if (this.#isClosed) throw new Error('The server has stopped.');
      this.#shelf.delete(id);
      if (loaded === null) return void this.#files.delete(id);
      this.#loading = loaded;
      try {
        this.sandboxes.restore({ id, ...loaded.plan });
        this.#keepers?.settle(id);
        return;
      } catch (error) {
        this.#loading = null;
        this.#shelf.add(id);
        if (!(error instanceof CapacityError) || !this.sandboxes.release()) throw tooSmall(error);
      }
    }
  }

  /** The number of states written since the start. */
  get writes(): number {
    return this.#keepers?.writes ?? 0;
  }

  /** The number of failed attempts to store something since the start. */
  get failures(): number {
    return this.#keepers?.failures ?? 0;
  }

  /** Why a change could not be stored; null if all could. */
  get failure(): string | null {
    return this.#keepers?.failure ?? null;
  }

  /** Writes all states and unlocks the data. Rejects if a write fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.sandboxes.close();
    try {
      await this.#lock?.settle();
      await this.#keepers?.close();
    } finally {
      await this.#lock?.release();
    }
  }

  #keep(sandbox: Sandbox): void {
    const loaded = this.#loading;
    this.#loading = null;
    loaded?.complete(sandbox);
    this.#keepers?.keep(sandbox, loaded, this.#files.get(sandbox.id));
    this.#files.delete(sandbox.id);
  }

  /** Deletes a sandbox that cannot be loaded. */
  #discard(id: string): void {
    const known = this.#files.get(id);
    const options = { ...this.#options, lock: this.#lock };
    if (known !== undefined) deleteFiles(id, options, () => this.#deletable(id, known));
    this.#files.delete(id);
  }

  #deletable(id: string, known: SandboxFiles): SandboxFiles {
    this.#requireLock(id);
    const files = this.#files.get(id) ?? known;
    // Without it, they are only missing for a moment.
    if (!hasAny(files)) this.#location?.requireFolder();
    return files;
  }
}
