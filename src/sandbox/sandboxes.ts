import { defaultLimits, type ServerLimits } from '../base/server-limits.ts';
import { parseKey, shortened, type ParsedKey } from './keys.ts';
import { after, stopwatch } from './clock.ts';
import { CapacityError } from '../base/errors.ts';
import { isExpendable } from './expendable.ts';
import { Slices } from './slices.ts';
import { MemoryQueue } from './memory-queue.ts';
import { defaultMemoryBytes } from '../base/amounts.ts';
import { InFlight } from './in-flight.ts';
import { roomIn, type StateRoom } from './state-memory.ts';
import { Sandbox, type School } from './sandbox.ts';
import { BoundedMap } from '../base/bounded-map.ts';
import {
  type SandboxDefaults,
  type SandboxRequest,
  type SandboxesOptions,
  defaultMaxSandboxes,
} from './sandboxes-options.ts';

/** The sandbox and school of a call. The school is null if the key is invalid. */
export interface Caller {
  readonly sandbox: Sandbox;
  readonly school: School | null;
  /** The shortened key. Null if the call has none. */
  readonly shownKey: string | null;
  /** Why the key could not create a sandbox, if there are too many. */
  readonly full?: string;
}

/** Below the maximum delay of a timer, which is 2³¹ ms. */
const maxTimerMs = 86_400_000;

/** The maximum number of callers cached by key; more than any client needs. */
const maxCachedCallers = 10_000;

/** The sandboxes of one server, found by key. */
export class Sandboxes {
  readonly default: Sandbox;
  /** The limits of the server, as opposed to those of the platform. */
  readonly caps: ServerLimits;
  /** Shares the event loop between the long work of all clients. */
  readonly slices = new Slices();
  /** Reports that are being created; each takes up several times the memory of its journal. */
  readonly reports = new MemoryQueue(defaultMemoryBytes(256));
  /** Bytes in large replies that are being built or sent. */
  readonly largeReplies: InFlight;
  /** Bytes in large bodies that are being received. */
  readonly largeBodies: InFlight;
  /** Bytes of memory in waiting calls. */
  readonly waitingCalls: InFlight;
  readonly #defaults: SandboxDefaults;
  readonly #autoCreate: boolean;
  readonly #maxSandboxes: number;
  readonly #idleSeconds: number | null;
  readonly #onCreate: (sandbox: Sandbox) => void;
  readonly #onRemove: (sandbox: Sandbox) => void;
  readonly #byId = new Map<string, Sandbox>();
  /** Removed sandboxes with requests in progress. */
  readonly #removed = new Set<Sandbox>();
  #isStopping = false;
  /** The timers of sandboxes that can expire. */
  readonly #expiries = new Map<Sandbox, { cancel(): void }>();
  readonly #callers = new BoundedMap<string, Caller & { readonly school: School }>(maxCachedCallers);

  constructor(
    defaults: SandboxDefaults,
    {
      autoCreate = true,
      maxSandboxes = defaultMaxSandboxes,
      idleSeconds = null,
      onCreate = () => {},
      onRemove = () => {},
    }: SandboxesOptions = {},
  ) {
    this.#defaults = defaults;
    this.caps = defaults.caps ?? defaultLimits;
    this.largeReplies = new InFlight(Math.min(this.caps.repliesInFlightBytes, defaultMemoryBytes(256)));
    this.largeBodies = new InFlight(this.caps.bodiesInFlightBytes);
    this.waitingCalls = new InFlight(Math.min(this.caps.waitingCallsBytes, defaultMemoryBytes(256)));
    this.#autoCreate = autoCreate;
    this.#maxSandboxes = maxSandboxes;
    this.#idleSeconds = idleSeconds;
    this.#onCreate = onCreate;
    this.#onRemove = onRemove;
    this.default = this.create({ id: 'default', origin: 'server' });
  }

  get all(): Iterable<Sandbox> {
    return this.#byId.values();
  }

  get count(): number {
    return this.#byId.size;
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /**
   * Reserves memory for a new sandbox, until the room is closed. Throws CapacityError if there is none, or no
   * room for a sandbox.
   */
  reserve(bytes: number): StateRoom {
    if (this.#byId.size >= this.#maxSandboxes && this.#idlest() === null)
      throw new CapacityError(this.#fullMessage);
    const room = roomIn(this.#defaults.stateMemory, this.caps);
    room.take(bytes);
    return room;
  }

  /** Throws CapacityError if the maximum is reached and no sandbox is expendable. */
  create(request: SandboxRequest): Sandbox {
    if (!this.#makeRoom()) throw new CapacityError(this.#fullMessage);
    const sandbox = new Sandbox({ ...this.#defaults, ...request });
    this.#byId.set(sandbox.id, sandbox);
    this.#onCreate(sandbox);
    if (this.#isStopping) sandbox.stopWaiting();
    if (sandbox.ttlSeconds !== null) this.#expireWhenIdle(sandbox, sandbox.ttlSeconds * 1000);
    return sandbox;
  }

  /**
   * If the maximum is reached, removes the expendable sandbox that was unused for longest. Returns false if
   * there is none.
   */
  #makeRoom(): boolean {
    if (this.#byId.size < this.#maxSandboxes) return true;
    const idlest = this.#idlest();
    if (idlest !== null) this.remove(idlest);
    return idlest !== null;
  }

  /** Returns the expendable sandbox that was unused for longest. */
  #idlest(): Sandbox | null {
    let idlest: Sandbox | null = null;
    for (const sandbox of this.#byId.values()) {
      if ((idlest === null || sandbox.lastUsed < idlest.lastUsed) && isExpendable(sandbox, this.#defaults))
        idlest = sandbox;
    }
    return idlest;
  }

  get #fullMessage(): string {
    return `There are ${this.#byId.size} sandboxes, which is the maximum. Delete one, or start the server with a higher --max-sandboxes.`;
  }

  /** Removes a sandbox. Its calls in progress are still answered. */
  remove(sandbox: Sandbox): void {
    if (this.#byId.get(sandbox.id) !== sandbox) return;
    this.#byId.delete(sandbox.id);
    this.#expiries.get(sandbox)?.cancel();
    this.#expiries.delete(sandbox);
    for (const [key, caller] of this.#callers.entries())
      if (caller.sandbox === sandbox) this.#callers.delete(key);
    sandbox.end();
    if (sandbox.requestsInFlight > 0) {
      this.#removed.add(sandbox);
      sandbox.onIdle = () => this.#removed.delete(sandbox);
    }
    this.#onRemove(sandbox);
  }

  /** Ends all waits and journal listeners in all sandboxes, because the server stops. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const sandbox of [...this.#byId.values(), ...this.#removed]) sandbox.stopWaiting();
  }

  /** Stops deleting idle sandboxes. */
  close(): void {
    for (const expiry of this.#expiries.values()) expiry.cancel();
    this.#expiries.clear();
  }

  #expireWhenIdle(sandbox: Sandbox, ttl: number): void {
    if (sandbox.requestsInFlight > 0) sandbox.touch();
    const left = ttl - (stopwatch() - sandbox.lastUsed);
    if (left <= 0) this.remove(sandbox);
    else
      this.#expiries.set(
        sandbox,
        after(Math.min(left, maxTimerMs), () => this.#expireWhenIdle(sandbox, ttl)),
      );
  }

  /**
   * Returns the sandbox and school of a key. For an invalid key, returns the sandbox whose journal gets the
   * refusal.
   */
  identify(key: string | undefined): Caller {
    const known = key === undefined ? undefined : this.#callers.get(key);
    if (
      known !== undefined &&
      known.sandbox.state.collection('schools').get(known.school.id) === known.school
    )
      return known;
    if (key === undefined) return { sandbox: this.default, school: null, shownKey: null };
    const shownKey = shortened(key);
    const parsed = parseKey(key);
    if (parsed === null) return { sandbox: this.default, school: null, shownKey };
    const sandbox = this.#byId.get(parsed.sandboxId) ?? this.#createFor(parsed);
    if (sandbox === 'full') return { sandbox: this.default, school: null, shownKey, full: this.#fullMessage };
    const school = sandbox === undefined ? undefined : schoolOf(sandbox.school(parsed.slug), parsed);
    if (sandbox === undefined || school === undefined)
      return { sandbox: sandbox ?? this.default, school: null, shownKey };
    const caller = { sandbox, school, shownKey };
    this.#callers.set(key, caller);
    return caller;
  }

  /** Creates the sandbox of a key if the seed has its school. */
  #createFor(key: ParsedKey): Sandbox | 'full' | undefined {
    const school = schoolOf(this.#defaults.seed.collections.schools.index('slug').get(key.slug)[0], key);
    if (!this.#autoCreate || school === undefined) return undefined;
    return this.#makeRoom()
      ? this.create({ id: key.sandboxId, origin: 'key', ttlSeconds: this.#idleSeconds })
      : 'full';
  }
}

function schoolOf(school: School | undefined, { label }: ParsedKey): School | undefined {
  return label === null || school?.keyLabels?.includes(label) === true ? school : undefined;
}
