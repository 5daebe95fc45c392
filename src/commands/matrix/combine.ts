import { isDeepStrictEqual } from 'node:util';
import { assumptionNames, profiles, type PartialOptions } from '../../assumptions.ts';
import type { PlannedRun } from './plan.ts';
import type { Done } from './run-once.ts';
import type { Met } from './skip-unmet.ts';

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
 * If the run passed, so did the members on which a response depended. Another option may have prevented that
 * for the others, so each of them runs alone. If it failed, those that made calls end in another way than with
 * the defaults run alone, and the others together.
 */
export function shownBy({ run, met }: Done, members: Together, defaults: Met): Shown {
  if (run.result === 'failed') {
    const suspects = members.filter(
      (member) => !isDeepStrictEqual(endings(member, met), endings(member, defaults)),
    );
    const others = members.filter((member) => !suspects.includes(member));
    const isDivided = suspects.length > 0 && others.length > 0;
    return { settled: [], again: isDivided ? [others, ...suspects.map(alone)] : halves(members) };
  }
  const isMet = (member: PlannedRun): boolean => endings(member, met).some((counts) => counts !== undefined);
  return {
    settled: members.filter(isMet),
    again: members.filter((member) => !isMet(member)).map(alone),
  };
}

/** Returns how the calls that depended on the assumptions of a run ended. */
function endings(
  { assumptions }: PlannedRun,
  { assumed }: Met,
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
