import type { AssumptionName } from '../../assumptions.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** What the counter knows about a run. */
export interface CallCounts {
  /** Calls to the run's sandbox. */
  calls: number;
  /** The assumptions that affected responses. */
  readonly assumed: Set<AssumptionName>;
  /** How often a rule of the sandbox's scenario fired. */
  fired: number;
  /** Calls to sandboxes of no run during this run, by sandbox id. */
  readonly elsewhere: Map<string, number>;
}

/** Assigns calls to runs. */
export class Watch {
  /** Whether runs are sequential: then every call belongs to the current run. */
  readonly #oneByOne: boolean;
  readonly #open = new Map<string, { readonly tally: CallCounts; readonly rules: ReadonlySet<string> }>();

  constructor(oneByOne: boolean) {
    this.#oneByOne = oneByOne;
  }

  /** Starts counting for the run of a sandbox. */
  open({ id, faults }: Sandbox): CallCounts {
    const tally: CallCounts = { calls: 0, assumed: new Set(), fired: 0, elsewhere: new Map() };
    // Stored at the start, because the client may add and remove rules.
    const rules = new Set(faults.all.flatMap((rule) => (rule.scenario === null ? [] : [rule.id])));
    this.#open.set(id, { tally, rules });
    return tally;
  }

  close({ id }: Sandbox): void {
    this.#open.delete(id);
  }

  readonly observe = (exchange: StoredEntry): void => {
    const own = this.#open.get(exchange.sandboxId);
    if (own === undefined) return this.#observeStranger(exchange);
    own.tally.calls += 1;
    if (exchange.faults.some(({ rule }) => rule !== null && own.rules.has(rule))) own.tally.fired += 1;
    for (const assumption of exchange.assumed) own.tally.assumed.add(assumption);
  };

  /** Counts a call without a usable key: it belongs to no sandbox, but uses the run's assumptions. */
  #observeStranger({ sandboxId, school, assumed }: StoredEntry): void {
    for (const { tally } of this.#open.values()) {
      if (school !== null) tally.elsewhere.set(sandboxId, (tally.elsewhere.get(sandboxId) ?? 0) + 1);
      else if (this.#oneByOne) for (const assumption of assumed) tally.assumed.add(assumption);
    }
  }
}
