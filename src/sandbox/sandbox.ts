import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import { firstOf } from '../base/lists.ts';
import type { Records } from '../contract/generated/facts.ts';
import { noTemplates, type Templates } from '../settings/refusal-templates.ts';
import { FaultRules } from '../faults/rules.ts';
import { defaultLimits, type ServerLimits } from '../base/server-limits.ts';
import { Clock, realMoment, stopwatch, wallClock } from './clock.ts';
import { checkpoint, factsOf, reserve, stateFacts, storeLarge, type Facts } from './facts.ts';
import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import type { Ledger } from './ledger.ts';
import { requestIdOf } from './journal-entry.ts';
import { HeaderMemory } from './header-memory.ts';
import { JournalMemory } from './journal-memory.ts';
import { InFlight } from './in-flight.ts';
import { Journal } from './journal.ts';
import { changesCounting, Limits } from './limits.ts';
import { MadeUp, type Authors } from './made-up.ts';
import { SandboxQuotas } from './quotas.ts';
import { Random } from './random.ts';
import { RequestNumbers } from './request-numbers.ts';
import type { Origin, SandboxPlan } from './sandbox-plan.ts';
import type { Snapshot } from './snapshot.ts';
import { State } from './state.ts';
import { Turn } from './turn.ts';
import { roomIn, type StateRoom } from './state-memory.ts';
import { ViewMemory } from './view-memory.ts';
import { ViewsByOrigin } from './views-by-origin.ts';

export type School = Records['schools'];

/**
 * One isolated environment: data, schools and keys, clock, faults, limits, journal, randomness, assumptions.
 */
export class Sandbox {
  readonly id: string;
  readonly origin: Origin;
  readonly isReachable: boolean;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly headers = new HeaderMemory();
  readonly random: Random;
  readonly randomSeed: number;
  readonly labels: boolean;
  readonly faults: FaultRules;
  readonly limits: Limits;
  readonly views: ViewsByOrigin;
  /** The memory of its records, snapshots and fault rules. */
  readonly stateRoom: StateRoom;
  /** Serializes the use of the state. */
  readonly turn: Turn;
  /** Counts the `verify` requests in progress. */
  readonly verifies: InFlight;
  /** Serializes the requests that read all bodies of the journal. */
  readonly reading: Turn;
  readonly quotas: SandboxQuotas;
  readonly snapshots = new Map<string, Snapshot>();
  readonly ttlSeconds: number | null;
  /** When it was created, in real time. */
  readonly createdAt: number;
  /** When it was last used, from `stopwatch`. */
  lastUsed = stopwatch();
  /** The last stored use of `storeUse`, in real time. */
  storedUse = 0;
  /** Called when its last request in progress ends; null until it is removed. */
  onIdle: (() => void) | null = null;
  /** Stores what happens, before it is acknowledged. Null if everything stays in memory. */
  ledger: Ledger | null = null;
  /** Counts its control tokens; null if none was issued. */
  tokenGeneration: number | null = null;
  /** Ends with the last request to the control plane that changes this sandbox. */
  lastChange: Promise<unknown> = Promise.resolve();
  #chosen: Pick<SandboxPlan, 'options' | 'checks'>;
  templates: Templates;
  #state: State;
  /** How often the options were set. */
  optionChanges = 0;
  readonly numbers = new RequestNumbers((last) => reserve(this, last));
  #requestsInFlight = 0;
  readonly #authors: Authors | null;
  #madeUp: MadeUp | null = null;

  constructor(plan: SandboxPlan) {
    ({ id: this.id, origin: this.origin, randomSeed: this.randomSeed, labels: this.labels } = plan);
    this.isReachable = plan.isReachable ?? true;
    this.clock = new Clock(plan.turns, plan.clock);
    this.turn = new Turn(plan.turns);
    this.reading = new Turn(plan.turns);
    this.createdAt = plan.createdAt ?? wallClock();
    this.random = new Random(plan.randomSeed);
    this.ttlSeconds = plan.ttlSeconds ?? null;
    this.quotas = new SandboxQuotas(plan.caps ?? defaultLimits, plan.quotas);
    this.views = new ViewsByOrigin(this.caps.replyBytes, plan.viewMemory ?? new ViewMemory(Infinity));
    this.stateRoom = roomIn(plan.stateMemory, this.quotas);
    this.journal = new Journal(this.quotas, plan.journalMemory ?? new JournalMemory(Infinity));
    this.verifies = new InFlight(this.caps.verifies);
    this.#authors = plan.authors ?? null;
    this.#chosen = { options: plan.options, checks: plan.checks };
    this.templates = plan.templates ?? noTemplates;
    this.limits = new Limits(plan, this.caps.rateCounters, () => this.clock.now());
    this.faults = new FaultRules(this.random.fraction, this.stateRoom, () => this.numbers.last, plan);
    this.faults.play(plan.scenario, this.clock.now());
    this.#state = this.#watched(this.newState(plan.seed));
  }

  get state(): State {
    return this.#state;
  }

  /** The limits of the server, as opposed to those of the platform. */
  get caps(): ServerLimits {
    return this.quotas.caps;
  }

  /** The chosen option of each assumption. */
  get options(): Options {
    return this.#chosen.options;
  }

  get checks(): ParameterChecks {
    return this.#chosen.checks;
  }

  /** Synthesizes records for unknown identifiers. Only for options that do so (unknown-id.ts). */
  get madeUp(): MadeUp {
    if (this.#authors === null) throw new Error('A sandbox that synthesizes records needs their authors.');
    this.#madeUp ??= new MadeUp(this.#authors.for(this.random), this.random);
    return this.#madeUp;
  }

  school(slug: string): School | undefined {
    return this.#state.collection('schools').where('slug', slug)[0];
  }

  /** Returns its schools, or the first ones: there may be very many. */
  schools(most = Infinity): readonly School[] {
    return firstOf(this.#state.collection('schools').all(), most);
  }

  /** When it was last used, in real time. */
  get usedAt(): number {
    return Math.round(realMoment(this.lastUsed));
  }

  /** Returns the number of the next request. */
  nextNumber(): number {
    this.touch();
    return this.numbers.next();
  }

  /** The number of calls and of requests to the control plane in progress. */
  get requestsInFlight(): number {
    return this.#requestsInFlight;
  }

  /** Begins a request: until `finish`, the sandbox is in use. */
  begin(): void {
    this.#requestsInFlight += 1;
  }

  finish(): void {
    this.#requestsInFlight -= 1;
    this.touch();
    if (this.#requestsInFlight === 0) this.onIdle?.();
  }

  touch(): void {
    this.lastUsed = stopwatch();
  }

  /** Returns the next request id, for a reply that is not in the journal. */
  nextRequestId(): string {
    return requestIdOf(this.id, this.nextNumber());
  }

  /** Restores the seed relative to now, resets limits, restarts the scenario, deletes other rules. Keeps the journal. */
  reset(): void {
    withoutPause(this.restart(this.newState(), () => this.faults.restart(this.clock.now())));
  }

  /** Ends all waits and journal listeners, because the server stops. */
  stopWaiting(): void {
    // In this order, so that the listeners still receive the calls that end now.
    void this.clock.hurry().then(() => this.journal.dismissListeners());
  }

  /**
   * Replaces the state in one step at the end, with what `alongside` changes. If that cannot be stored, throws
   * StorageError, and discards the new state. `clock` is the setting that the clock gets next; null if it stays.
   */
  *restart(state: State, alongside = (): void => {}, clock: Facts['clock'] | null = null): SlicedWork<void> {
    const before = this.#state;
    let isDone = false;
    try {
      yield* storeLarge(this, { state: stateFacts(state), changes: state.changes() }, () => {
        const undo = checkpoint(this);
        state.follow(this.#state);
        this.#state = this.#watched(state);
        this.limits.counters.clear();
        alongside();
        return { facts: { ...factsOf(this), clock: clock ?? this.clock.facts() }, undo };
      });
      isDone = true;
    } finally {
      if (!isDone && this.#state === state) this.#state = before;
      (isDone ? before : state).discard();
    }
    state.enter(this.stateRoom);
  }

  /** Creates a state without changes, for `restart`. */
  newState(seed = this.#state.seed, beginning = this.clock.now()): State {
    return new State(seed, beginning, this.stateRoom);
  }

  /** Replaces the state with a stored one, which need not be written again. */
  load(state: State): void {
    this.#state.discard();
    state.enter(this.stateRoom);
    state.follow(this.#state);
    this.#state = this.#watched(state);
    this.limits.counters.clear();
  }

  /** Sets the options and what belongs to them. Resets limits if they are counted in another way. */
  choose(options: Options, checks: ParameterChecks, templates = this.templates): void {
    if (changesCounting(this.options, options)) this.limits.counters.clear();
    this.optionChanges += 1;
    this.#chosen = { options, checks };
    this.templates = templates;
  }

  /** Frees the memory of a deleted sandbox. */
  end(): void {
    this.journal.end();
    this.stateRoom.close();
    this.limits.counters.clear();
    this.views.end();
  }

  #watched(state: State): State {
    // A call may still use the state that was replaced. What it changes there is lost.
    state.store = (changes) => {
      if (state === this.#state) this.ledger?.append({ changes, facts: factsOf(this) });
    };
    return state;
  }
}
