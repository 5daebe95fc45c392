import type { AssumptionName } from '../../assumptions.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';

/** Counts the calls of a run. Every call to the server of the run belongs to it, with any key or none. */
export class CallCounter {
  /** The ids of the scenario's rules, stored at the start, because the client may add and remove rules. */
  readonly #rules: ReadonlySet<string>;
  readonly #assumed = new Set<AssumptionName>();
  readonly #operations = new Map<string, number>();
  #calls = 0;
  #withKey = 0;
  #fired = 0;

  constructor(scenarioRules: ReadonlySet<string>) {
    this.#rules = scenarioRules;
  }

  readonly observe = ({ page, refusal, school, faults, assumed, operation }: StoredEntry): void => {
    // Calls from the console and other pages of the sandbox are not the client's.
    if (page !== null) return;
    this.#calls += 1;
    if (school !== null && refusal !== 'unmatched') this.#withKey += 1;
    if (faults.some(({ rule }) => rule !== null && this.#rules.has(rule))) this.#fired += 1;
    for (const assumption of assumed) this.#assumed.add(assumption);
    this.#operations.set(operation, (this.#operations.get(operation) ?? 0) + 1);
  };

  get calls(): number {
    return this.#calls;
  }

  /** The number of calls of an operation with a valid key. */
  get withKey(): number {
    return this.#withKey;
  }

  /** The assumptions that affected responses. */
  get assumed(): ReadonlySet<string> {
    return this.#assumed;
  }

  /** The number of calls by operation. */
  get operations(): ReadonlyMap<string, number> {
    return this.#operations;
  }

  /** How often a rule of the scenario fired. */
  get fired(): number {
    return this.#fired;
  }
}
