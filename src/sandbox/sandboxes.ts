import { defaultLimits } from '../base/server-limits.ts';
import { parseKey, type ParsedKey } from './keys.ts';
import { BusyError, CapacityError, SandboxError } from '../base/errors.ts';
import { inNextTurn } from './clock.ts';
import { Expiries } from './expiries.ts';
import { Callers } from './callers.ts';
import { schoolOf, type Caller } from './known-callers.ts';
import { Expendables, holdOf, idlestAtRest } from './expendable.ts';
import { SharedMeans } from './shared-means.ts';
import { roomIn, type StateRoom } from './state-memory.ts';
import { SandboxQuotas, type Quotas } from './quotas.ts';
import { Sandbox } from './sandbox.ts';
import type { PageRequest, SandboxPage } from './sandbox-page.ts';
import { standIn } from './stand-in.ts';
import { summaryOf, type Summary } from './summary.ts';
import { defaultMaxSandboxes, noShelf } from './sandboxes-options.ts';
import type { SandboxDefaults, SandboxesOptions, SandboxRequest, Shelf } from './sandboxes-options.ts';

/** The sandboxes of one server, found by key. */
export class Sandboxes extends SharedMeans {
  readonly default: Sandbox;
  readonly #defaults: SandboxDefaults;
  readonly #autoCreate: boolean;
  readonly #maxSandboxes: number;
  readonly #idleSeconds: number | null;
  readonly #shelf: Shelf;
  readonly #onCreate: (sandbox: Sandbox) => void;
  readonly #onRemove: (sandbox: Sandbox) => void;
  readonly #byId = new Map<string, Sandbox>();
  /** Removed sandboxes with requests in progress. */
  readonly #removed = new Set<Sandbox>();
  /** Restored in this turn, not used yet by the requests that wait for them. */
  readonly #arriving = new Set<Sandbox>();
  #isStopping = false;
  readonly #expiries = new Expiries((sandbox) => this.remove(sandbox));
  readonly #callers = new Callers({
    fallback: () => this.default,
    get: (id) => this.#byId.get(id),
    createFor: (key) => this.#createFor(key),
  });
  readonly #expendables: Expendables;

  constructor(
    defaults: SandboxDefaults,
    {
      servesDefault = true,
      autoCreate = true,
      maxSandboxes = defaultMaxSandboxes,
      idleSeconds = null,
      shelf = noShelf,
      onCreate = () => {},
      onRemove = () => {},
      defaultPlan = { origin: 'server' },
    }: SandboxesOptions = {},
  ) {
    super(defaults.caps ?? defaultLimits);
    this.#defaults = defaults;
    this.#expendables = new Expendables(defaults);
    this.#autoCreate = autoCreate;
    this.#maxSandboxes = maxSandboxes;
    this.#idleSeconds = idleSeconds;
    this.#shelf = shelf;
    this.#onCreate = onCreate;
    this.#onRemove = onRemove;
    this.default = servesDefault
      ? this.create({ id: 'default', ...defaultPlan })
      : standIn({ ...defaults, ...defaultPlan, turns: this.slices.ownTurns });
  }

  get all(): Iterable<Sandbox> {
    return this.#byId.values();
  }

  /** The number of sandboxes, including those that are only stored. */
  get count(): number {
    return this.#byId.size + this.#shelf.count;
  }

  /** The memory of the records that differ from their seed, of snapshots and of generated seeds. */
  get stateBytes(): number {
    return this.#defaults.stateMemory?.usedBytes ?? 0;
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys(), ...this.#shelf.ids()];
  }

  has(id: string): boolean {
    return this.#byId.has(id) || this.#shelf.has(id);
  }

  /** Returns a sandbox in memory; see `load`. */
  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /** Returns what is known of a sandbox without loading it; null if nothing is. */
  summary(id: string): Summary | null {
    const sandbox = this.#byId.get(id);
    return sandbox === undefined ? this.#shelf.summary(id) : summaryOf(sandbox);
  }

  /** Lists the sandboxes that several servers share. Null if there are no others than `ids`. */
  storedPage(wanted: PageRequest): Promise<SandboxPage> | null {
    return this.#shelf.page?.(wanted) ?? null;
  }

  /** Loads a stored sandbox into memory. Null if there is nothing to load. Rejects with NotLoadedError. */
  load(id: string): Promise<void> | null {
    return this.#byId.has(id) ? null : this.#shelf.load(id);
  }

  /** Deletes a stored sandbox that cannot be loaded. Rejects with StorageError if it remains. */
  discard(id: string): Promise<void> {
    return this.#shelf.discard(id);
  }

  /** Loads the sandbox of a key, and keeps it in memory until the function is called that this resolves with. */
  loadFor(key: string | undefined): Promise<() => void> | null {
    if (key === undefined || this.#shelf.count === 0 || this.#callers.isKnown(key)) return null;
    const parsed = parseKey(key);
    const loading = parsed && this.load(parsed.sandboxId);
    return loading && loading.then(() => holdOf(this.#byId.get(parsed.sandboxId)));
  }

  /** Reserves memory for a new sandbox, until the room is closed. Throws CapacityError if there is none. */
  reserve(bytes: number, quotas: Quotas = {}): StateRoom {
    this.#inTheWay();
    const room = roomIn(this.#defaults.stateMemory, new SandboxQuotas(this.caps, quotas));
    room.take(bytes);
    return room;
  }

  /** Throws CapacityError if the maximum is reached and no sandbox is expendable. */
  create(request: SandboxRequest): Sandbox {
    if (this.#shelf.has(request.id)) throw new BusyError(`The sandbox "${request.id}" is not loaded yet.`);
    const { isShared } = this.#shelf;
    // Only the memory is limited, not the number in the database.
    if (isShared && this.#byId.size >= this.#maxSandboxes) this.release();
    const remove = (sandbox: Sandbox): void => this.remove(sandbox);
    this.#expendables.removeNext(() => this.#inTheWay(), remove);
    const { ttlSeconds = isShared ? this.#idleSeconds : null } = request;
    return this.#add({ ...request, ttlSeconds });
  }

  /** Creates a stored sandbox again. Throws CapacityError if there is no memory for it. */
  restore(request: SandboxRequest): void {
    if (this.#byId.size >= this.#maxSandboxes) this.release();
    const sandbox = this.#add(request);
    this.#arriving.add(sandbox);
    inNextTurn(() => this.#arriving.delete(sandbox));
  }

  /** Frees the memory of the stored sandbox that was unused for the longest time. Returns false if there is none. */
  release(): boolean {
    const stays = new Set([this.default, ...this.#arriving]);
    for (;;) {
      const found = idlestAtRest(this.#byId.values(), stays, this.#shelf.isShared);
      if (found === null) return false;
      if (this.putAway(found)) return true;
      stays.add(found);
    }
  }

  /** Frees the memory of a stored sandbox. Returns false if it must stay in memory. */
  putAway(sandbox: Sandbox): boolean {
    if (!this.#shelf.accept(sandbox)) return false;
    this.#drop(sandbox);
    return true;
  }

  /** Leaves a new sandbox to the server that its first request reaches, if several share their sandboxes. */
  async leaveToFirst(sandbox: Sandbox): Promise<void> {
    const mayLeave = this.#shelf.isShared && sandbox.requestsInFlight === 0;
    if (mayLeave && this.putAway(sandbox)) await this.#shelf.whenFree?.(sandbox.id);
  }

  #add(request: SandboxRequest): Sandbox {
    const sandbox = new Sandbox({ ...this.#defaults, ...request, turns: this.slices.ownTurns });
    try {
      this.#onCreate(sandbox);
    } catch (error) {
      sandbox.end();
      throw error;
    }
    this.#byId.set(sandbox.id, sandbox);
    if (this.#isStopping) sandbox.stopWaiting();
    this.#expiries.watch(sandbox);
    return sandbox;
  }

  /** Returns the sandbox to remove for a new one; null if there is room. Throws CapacityError if all must stay. */
  #inTheWay(): Sandbox | null {
    if (this.count < this.#maxSandboxes) return null;
    const expendable = this.#expendables.next(this.#byId);
    if (expendable !== null) return expendable;
    throw new CapacityError(
      `There are ${this.count} sandboxes, and the maximum is ${this.#maxSandboxes}. Delete one, or start the server with a higher --max-sandboxes.`,
    );
  }

  /** Removes a sandbox; its calls in progress are still answered. Throws StorageError if its files remain. */
  remove(sandbox: Sandbox): void {
    if (this.#byId.get(sandbox.id) !== sandbox) return;
    this.#onRemove(sandbox);
    this.#drop(sandbox);
    if (sandbox.requestsInFlight > 0) {
      this.#removed.add(sandbox);
      sandbox.onIdle = () => this.#removed.delete(sandbox);
    }
  }

  /** Removes a sandbox from memory. */
  #drop(sandbox: Sandbox): void {
    this.#byId.delete(sandbox.id);
    this.#expiries.forget(sandbox);
    this.#callers.forget(sandbox);
    sandbox.end();
  }

  /** Ends all waits and journal listeners in all sandboxes, because the server stops. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const sandbox of [...this.#byId.values(), ...this.#removed]) sandbox.stopWaiting();
  }

  close(): void {
    this.#expiries.close();
  }

  /** Returns the sandbox and school of a key; for an invalid one, the sandbox whose journal gets the refusal. */
  identify(key: string | undefined): Caller {
    return this.#callers.identify(key);
  }

  /** Creates the sandbox of a key if the seed has its school. Returns why it cannot be created. */
  #createFor(key: ParsedKey): Sandbox | string | undefined {
    const school = schoolOf(this.#defaults.seed.collections.schools.index('slug').get(key.slug)[0], key);
    if (!this.#autoCreate || school === undefined) return undefined;
    try {
      return this.create({ id: key.sandboxId, origin: 'key', ttlSeconds: this.#idleSeconds });
    } catch (error) {
      if (error instanceof SandboxError) return error.message;
      throw error;
    }
  }
}
