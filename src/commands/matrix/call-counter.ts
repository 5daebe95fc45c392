import type { AssumptionName } from '../../assumptions.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import { RateUse, unlistedIn } from './unlisted.ts';

/** Returns how a call ended, without its content. */
function endingOf({ operation, refusal, status, elements }: StoredEntry): string {
  return `${operation} ${refusal} ${status} ${elements.filter(({ ok }) => ok).length}/${elements.length}`;
}

/** Counts the calls of a run. Every call to the server of the run belongs to it, with any key or none. */
export class CallCounter {
  /** The ids of the scenario's rules, stored at the start, because the client may add and remove rules. */
  readonly #rules: ReadonlySet<string>;
  /** For each assumption, how often calls ended in which way. */
  readonly #assumed = new Map<AssumptionName, Map<string, number>>();
  readonly #unlisted = new Set<AssumptionName>();
  readonly #operations = new Map<string, number>();
  readonly #rateUse: RateUse;
  #calls = 0;
  #withKey = 0;
  #fired = 0;

  constructor(scenarioRules: ReadonlySet<string>, sandboxes: Pick<Sandboxes, 'get'>) {
    this.#rules = scenarioRules;
    this.#rateUse = new RateUse(sandboxes);
  }

  readonly observe = (entry: StoredEntry): void => {
    const { page, refusal, school, faults, assumed, operation } = entry;
    // Calls from the console and other pages of the sandbox are not calls of the client.
    if (page !== null) return;
    this.#calls += 1;
    if (school !== null && refusal !== 'unmatched') this.#withKey += 1;
    if (faults.some(({ rule }) => rule !== null && this.#rules.has(rule))) this.#fired += 1;
    for (const assumption of assumed) {
      const endings = this.#assumed.get(assumption) ?? new Map<string, number>();
      endings.set(endingOf(entry), (endings.get(endingOf(entry)) ?? 0) + 1);
      this.#assumed.set(assumption, endings);
    }
    for (const assumption of [...unlistedIn(entry), ...this.#rateUse.add(entry)])
      this.#unlisted.add(assumption);
    this.#operations.set(operation, (this.#operations.get(operation) ?? 0) + 1);
  };

  get calls(): number {
    return this.#calls;
  }

  /** The number of calls of an operation with a valid key. */
  get withKey(): number {
    return this.#withKey;
  }

  /** The assumptions that affected responses, and how often those calls ended in which way. */
  get assumed(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#assumed;
  }

  /** The assumptions on which responses may depend although they do not list them. */
  get unlisted(): ReadonlySet<string> {
    return this.#unlisted;
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
