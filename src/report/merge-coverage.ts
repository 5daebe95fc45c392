import type { Report } from './report.ts';
import { isOfOperation } from './situations.ts';

type Operation = Report['coverage'][number];
type Field = Operation['fields'][number];
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
  return paired(one, other, (former, latter) => former.operation === latter.operation, mergeOperations);
}

function mergeOperations(one: Operation, other: Operation): Operation {
  return {
    operation: one.operation,
    calls: one.calls + other.calls,
    outcomes: summed(one.outcomes, other.outcomes),
    faults: summed(one.faults, other.faults),
    parameters: paired(one.parameters, other.parameters, isSameOption, add),
    fields: paired(one.fields, other.fields, isSameOption, add),
  };
}

function isSameOption(one: Field, other: Field): boolean {
  return one.pointer === other.pointer && one.option === other.option;
}

function add(one: Field, other: Field): Field {
  return other.count === 0 ? one : { ...one, count: one.count + other.count };
}

/**
 * Merges equal members, in the order of the first list. Lists of the same version have equal members at the
 * same places.
 */
function paired<T>(
  one: readonly T[],
  other: readonly T[],
  isSame: (former: T, latter: T) => boolean,
  merge: (former: T, latter: T) => T,
): readonly T[] {
  const others = new Set(other);
  const merged = one.map((former, index) => {
    const sameHere = other[index];
    const latter =
      sameHere !== undefined && isSame(former, sameHere)
        ? sameHere
        : other.find((member) => isSame(former, member));
    if (latter === undefined) return former;
    others.delete(latter);
    return merge(former, latter);
  });
  return others.size === 0 ? merged : [...merged, ...others];
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
