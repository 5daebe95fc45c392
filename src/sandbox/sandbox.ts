import type { Options } from '../assumptions.ts';
import type { ParameterChecks } from '../contract/parameter-checks.ts';
import type { Records } from '../contract/generated/facts.ts';
import { FaultRules } from '../faults/rules.ts';
import type { Scenario } from '../faults/scenario.ts';
import { Clock } from './clock.ts';
import { Journal, requestIdOf } from './journal.ts';
import { Random } from './random.ts';
import type { Seed } from './seed.ts';
import { State } from './state.ts';
import { ViewsByOrigin } from './views.ts';
import type { Window } from './windows.ts';

export type School = Records['schools'];

/** What a sandbox is made from. */
export interface SandboxPlan {
  readonly id: string;
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
}

/** One isolated world: data, schools and keys, clock, faults, limits, journal, randomness, assumptions. */
export class Sandbox {
  readonly id: string;
  readonly clock: Clock;
  readonly journal = new Journal();
  readonly random: Random;
  readonly options: Options;
  readonly checks: ParameterChecks;
  readonly limitScale: number | null;
  readonly labels: boolean;
  readonly faults: FaultRules;
  readonly views = new ViewsByOrigin();
  /** The windows of the rate limits, by operation and by who shares one. */
  readonly windows = new Map<string, Map<string, Window>>();
  /** Told after every change of the state; the store listens here. */
  onChange: () => void = () => {};
  #state: State;
  #exchanges = 0;

  constructor(plan: SandboxPlan) {
    this.id = plan.id;
    this.clock = plan.clock ?? new Clock();
    this.random = new Random(plan.randomSeed);
    this.options = plan.options;
    this.checks = plan.checks;
    this.limitScale = plan.limitScale;
    this.labels = plan.labels;
    this.faults = new FaultRules(this.random.fraction);
    this.faults.play(plan.scenario, this.clock.now());
    this.#state = this.#watched(new State(plan.seed, this.clock.now()));
  }

  get state(): State {
    return this.#state;
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
    this.#exchanges += 1;
    return this.#exchanges;
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
    this.restart(new State(this.#state.seed, this.clock.now()));
    this.onChange();
  }

  /** Takes over another state, in one step. */
  restart(state: State): void {
    this.#state = this.#watched(state);
    this.windows.clear();
  }

  #watched(state: State): State {
    state.onChange = () => this.onChange();
    return state;
  }
}
