import { existsSync, rmSync } from 'node:fs';
import { CapacityError, ConflictError } from '../base/errors.ts';
import type { CheckSource } from '../contract/parameter-checks.ts';
import { after } from '../sandbox/clock.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import type { SandboxDefaults, SandboxesOptions } from '../sandbox/sandboxes-options.ts';
import { FileShelf } from './file-shelf.ts';
import { Keeper } from './keeper.ts';
import { load } from './load.ts';
import type { Loaded } from './load-saved.ts';
import { locate, type Location, type SandboxFiles } from './locations.ts';
import { hold, type Lock } from './lock.ts';
import { fileAt, LogFiles, syncFolder, type DataSync } from './log-files.ts';
import { OpenLogs } from './open-logs.ts';
import { inspect, requireOwn } from './own-files.ts';
import type { Seeds } from './read-seed.ts';
import { deleteSource, StatePort } from './state-port.ts';

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

/** What a server has of its data. */
interface Opened {
  readonly location: Location | null;
  readonly lock: Lock | null;
  /** The files of the sandboxes. */
  readonly files: Map<string, SandboxFiles>;
}

/** After the start, in milliseconds. */
const expiringLoadedAfterMs = 1000;

/** The sandboxes of a server and their files. */
export class Store {
  readonly sandboxes: Sandboxes;
  readonly #location: Location | null;
  readonly #lock: Lock | null;
  readonly #options: StoreOptions;
  readonly #defaults: SandboxDefaults;
  readonly #logs = new OpenLogs();
  /** The files of the sandboxes that are not in memory. */
  readonly #files: Map<string, SandboxFiles>;
  readonly #keepers = new Map<string, Keeper>();
  readonly #shelf = new FileShelf(
    (id) => this.#load(id).catch((error: unknown) => this.#reportUnloaded(id, error)),
    (sandbox) => this.#release(sandbox),
  );
  #isClosed = false;
  /** The stored sandbox that is being created. */
  #loading: Loaded | null = null;
  #writes = 0;
  #failures = 0;

  private constructor(
    { location, lock, files }: Opened,
    options: StoreOptions,
    defaults: SandboxDefaults,
    { first, ...sandboxesOptions }: SandboxesOptions & { readonly first: Loaded | null },
  ) {
    this.#location = location;
    this.#lock = lock;
    this.#files = files;
    this.#options = options;
    this.#defaults = defaults;
    this.#loading = first;
    this.sandboxes = new Sandboxes(defaults, {
      ...sandboxesOptions,
      ...(first === null ? {} : { defaultPlan: first.plan }),
      shelf: this.#shelf,
      onCreate: (sandbox) => this.#keep(sandbox),
      onRemove: (sandbox) => this.#forget(sandbox),
    });
    // Sandboxes that nobody uses must not keep others from changing.
    if (defaults.stateMemory !== undefined) defaults.stateMemory.free = () => this.sandboxes.release();
  }

  /** Locks the data and loads the sandboxes in it. Rejects with SandboxError if another server uses it. */
  static async open(
    options: StoreOptions,
    defaults: SandboxDefaults,
    sandboxesOptions: SandboxesOptions,
  ): Promise<Store> {
    const location = options.data === null ? null : locate(options.data);
    const lock = location === null ? null : await hold(location.place, location.name, options.owner);
    try {
      if (location !== null && location.warning !== null) options.warn(location.warning);
      const files = location?.files() ?? new Map<string, SandboxFiles>();
      const first = await load('default', files.get('default'), options, defaults);
      const store = new Store({ location, lock, files }, options, defaults, { first, ...sandboxesOptions });
      await store.#begin();
      return store;
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** Loads the sandboxes that cannot wait until they are used. */
  async #begin(): Promise<void> {
    const expiring: string[] = [];
    for (const [id, files] of this.#files) {
      const stored = this.sandboxes.get(id) === undefined ? inspect(files) : null;
      if (stored === null) continue;
      this.#shelf.add(id);
      if (stored.isUrgent) await this.#load(id);
      else if (stored.canExpire) expiring.push(id);
    }
    // Files of the previous version have no log yet, and a log that is read at each start would grow.
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.finish()));
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
    if (!this.#isClosed) this.#options.warn(`The sandbox "${id}" cannot be loaded: ${String(error)}`);
    throw error;
  }

  /** Stops writing a sandbox that can be loaded again. Returns false if it has to stay in memory. */
  #release({ id }: Sandbox): boolean {
    const keeper = this.#keepers.get(id);
    if (keeper === undefined || keeper.failure !== null) return false;
    const { files } = keeper;
    if (inspect(files)?.isUrgent !== false) return false;
    this.#files.set(id, files);
    keeper.end();
    this.#keepers.delete(id);
    return true;
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
        this.#keepers.get(id)?.foldSoon();
        return;
      } catch (error) {
        this.#loading = null;
        this.#shelf.add(id);
        if (!(error instanceof CapacityError) || !this.sandboxes.release()) throw error;
      }
    }
  }

  /** The number of states written since the start. */
  get writes(): number {
    return this.#writes;
  }

  /** The number of failed attempts to store something since the start. */
  get failures(): number {
    return this.#failures;
  }

  /** Why a change could not be stored; null if all could. */
  get failure(): string | null {
    for (const { failure } of this.#keepers.values()) if (failure !== null) return failure;
    return null;
  }

  /** Writes all states and unlocks the data. Rejects if a write fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.sandboxes.close();
    const keepers = [...this.#keepers.values()];
    try {
      await Promise.all(keepers.map((keeper) => keeper.finish()));
    } finally {
      for (const keeper of keepers) keeper.end();
      await this.#lock?.release();
    }
  }

  #keep(sandbox: Sandbox): void {
    if (this.#location === null) return;
    const loaded = this.#loading;
    this.#loading = null;
    loaded?.complete(sandbox);
    const { dataSync, warn } = this.#options;
    const file = this.#location.fileOf(sandbox.id);
    const logs = loaded === null ? [] : (this.#files.get(sandbox.id)?.logs.filter(existsSync) ?? []);
    this.#files.delete(sandbox.id);
    requireOwn(sandbox.id, [file, fileAt(file, 1)]);
    if (loaded === null && inspect({ file, logs: [fileAt(file, 1)] }) !== null)
      throw new ConflictError(`There are already files of a sandbox "${sandbox.id}": ${file}.`);
    const keeper = new Keeper(
      sandbox,
      new StatePort(file, dataSync !== 'never'),
      new LogFiles(file, this.#logs, logs),
      {
        sync: dataSync,
        lastLine: loaded?.lastLine ?? 0,
        isFolded: loaded?.isFolded ?? true,
        onError: (error, isFirst) => {
          this.#failures += 1;
          if (isFirst)
            warn(
              `The state of sandbox "${sandbox.id}" cannot be stored, so changes are refused. The server tries again every second: ${String(error)}`,
            );
        },
        requireLock: () => this.#lock?.check(),
        onWritten: () => (this.#writes += 1),
      },
    );
    this.#keepers.set(sandbox.id, keeper);
  }

  /** Deletes the files of a removed sandbox, so that the next start does not load it. */
  #forget({ id }: Sandbox): void {
    const keeper = this.#keepers.get(id);
    if (keeper === undefined) return;
    const { file, logs } = keeper.files;
    try {
      // The state file first: without it, the rest of a log is no sandbox.
      for (const one of [file, ...logs]) rmSync(one, { force: true });
      deleteSource(file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StorageError(`The sandbox "${id}" could not be deleted: ${reason}`);
    }
    keeper.end();
    this.#keepers.delete(id);
    if (this.#options.dataSync === 'always') syncFolder(file);
  }
}
