import type { CheckedRule } from '../../faults/rule.ts';
import { readScenario } from '../../store/read-scenario.ts';
import type { CallCounter } from './call-counter.ts';
import type { PlannedRun } from './plan.ts';

/** What the run with the defaults triggered. */
export interface Met extends Pick<CallCounter, 'assumed' | 'unlisted' | 'operations'> {
  /** The scenario of all runs that have no other. */
  readonly scenario: string | null;
}

/**
 * Returns why a run cannot trigger its assumption or scenario, or null if it can. Up to the first response that
 * depends on its assumption, or the first call at which a rule of its scenario fires, the run is the same as
 * the one with the defaults. If that run never gets so far, neither does this one.
 */
export async function whyUnmet(
  { kind, assumptions, scenario }: PlannedRun,
  { assumed, unlisted, operations, scenario: common }: Met,
): Promise<string | null> {
  if (scenario !== null) {
    // With another scenario, the run with the defaults made other calls.
    if (common !== null) return null;
    const { rules } = await readScenario(scenario);
    const canFire = rules.some((rule) => callsOf(rule, operations) >= firstCallOf(rule));
    return canFire ? null : 'the run "defaults" makes too few calls for a rule of the scenario to fire';
  }
  const names = Object.keys(assumptions);
  if (names.length === 0 || names.some((name) => assumed.has(name) || unlisted.has(name))) return null;
  const what = kind === 'profile' ? 'the options of the profile' : names.join(', ');
  return `no response of the run "defaults" depends on ${what}`;
}

/** Returns the number of calls that a rule may affect. */
function callsOf({ operations: own }: CheckedRule, called: Met['operations']): number {
  return [...called]
    .filter(([operation]) => own === null || [...own].some((name) => name === operation))
    .reduce((sum, [, calls]) => sum + calls, 0);
}

/** Returns the number of the first call at which a rule may fire. */
function firstCallOf({ rule: { when } }: CheckedRule): number {
  return (when?.skip ?? 0) + (when?.every ?? 1);
}
