import type { ArmedRule } from './rule.ts';
import type { Scenario } from './scenario.ts';

/** A deleted rule, with what it takes to put it back. */
export interface RemovedRule {
  readonly rule: ArmedRule;
  /** The ids of the rules that were tried before it. */
  readonly before: readonly string[];
  /** The scenario that was playing. */
  readonly scenario: Scenario | null;
}

/** The rules of a sandbox, in the order in which they are tried. */
interface PlayedRules {
  readonly rules: readonly ArmedRule[];
  readonly scenario: Scenario | null;
}

/** The maximum number of deleted rules that can be put back. */
const maxRemoved = 200;

/** Returns the removed rules with those that are missing in `after`; the last to be deleted is last. */
export function withRemoved(
  removed: readonly RemovedRule[],
  before: readonly ArmedRule[],
  after: readonly ArmedRule[],
  scenario: Scenario | null,
): readonly RemovedRule[] {
  const kept = new Set(after);
  const ids = before.map(({ id }) => id);
  const gone = before.flatMap((rule, place) => (kept.has(rule) ? [] : [{ rule, place }])).slice(-maxRemoved);
  const goneIds = new Set(gone.map(({ rule }) => rule.id));
  return [
    ...removed.filter(({ rule }) => !goneIds.has(rule.id)),
    ...gone.map(({ rule, place }) => ({ rule, before: ids.slice(0, place), scenario })),
  ].slice(-maxRemoved);
}

/** Returns the rules with removed ones at their places. Those of another scenario replace the current one. */
export function putBack(now: PlayedRules, removed: readonly RemovedRule[]): PlayedRules {
  let { rules, scenario } = now;
  // The last one first: when it was deleted, the others were no longer there.
  for (const one of removed.toReversed()) {
    const { rule, before } = one;
    if (rule.scenario !== null && one.scenario !== scenario) {
      rules = rules.filter((other) => other.scenario === null);
      scenario = one.scenario;
    }
    const others = rules.filter(({ id }) => id !== rule.id);
    const place = others.findLastIndex(({ id }) => before.includes(id)) + 1;
    rules = others.toSpliced(place, 0, rule);
  }
  return { rules, scenario };
}
