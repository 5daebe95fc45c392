import { assumptionNames, type Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Scenario } from '../faults/scenario.ts';
import { standardLimits, type ServerLimits } from '../base/server-limits.ts';
import { parseKey, shortened, type ParsedKey } from './keys.ts';
import type { Authors } from './made-up.ts';
import { after, stopwatch } from './clock.ts';
import { CapacityError } from '../base/errors.ts';
import { Slices } from './slices.ts';
import { MemoryQueue } from './memory-queue.ts';
import { standardMemory } from '../base/amounts.ts';
import { InFlight } from './in-flight.ts';
import type { JournalMemory } from './journal-memory.ts';
import { Sandbox, type SandboxPlan, type School } from './sandbox.ts';
import type { Seed } from './seed.ts';
import type { ViewMemory } from './view-memory.ts';

/** Whose a call is. The school is null where the key names none. */
export interface Caller {
  readonly sandbox: Sandbox;
  readonly school: School | null;
  /** The key as it may be shown and kept; null where none came. */
  readonly shownKey: string | null;
  /** Why the key could not open a sandbox of its own, where there are too many; else absent. */
  readonly full?: string;
}

/** Timers go no further than 2³¹ milliseconds. */
const longestTimer = 86_400_000;

/** What a sandbox is made from when nobody says otherwise. */
export interface SandboxDefaults {
  readonly seed: Seed;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly randomSeed: number;
  readonly limitScale: number | null;
  readonly scenario: Scenario | null;
  readonly labels: boolean;
  readonly authors?: Authors;
  readonly caps?: ServerLimits;
  readonly journalMemory?: JournalMemory;
  readonly stateMemory?: InFlight;
  readonly viewMemory?: ViewMemory;
}

export type SandboxRequest = Pick<SandboxPlan, 'id' | 'origin' | 'clock' | 'ttlSeconds'> & Partial<SandboxDefaults>;

/** Callers kept by their key; more than any honest client needs. */
const keptCallers = 10_000;

export interface SandboxesOptions {
  /** Whether a key of a sandbox that is not there yet makes it. */
  readonly autoCreate?: boolean;
  /** How many there may be at once. */
  readonly most?: number;
  /** After how many seconds of real time in which nobody used it a sandbox goes that a key has opened; null for never. */
  readonly idleSeconds?: number | null;
  readonly onCreate?: (sandbox: Sandbox) => void;
  readonly onRemove?: (sandbox: Sandbox) => void;
}

/** How many sandboxes a server has at most where nobody says otherwise. */
export const usualMost = 5000;

/** The sandboxes of one server, found by key. */
export class Sandboxes {
  readonly default: Sandbox;
  /** The limits of the server, which are none of the platform. */
  readonly caps: ServerLimits;
  /** Divides the long work of all clients. */
  readonly slices = new Slices();
  /** Reports that are being created; each takes up several times the memory of its journal. */
  readonly reports = new MemoryQueue(standardMemory(256));
  /** Bytes in large replies that are being built or sent. */
  readonly largeReplies: InFlight;
  /** Bytes in large bodies that are being received. */
  readonly largeBodies: InFlight;
  /** Bytes that calls take up while they wait. */
  readonly waitingCalls: InFlight;
  readonly #defaults: SandboxDefaults;
  readonly #autoCreate: boolean;
  readonly #most: number;
  readonly #idleSeconds: number | null;
  readonly #onCreate: (sandbox: Sandbox) => void;
  readonly #onRemove: (sandbox: Sandbox) => void;
  readonly #byId = new Map<string, Sandbox>();
  /** Removed ones that still answer calls, or did when the last one was removed. */
  readonly #departed = new Set<Sandbox>();
  #isStopping = false;
  /** What ends the wait for a sandbox to expire. */
  readonly #expiries = new Map<Sandbox, { cancel(): void }>();
  readonly #callers = new Map<string, Caller & { readonly school: School }>();

  constructor(
    defaults: SandboxDefaults,
    { autoCreate = true, most = usualMost, idleSeconds = null, onCreate = () => {}, onRemove = () => {} }: SandboxesOptions = {},
  ) {
    this.#defaults = defaults;
    this.caps = defaults.caps ?? standardLimits;
    this.largeReplies = new InFlight(this.caps.repliesInFlightBytes);
    this.largeBodies = new InFlight(this.caps.bodiesInFlightBytes);
    this.waitingCalls = new InFlight(Math.min(this.caps.waitingCallsBytes, standardMemory(256)));
    this.#autoCreate = autoCreate;
    this.#most = most;
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

  /** Throws CapacityError where there are as many as there may be, and all of them are needed. */
  create(request: SandboxRequest): Sandbox {
    if (!this.#makeRoom()) throw new CapacityError(this.#fullMessage);
    const sandbox = new Sandbox({ ...this.#defaults, ...request });
    this.#byId.set(sandbox.id, sandbox);
    this.#onCreate(sandbox);
    if (this.#isStopping) sandbox.stopWaiting();
    if (sandbox.ttlSeconds !== null) this.#expireWhenIdle(sandbox, sandbox.ttlSeconds * 1000);
    return sandbox;
  }

  /** Removes a sandbox that nobody misses if there are as many as there may be. Returns false if there is none. */
  #makeRoom(): boolean {
    if (this.#byId.size < this.#most) return true;
    let idlest: Sandbox | null = null;
    for (const sandbox of this.#byId.values()) {
      if ((idlest === null || sandbox.lastUsed < idlest.lastUsed) && this.#isExpendable(sandbox)) idlest = sandbox;
    }
    if (idlest !== null) this.remove(idlest);
    return idlest !== null;
  }

  /**
   * Whether the same key would open the same sandbox again: nothing in it was changed or arranged. Its journal does not count: every call
   * is in one, so it would protect each sandbox that a key has opened.
   */
  #isExpendable({ origin, callsInFlight, state, options, clock, limits, faults, snapshots }: Sandbox): boolean {
    const defaults = this.#defaults;
    return (
      origin === 'key' &&
      // What such a call is about to change must not be lost.
      callsInFlight === 0 &&
      state.changedRecords === 0 &&
      clock.isReal &&
      limits.scale === defaults.limitScale &&
      limits.own.size === 0 &&
      snapshots.size === 0 &&
      faults.areOf(defaults.scenario) &&
      assumptionNames.every((name) => options[name] === defaults.options[name])
    );
  }

  get #fullMessage(): string {
    return `There are ${this.#byId.size} sandboxes, as many as there may be. Delete one, or start the server with a higher --max-sandboxes.`;
  }

  /** Forgets a sandbox; a call that it is answering is answered. */
  remove(sandbox: Sandbox): void {
    if (this.#byId.get(sandbox.id) !== sandbox) return;
    this.#byId.delete(sandbox.id);
    this.#expiries.get(sandbox)?.cancel();
    this.#expiries.delete(sandbox);
    for (const [key, caller] of this.#callers) if (caller.sandbox === sandbox) this.#callers.delete(key);
    sandbox.end();
    for (const departed of [...this.#departed, sandbox]) {
      if (departed.callsInFlight > 0 || departed.clock.hasWaits) this.#departed.add(departed);
      else this.#departed.delete(departed);
    }
    this.#onRemove(sandbox);
  }

  /** Keeps nobody waiting from now on, in no sandbox: the server stops. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const sandbox of [...this.#byId.values(), ...this.#departed]) sandbox.stopWaiting();
  }

  /** Lets every sandbox be as it is from now on. */
  close(): void {
    for (const expiry of this.#expiries.values()) expiry.cancel();
    this.#expiries.clear();
  }

  #expireWhenIdle(sandbox: Sandbox, ttl: number): void {
    const left = ttl - (stopwatch() - sandbox.lastUsed);
    if (left <= 0) this.remove(sandbox);
    else
      this.#expiries.set(
        sandbox,
        after(Math.min(left, longestTimer), () => this.#expireWhenIdle(sandbox, ttl)),
      );
  }

  /** The sandbox and school that a key names. Where it names none, the sandbox that the refusal belongs to. */
  identify(key: string | undefined): Caller {
    const known = key === undefined ? undefined : this.#callers.get(key);
    if (known !== undefined && known.sandbox.state.collection('schools').get(known.school.id) === known.school) return known;
    if (key === undefined) return { sandbox: this.default, school: null, shownKey: null };
    const shownKey = shortened(key);
    const parsed = parseKey(key);
    if (parsed === null) return { sandbox: this.default, school: null, shownKey };
    const sandbox = this.#byId.get(parsed.sandboxId) ?? this.#open(parsed);
    if (sandbox === 'full') return { sandbox: this.default, school: null, shownKey, full: this.#fullMessage };
    const school = sandbox === undefined ? undefined : schoolOf(sandbox.school(parsed.slug), parsed);
    if (sandbox === undefined || school === undefined) return { sandbox: sandbox ?? this.default, school: null, shownKey };
    if (this.#callers.size >= keptCallers) this.#callers.clear();
    const caller = { sandbox, school, shownKey };
    this.#callers.set(key, caller);
    return caller;
  }

  /** A sandbox of its own for a key whose school is one of the seed. */
  #open(key: ParsedKey): Sandbox | 'full' | undefined {
    const school = schoolOf(this.#defaults.seed.collections.schools.index('slug').get(key.slug)[0], key);
    if (!this.#autoCreate || school === undefined) return undefined;
    return this.#makeRoom() ? this.create({ id: key.sandboxId, origin: 'key', ttlSeconds: this.#idleSeconds }) : 'full';
  }
}

function schoolOf(school: School | undefined, { label }: ParsedKey): School | undefined {
  return label === null || school?.keyLabels?.includes(label) === true ? school : undefined;
}
