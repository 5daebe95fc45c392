import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Records } from '../contract/generated/facts.ts';
import { FaultRules } from '../faults/rules.ts';
import type { Scenario } from '../faults/scenario.ts';
import { standardLimits, type ServerLimits } from '../base/server-limits.ts';
import { Clock, stopwatch, wallClock } from './clock.ts';
import { requestIdOf } from './journal-entry.ts';
import { HeaderMemory } from './header-memory.ts';
import { JournalMemory } from './journal-memory.ts';
import { InFlight } from './in-flight.ts';
import { Journal } from './journal.ts';
import { Limits } from './limits.ts';
import { MadeUp, type Authors } from './made-up.ts';
import { Random } from './random.ts';
import type { Seed } from './seed.ts';
import type { Snapshot } from './snapshot.ts';
import { State } from './state.ts';
import { Turn } from './turn.ts';
import { StateRoom } from './state-memory.ts';
import { ViewMemory } from './view-memory.ts';
import { ViewsByOrigin } from './views.ts';

export type School = Records['schools'];

/** How a sandbox came about: with the server, through the control plane, by a key that named it, or from a file of --data. */
export type Origin = 'server' | 'control-plane' | 'key' | 'file';

/** What a sandbox is made from. */
export interface SandboxPlan {
  readonly id: string;
  readonly origin: Origin;
  readonly seed: Seed;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly randomSeed: number;
  /** Scales every rate limit; null for none. */
  readonly limitScale: number | null;
  /** The script of faults that plays from the beginning; null for none. */
  readonly scenario: Scenario | null;
  /** Whether injected replies say that they are. */
  readonly labels: boolean;
  /** Real time where none is given. */
  readonly clock?: Clock;
  /** Who makes records up, where options want some. */
  readonly authors?: Authors;
  /** Goes away after so many seconds of real time in which nobody used it; null for never. */
  readonly ttlSeconds?: number | null;
  /** The limits of the server. */
  readonly caps?: ServerLimits;
  /** What all journals of the server share. */
  readonly journalMemory?: JournalMemory;
  /** What the changed records of all sandboxes of the server share. */
  readonly stateMemory?: InFlight;
  /** What the views of all sandboxes of the server share. */
  readonly viewMemory?: ViewMemory;
}

/** The assumptions that say how calls are counted. */
const countedBy = ['rateLimitWindow', 'rateLimitScope', 'rateLimitUnit', 'refusedCallsCount'] as const;

/** One isolated world: data, schools and keys, clock, faults, limits, journal, randomness, assumptions. */
export class Sandbox {
  readonly id: string;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly headers = new HeaderMemory();
  readonly random: Random;
  readonly randomSeed: number;
  readonly labels: boolean;
  readonly faults: FaultRules;
  readonly limits: Limits;
  readonly views: ViewsByOrigin;
  /** The memory that its records, snapshots and fault rules take up. */
  readonly stateRoom: StateRoom;
  /** Calls that are being answered. */
  callsInFlight = 0;
  /** Who may use the state. */
  readonly turn = new Turn();
  /** Requests that hold expectations against the journal. */
  readonly verifies: InFlight;
  /** Who may read all bodies of the journal. */
  readonly reading = new Turn();
  /** The limits of the server, which are none of the platform. */
  readonly caps: ServerLimits;
  /** Moments to go back to, by name. */
  readonly snapshots = new Map<string, Snapshot>();
  readonly ttlSeconds: number | null;
  /** When it was made, in real time. */
  readonly createdAt = wallClock();
  /** When it was last used, as `stopwatch` tells. */
  lastUsed = stopwatch();
  /** Told after every change of the state; the store listens here. */
  onChange: () => void = () => {};
  #options: Options;
  #checks: ParameterChecks;
  #state: State;
  #exchanges = 0;
  readonly #authors: Authors | null;
  #madeUp: MadeUp | null = null;

  constructor(plan: SandboxPlan) {
    this.id = plan.id;
    this.origin = plan.origin;
    this.clock = plan.clock ?? new Clock();
    this.random = new Random(plan.randomSeed);
    this.randomSeed = plan.randomSeed;
    this.ttlSeconds = plan.ttlSeconds ?? null;
    this.caps = plan.caps ?? standardLimits;
    this.views = new ViewsByOrigin(this.caps.replyBytes, plan.viewMemory ?? new ViewMemory(Infinity));
    this.stateRoom = new StateRoom(plan.stateMemory ?? new InFlight(Infinity), this.caps.stateBytes, largestRecord(this.caps));
    this.journal = new Journal({
      maxEntries: this.caps.journalEntries,
      maxBytes: this.caps.journalBytes,
      memory: plan.journalMemory ?? new JournalMemory(this.caps.journalBytes),
    });
    this.verifies = new InFlight(this.caps.verifies);
    this.#authors = plan.authors ?? null;
    this.#options = plan.options;
    this.#checks = plan.checks;
    this.limits = new Limits(plan.limitScale);
    this.labels = plan.labels;
    this.faults = new FaultRules(this.random.fraction, this.stateRoom);
    this.faults.play(plan.scenario, this.clock.now());
    this.#state = this.#watched(this.newState(plan.seed));
  }

  get state(): State {
    return this.#state;
  }

  /** The chosen option of each assumption. */
  get options(): Options {
    return this.#options;
  }

  /** What parameters must be like under these options. */
  get checks(): ParameterChecks {
    return this.#checks;
  }

  /** Records for identifiers that name none; there only under options that want some (unknown-id.ts). */
  get madeUp(): MadeUp {
    if (this.#authors === null) throw new Error('A sandbox that synthesizes records needs their authors.');
    this.#madeUp ??= new MadeUp(this.#authors.for(this.random), this.random);
    return this.#madeUp;
  }

  /** The school that a slug names. */
  school(slug: string): School | undefined {
    return this.#state.collection('schools').where('slug', slug)[0];
  }

  schools(): readonly School[] {
    return [...this.#state.collection('schools').all()];
  }

  /** The number of the next exchange. */
  nextNumber(): number {
    this.touch();
    this.#exchanges += 1;
    return this.#exchanges;
  }

  /** Somebody uses it. */
  touch(): void {
    this.lastUsed = stopwatch();
  }

  /** The id of the next exchange, for a reply that is not in the journal. */
  nextRequestId(): string {
    return requestIdOf(this.id, this.nextNumber());
  }

  /**
   * Back to the seed, from the clock's present moment on. Limits start anew too, and so does the scenario; rules that were added
   * alone are gone. The journal stays.
   */
  reset(): void {
    this.faults.restart(this.clock.now());
    this.restart(this.newState());
  }

  /** Keeps nobody waiting from now on: the server stops. */
  stopWaiting(): void {
    // Replies that are sent now are in the journal when its listeners are told.
    this.clock.hurry();
    this.journal.dismissListeners();
  }

  /** Takes over another state, in one step. */
  restart(state: State): void {
    this.load(state);
    this.onChange();
  }

  /** A state of its own without changes, for the sandbox to take over. */
  newState(seed = this.#state.seed, beginning = this.clock.now()): State {
    return new State(seed, beginning, this.stateRoom);
  }

  /** Takes over a state as it was kept: it need not be kept again. */
  load(state: State): void {
    this.#state.discard();
    state.enter(this.stateRoom);
    this.#state = this.#watched(state);
    this.limits.windows.clear();
  }

  /** Chooses other options, with the checks that go with them. Limits start anew where they are counted in another way. */
  choose(options: Options, checks: ParameterChecks): void {
    const before = this.#options;
    this.#options = options;
    this.#checks = checks;
    if (countedBy.some((name) => options[name] !== before[name])) this.limits.windows.clear();
  }

  /** Nobody uses it any more: what it holds in the memory of the server is free. */
  end(): void {
    this.journal.end();
    this.stateRoom.close();
    this.views.end();
  }

  #watched(state: State): State {
    state.onChange = () => this.onChange();
    return state;
  }
}

/** The memory of the largest record that the control plane accepts, in bytes: its text, and something for each of its values. */
function largestRecord({ recordBytes, recordValues }: ServerLimits): number {
  return 2 * recordBytes + 200 * recordValues;
}
