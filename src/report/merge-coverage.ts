import type { Report } from './report.ts';
import { isOfOperation } from './situations.ts';

type Operation = Report['coverage'][number];
type Situations = Report['situations'];
type Situation = Situations['missing'][number];
type Counts = Readonly<Record<string, number>>;

/** Adds up counts by name. */
export function summed(one: Counts, other: Counts): Counts {
  const sums: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Adds up what clients encountered at each operation. Reports of one version list the same operations. */
export function mergeCoverage(one: readonly Operation[], other: readonly Operation[]): readonly Operation[] {
  return paired(one, other, ({ operation }) => operation, mergeOperations);
}

function mergeOperations(one: Operation, other: Operation): Operation {
  const use = ({ pointer, option }: Operation['fields'][number]): string => `${pointer} ${option}`;
  const add = (former: Operation['fields'][number], latter: typeof former): typeof former => ({
    ...former,
    count: former.count + latter.count,
  });
  return {
    operation: one.operation,
    calls: one.calls + other.calls,
    outcomes: summed(one.outcomes, other.outcomes),
    faults: summed(one.faults, other.faults),
    parameters: paired(one.parameters, other.parameters, use, add),
    fields: paired(one.fields, other.fields, use, add),
  };
}

/** Merges the members with the same key, in the order of the first list. */
function paired<T>(
  one: readonly T[],
  other: readonly T[],
  keyOf: (member: T) => string,
  merge: (former: T, latter: T) => T,
): readonly T[] {
  const byKey = new Map(one.map((member) => [keyOf(member), member]));
  for (const member of other) {
    const key = keyOf(member);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? member : merge(known, member));
  }
  return [...byKey.values()];
}

/** A situation is met if it was met in any report. Both reports know the same situations. */
export function mergeSituations(one: Situations, other: Situations): Situations {
  const alsoMissing = new Set(other.missing.map(situationKey));
  const missing = one.missing.filter((situation) => alsoMissing.has(situationKey(situation)));
  const { operations, failures } = one.groups;
  const missingOf = (isOwn: (situation: Situation) => boolean): number => missing.filter(isOwn).length;
  return {
    ...share(one.of, missing.length),
    groups: {
      operations: share(operations.of, missingOf(isOfOperation)),
      failures: share(
        failures.of,
        missingOf((situation) => !isOfOperation(situation)),
      ),
    },
    missing,
  };
}

function share(of: number, missing: number): Situations['groups']['operations'] {
  const met = of - missing;
  return { met, of, percent: Math.floor((met / of) * 100) };
}

function situationKey({ kind, name }: Situation): string {
  return `${kind} ${name}`;
}
