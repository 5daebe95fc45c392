import { endsAsDefaults, isMet, type Outcome, type Shown } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

/** The run that decides about an option. */
export interface Verdict {
  readonly by: Outcome;
  /** The option that the run had, which may be the twin of the one that the verdict is about. */
  readonly member: PlannedRun;
}

type Verdicts = ReadonlyMap<PlannedRun, Verdict>;

/**
 * Returns the options that the runs so far decide about. `twins` are options with the responses of another one, which
 * share its verdict.
 */
export function verdictsOf(
  outcomes: readonly Outcome[],
  defaults: Shown | null,
  twins: ReadonlyMap<PlannedRun, PlannedRun>,
): Verdicts {
  const found = new Map<PlannedRun, Verdict>();
  for (const by of outcomes) for (const member of decidedBy(by, defaults)) found.set(member, { by, member });
  for (const [member, twin] of twins) {
    const verdict = found.get(twin);
    if (verdict !== undefined && !isMet(member, verdict.by.shown) && !found.has(member))
      found.set(member, verdict);
  }
  return found;
}

/**
 * Returns the members about which a run decides: the only one; and those on which a response depended, if the run ended
 * as the one with the defaults. A failed run of several only shows where to search: a test can fail because of anything
 * that happened before.
 */
export function decidedBy({ members, shown }: Outcome, defaults: Shown | null): readonly PlannedRun[] {
  if (members.length === 1) return members;
  const isPassed = defaults !== null && endsAsDefaults(shown.found, defaults);
  return isPassed ? members.filter((member) => isMet(member, shown)) : [];
}
