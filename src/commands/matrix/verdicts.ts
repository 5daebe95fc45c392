import { isDeepStrictEqual } from 'node:util';
import { endsAsDefaults, isMet, type Outcome, type Shown } from './outcome.ts';
import type { PlannedRun } from './plan.ts';
import { blamedFor, involvedIn, type FailedTest } from './suspects.ts';

/** The run that decides about an option. */
export interface Verdict {
  readonly by: Outcome;
  /** The option that the run had, which may be the twin of the one that the verdict is about. */
  readonly member: PlannedRun;
  /**
   * `as-run`: it ended as the run. `blamed`: tests of the run failed because of it. `as-defaults`: tests of the run failed
   * because of other options; with this one alone, it would have ended as the run with the defaults.
   */
  readonly ends: 'as-run' | 'blamed' | 'as-defaults';
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
  for (const by of outcomes)
    for (const [member, ends] of decidedAtOnce(by, defaults)) found.set(member, { by, member, ends });
  if (defaults === null) return found;
  const decided = new Map(found);
  for (const by of outcomes.filter((outcome) => isExplained(outcome, decided, defaults)))
    for (const member of cleared(by))
      if (!found.has(member)) found.set(member, { by, member, ends: 'as-defaults' });
  for (const [member, twin] of twins) {
    const verdict = found.get(twin);
    if (verdict !== undefined && !isMet(member, verdict.by.shown) && !found.has(member))
      found.set(member, verdict);
  }
  return found;
}

/**
 * Returns the members about which a run decides without any other: the only one; those on which a response depended, if
 * the run ended as the one with the defaults; and those that alone can have failed a test.
 */
export function decidedAtOnce(
  { members, shown, failed }: Outcome,
  defaults: Shown | null,
): ReadonlyMap<PlannedRun, Verdict['ends']> {
  if (members.length === 1) return new Map(members.map((member) => [member, 'as-run']));
  if (defaults !== null && endsAsDefaults(shown.found, defaults))
    return new Map(members.filter((member) => isMet(member, shown)).map((member) => [member, 'as-run']));
  return new Map(
    (failed ?? []).flatMap((test) => {
      const blamed = blamedFor(test);
      return blamed === null ? [] : [[blamed, 'blamed'] as const];
    }),
  );
}

/**
 * Whether the failures of a run are those of options that are known to fail, and it is otherwise like the run with
 * the defaults.
 */
function isExplained({ members, shown, failed }: Outcome, decided: Verdicts, defaults: Shown): boolean {
  if (failed === null || shown.tests?.ran !== defaults.tests?.ran) return false;
  if (!isDeepStrictEqual(shown.found.failing, defaults.found.failing)) return false;
  const known = new Set<string>();
  for (const member of members) {
    const verdict = decided.get(member);
    if (verdict?.by.shown.found.exitCode !== shown.found.exitCode) continue;
    for (const name of failedBy(verdict)) known.add(name);
  }
  return failed.every((test) => known.has(test.name) || isDecided(test, decided));
}

/** Whether an option that is to blame for other tests is the only one left for this one. */
function isDecided({ suspects }: FailedTest, decided: Verdicts): boolean {
  const verdicts = suspects.map((suspect) => decided.get(suspect));
  return (
    verdicts.every((verdict) => verdict !== undefined) &&
    verdicts.some((verdict) => verdict?.ends === 'blamed')
  );
}

/** Returns the names of the tests that fail because of an option. */
export function failedBy({ by, member, ends }: Verdict): readonly string[] {
  if (ends === 'as-defaults') return [];
  if (ends === 'as-run') return by.shown.tests?.failed ?? [];
  return (by.failed ?? []).filter((test) => blamedFor(test) === member).map(({ name }) => name);
}

/** Returns the members that cannot be to blame for a failed test, and on which other tests depended. */
function cleared({ members, shown, failed }: Outcome): readonly PlannedRun[] {
  // Later tests may miss what a failed one did not write, and pass without what would have failed them.
  if (failed === null || failed.some(({ writes }) => writes)) return [];
  const involved = involvedIn(failed);
  return members.filter((member) => !involved.has(member) && isMet(member, shown));
}
