import { isDeepStrictEqual } from 'node:util';
import type { Together } from './combine.ts';
import type { PlannedRun } from './plan.ts';
import type { Done, Found } from './run-once.ts';
import { failedTestsOf, type FailedTest } from './suspects.ts';

/** What a completed run shows to the search for the options that fail. */
export type Shown = Pick<Done, 'found' | 'met' | 'tests'>;

/** A completed run of one or several options. */
export interface Outcome {
  readonly members: Together;
  readonly shown: Shown;
  /** The failed tests with the options that may be to blame; null if that is unknown. */
  readonly failed: readonly FailedTest[] | null;
}

/** Returns the outcome of a run. `defaults` is the run with the defaults; null if nothing is combined. */
export function outcomeOf(members: Together, shown: Shown, defaults: Shown | null): Outcome {
  const failed = defaults === null ? null : failedTestsOf(members, shown, defaults);
  return { members, shown, failed };
}

/**
 * Whether a run has the verdict of the run with the defaults: its command passed, and the same findings fail the run,
 * if any do.
 */
export function endsAsDefaults(found: Found, { found: expected }: Pick<Done, 'found'>): boolean {
  return found.exitCode === 0 && isDeepStrictEqual(found, expected);
}

/** Whether a response of the run depended on the assumption of a member. */
export function isMet(member: PlannedRun, { met }: Pick<Done, 'met'>): boolean {
  return endings(member, met).some((counts) => counts !== undefined);
}

/** Returns how the calls that depended on the assumptions of a run ended. */
export function endings(
  { assumptions }: PlannedRun,
  { assumed }: Done['met'],
): readonly (ReadonlyMap<string, number> | undefined)[] {
  return Object.keys(assumptions).map((name) => assumed.get(name));
}
