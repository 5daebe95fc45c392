import { isDeepStrictEqual } from 'node:util';
import { assumptionNames, profiles, type PartialOptions } from '../../assumptions.ts';
import type { PlannedRun } from './plan.ts';

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
  const options = runs.filter(({ kind }) => kind === 'assumption');
  const others = runs.filter(({ kind }) => kind !== 'assumption');
  return [...packed(options.map(alone)), ...others.map(alone)];
}

/** Joins parts in their order, each to the first others that have options of other assumptions only. */
export function packed(parts: readonly Together[]): readonly Together[] {
  const groups: { members: PlannedRun[]; readonly names: Set<string> }[] = [];
  for (const part of parts) {
    const names = part.flatMap(({ assumptions }) => Object.keys(assumptions));
    const group = groups.find((one) => names.every((name) => !one.names.has(name)));
    if (group === undefined) groups.push({ members: [...part], names: new Set(names) });
    else {
      group.members.push(...part);
      for (const name of names) group.names.add(name);
    }
  }
  return groups.map(({ members }) => members);
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

/** Returns pairs of runs with the same responses, the one that need not run first. */
export function twinsIn(
  runs: readonly PlannedRun[],
  assumed: ReadonlyMap<string, unknown>,
): ReadonlyMap<PlannedRun, PlannedRun> {
  // By default, refusals of the gateway have the body of all refusals. Then both options determine the same responses.
  if (!isDeepStrictEqual(assumed.get('refusalBody'), assumed.get('gatewayRefusalBody'))) return new Map();
  return new Map(
    runs.flatMap((run) => {
      const { refusalBody } = run.assumptions;
      const twin = runs.find(
        ({ assumptions: { gatewayRefusalBody } }) =>
          gatewayRefusalBody !== undefined && gatewayRefusalBody === refusalBody,
      );
      const isOwnText = refusalBody === 'template';
      return run.kind !== 'assumption' || twin?.kind !== 'assumption' || isOwnText ? [] : [[run, twin]];
    }),
  );
}

export function alone(planned: PlannedRun): Together {
  return [planned];
}
