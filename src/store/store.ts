import { rmSync } from 'node:fs';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import type { SandboxDefaults, SandboxesOptions } from '../sandbox/sandboxes-options.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Seed } from '../sandbox/seed.ts';
import { Keeper } from './keeper.ts';
import { locate, type Location } from './locations.ts';
import { hold, type Lock } from './lock.ts';
import type { Seeds } from './read-seed.ts';
import { filePort, memoryPort, type StatePort } from './state-port.ts';

export interface StoreOptions {
  /** A file or folder. Null stores everything in memory. */
  readonly data: string | null;
  /** The name of this server in the error of a second server that uses the same data. */
  readonly owner: string;
  readonly warn: (message: string) => void;
  readonly seeds: Seeds;
}

/** The sandboxes of a server and their files. */
export class Store {
  readonly sandboxes: Sandboxes;
  readonly #location: Location | null;
  readonly #lock: Lock | null;
  readonly #ports = new Map<string, StatePort>();
  readonly #keepers = new Map<string, Keeper>();
  /**
   * Deletions of files in progress. A new sandbox with the same id must not be written before its
   * predecessor's file is deleted.
   */
  readonly #deletions = new Map<string, Promise<void>>();
  readonly #warn: (message: string) => void;
  #writes = 0;

  private constructor(
    location: Location | null,
    lock: Lock | null,
    warn: StoreOptions['warn'],
    defaults: SandboxDefaults,
    options: SandboxesOptions,
  ) {
    this.#location = location;
    this.#lock = lock;
    this.#warn = warn;
    this.sandboxes = new Sandboxes(defaults, {
      ...options,
      onCreate: (sandbox) => this.#keep(sandbox),
      onRemove: (sandbox) => this.#forget(sandbox),
    });
  }

  /** Locks the data and loads the sandboxes in it. Rejects with SandboxError if another server uses it. */
  static async open(
    { data, owner, warn, seeds }: StoreOptions,
    defaults: SandboxDefaults,
    options: SandboxesOptions,
  ): Promise<Store> {
    const location = data === null ? null : locate(data);
    const lock = location === null ? null : await hold(location.lock, location.name, owner);
    try {
      const store = new Store(location, lock, warn, defaults, options);
      if (location !== null)
        for (const id of location.sandboxIds()) await store.#load(location, id, defaults.seed, seeds);
      return store;
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** The number of states written since the start. */
  get writes(): number {
    return this.#writes;
  }

  /** Writes all pending changes and unlocks the data. Rejects if a write fails. */
  async close(): Promise<void> {
    this.sandboxes.close();
    try {
      await Promise.all([
        ...[...this.#keepers.values()].map((keeper) => keeper.flush()),
        ...this.#deletions.values(),
      ]);
    } finally {
      await Promise.all([...this.#keepers.values()].map((keeper) => keeper.discard()));
      await this.#lock?.release();
    }
  }

  #keep(sandbox: Sandbox): void {
    const onError = (error: unknown): void =>
      this.#warn(
        `The state of sandbox "${sandbox.id}" could not be written. The next change tries again: ${String(error)}`,
      );
    const onWritten = (): void => void (this.#writes += 1);
    this.#keepers.set(
      sandbox.id,
      new Keeper(sandbox, this.#port(sandbox.id), {
        onError,
        onWritten,
        startAfter: this.#deletions.get(sandbox.id),
      }),
    );
  }

  /** Deletes the file of a removed sandbox, so that the next start does not load it. */
  #forget({ id }: Sandbox): void {
    const deletion = this.#deleteFile(id, this.#keepers.get(id), this.#deletions.get(id));
    this.#deletions.set(id, deletion);
    this.#keepers.delete(id);
    this.#ports.delete(id);
  }

  /** Deletions of one id run one after another, so that none deletes the file of a later sandbox. */
  async #deleteFile(
    id: string,
    keeper: Keeper | undefined,
    before: Promise<void> | undefined,
  ): Promise<void> {
    // Before the first await, so that the keeper stops writing immediately.
    const discarded = keeper?.discard();
    await before;
    await discarded;
    const file = this.#location?.fileOf(id);
    if (file !== undefined) rmSync(file, { force: true });
  }

  #port(id: string): StatePort {
    const known =
      this.#ports.get(id) ?? (this.#location === null ? memoryPort() : filePort(this.#location.fileOf(id)));
    this.#ports.set(id, known);
    return known;
  }

  async #load(location: Location, id: string, seed: Seed, seeds: Seeds): Promise<void> {
    const { loadSaved } = await import('./load-saved.ts');
    const loaded = await loadSaved(location.fileOf(id), this.#port(id), seeds);
    if (loaded === null) return;
    if ('movedAside' in loaded) return this.#warn(loaded.movedAside);
    if (loaded.warning !== null) this.#warn(loaded.warning);
    const { state } = loaded;
    if (state.seed.name !== seed.name)
      this.#warn(
        `Sandbox "${id}" keeps its seed "${state.seed.name}"; "${seed.name}" applies only to new sandboxes.`,
      );
    (this.sandboxes.get(id) ?? this.sandboxes.create({ id, origin: 'file' })).load(state);
  }
}
