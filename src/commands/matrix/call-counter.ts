import type { AssumptionName } from '../../assumptions.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** What a run did, as far as it matters here. */
export interface CallCounts {
  /** To its sandbox. */
  calls: number;
  /** The assumptions that shaped replies. */
  readonly assumed: Set<AssumptionName>;
  /** How often a rule of its sandbox's scenario fired. */
  fired: number;
  /** Calls to sandboxes of no run while it ran, by the sandbox. */
  readonly elsewhere: Map<string, number>;
}

/** Tells the calls of the runs apart. */
export class Watch {
  /** Whether there is one run at a time: then every call is its own. */
  readonly #oneByOne: boolean;
  readonly #open = new Map<string, { readonly tally: CallCounts; readonly rules: ReadonlySet<string> }>();

  constructor(oneByOne: boolean) {
    this.#oneByOne = oneByOne;
  }

  /** Begins to count for the run that a sandbox belongs to. */
  open({ id, faults }: Sandbox): CallCounts {
    const tally: CallCounts = { calls: 0, assumed: new Set(), fired: 0, elsewhere: new Map() };
    // Remembered, because the client may take rules away, or add some of its own.
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

  /** A call without a usable key belongs to no sandbox, but it is answered as the run's assumptions say. */
  #observeStranger({ sandboxId, school, assumed }: StoredEntry): void {
    for (const { tally } of this.#open.values()) {
      if (school !== null) tally.elsewhere.set(sandboxId, (tally.elsewhere.get(sandboxId) ?? 0) + 1);
      else if (this.#oneByOne) for (const assumption of assumed) tally.assumed.add(assumption);
    }
  }
}
