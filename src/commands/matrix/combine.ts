import { isDeepStrictEqual } from 'node:util';
import { assumptionNames, profiles, type PartialOptions } from '../../assumptions.ts';
import type { PlannedRun } from './plan.ts';
import type { Done, Found } from './run-once.ts';

/** Planned runs of different assumptions that share one run of the program. */
export type Together = readonly PlannedRun[];

/**
 * Divides the runs into groups that share a run, with at most one option of each assumption. The options of the
 * profile `strict`, which fail most commands, are a group of their own. Scenarios and profiles stay alone.
 */
export function grouped(runs: readonly PlannedRun[]): readonly Together[] {
  const strict = runs.filter(isStrict);
  const others = runs.filter((run) => !isStrict(run));
  return [...(strict.length === 0 ? [] : [strict]), ...dealt(others)];
}

function isStrict({ kind, assumptions }: PlannedRun): boolean {
  const strict: PartialOptions = profiles.strict;
  return (
    kind === 'assumption' &&
    assumptionNames.some((name) => assumptions[name] !== undefined && assumptions[name] === strict[name])
  );
}

function dealt(runs: readonly PlannedRun[]): readonly Together[] {
  const groups: PlannedRun[][] = [];
  const single: Together[] = [];
  const seen = new Map<string, number>();
  for (const run of runs) {
    const [assumption] = Object.keys(run.assumptions);
    if (run.kind !== 'assumption' || assumption === undefined) {
      single.push(alone(run));
      continue;
    }
    const place = seen.get(assumption) ?? 0;
    seen.set(assumption, place + 1);
    const group = groups[place];
    if (group === undefined) groups.push([run]);
    else group.push(run);
  }
  return [...groups, ...single];
}

/** Returns a run with the options of all members, which must be of different assumptions. */
export function runOf(members: Together, number: number): PlannedRun {
  // Like a profile, it has options of several assumptions.
  return {
    name: `${members.length} options (${number})`,
    kind: 'profile',
    words: [],
    assumptions: Object.fromEntries(members.flatMap(({ assumptions }) => Object.entries(assumptions))),
    scenario: null,
  };
}

/** What a run of a group shows of its members, and which groups have to run after it. */
interface Shown {
  readonly settled: readonly PlannedRun[];
  readonly again: readonly Together[];
}

/**
 * Whether a run has the verdict of the run with the defaults: its command passed, and the same findings fail the run,
 * if any do.
 */
export function endsAsDefaults(found: Found, { found: expected }: Pick<Done, 'found'>): boolean {
  return found.exitCode === 0 && isDeepStrictEqual(found, expected);
}

/**
 * If the run ended as the one with the defaults, so did the members on which a response depended. Another option may
 * have prevented that for the others, so they run again without these. If it ended in another way, those that made
 * calls end in another way than with the defaults are suspects: few run alone, many in halves, and the others together.
 */
export function shownBy({ found, met }: Done, members: Together, defaults: Done): Shown {
  if (!endsAsDefaults(found, defaults)) {
    const suspects = members.filter(
      (member) => !isDeepStrictEqual(endings(member, met), endings(member, defaults.met)),
    );
    const others = members.filter((member) => !suspects.includes(member));
    const isDivided = suspects.length > 0 && others.length > 0;
    return { settled: [], again: isDivided ? [others, ...parts(suspects)] : halves(members) };
  }
  const isMet = (member: PlannedRun): boolean => endings(member, met).some((counts) => counts !== undefined);
  const settled = members.filter(isMet);
  const unmet = members.filter((member) => !isMet(member));
  return { settled, again: settled.length === 0 || unmet.length === 0 ? unmet.map(alone) : [unmet] };
}

/** Few suspects are mostly guilty. Of many, most are not. */
const fewSuspects = 3;

function parts(suspects: Together): readonly Together[] {
  return suspects.length > fewSuspects ? halves(suspects) : suspects.map(alone);
}

/** Returns how the calls that depended on the assumptions of a run ended. */
function endings(
  { assumptions }: PlannedRun,
  { assumed }: Done['met'],
): readonly (ReadonlyMap<string, number> | undefined)[] {
  return Object.keys(assumptions).map((name) => assumed.get(name));
}

function halves(members: Together): readonly Together[] {
  const half = Math.ceil(members.length / 2);
  return [members.slice(0, half), members.slice(half)];
}

export function alone(planned: PlannedRun): Together {
  return [planned];
}
