import { endsAsDefaults, isMet, type Outcome, type Shown } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

/** The run that decides about each option. */
export type Verdicts = ReadonlyMap<PlannedRun, Outcome>;

/**
 * Returns the options that the runs so far decide about. `twins` are options with the responses of another one, which
 * share its verdict.
 */
export function verdictsOf(
  outcomes: readonly Outcome[],
  defaults: Shown | null,
  twins: ReadonlyMap<PlannedRun, PlannedRun>,
): Verdicts {
  const found = new Map<PlannedRun, Outcome>();
  for (const by of outcomes) for (const member of decidedBy(by, defaults)) found.set(member, by);
  for (const [member, twin] of twins) {
    const by = found.get(twin);
    if (by !== undefined && !isMet(member, by.shown) && !found.has(member)) found.set(member, by);
  }
  return found;
}

/**
 * Returns the members about which a run decides: the only one; and those on which a response depended, if the run ended
 * as the one with the defaults. A failed run of several only shows where to search: a test can fail because of anything
 * that happened before.
 */
export function decidedBy(
  { members, shown }: Pick<Outcome, 'members' | 'shown'>,
  defaults: Shown | null,
): readonly PlannedRun[] {
  if (members.length === 1) return members;
  const isPassed = defaults !== null && endsAsDefaults(shown.found, defaults);
  return isPassed ? members.filter((member) => isMet(member, shown)) : [];
}
