import type { AssumptionName } from '../../../assumptions.ts';
import { leavesOf, optionsOf, type Domains } from './ask.ts';
import { conclude, isRefusal, type Conclusions, type Reading } from './infer.ts';

/** Conclusions, and what contradicts them. */
export interface Reconciled extends Conclusions {
  /** Readings of a refusal that also covers values which the sandbox reports in an output. */
  readonly covered: readonly Reading[];
  /** Determined assumptions whose other options would explain a contradictory reading, with that reading. */
  readonly contested: ReadonlyMap<AssumptionName, Reading>;
}

/** Concludes from all readings. Sets readings aside if they follow a rule that the sandbox does not have. */
export function reconcile(readings: readonly Reading[]): Reconciled {
  const all = conclude(readings);
  const { covered, conclusions } = withoutCovered(readings, all) ?? { covered: [], conclusions: all };
  return { ...conclusions, covered, contested: contestedIn(conclusions) };
}

/**
 * Some services refuse a whole call for any invalid value, in the way in which they refuse a wrong type. Such
 * a refusal looks like the status of a failure, and contradicts the failures in outputs. Returns null if that
 * explains no contradiction.
 */
function withoutCovered(
  readings: readonly Reading[],
  before: Conclusions,
): { readonly covered: readonly Reading[]; readonly conclusions: Conclusions } | null {
  const { scopes } = before;
  if (oddities(before) === 0) return null;
  const refusals = new Set(
    readings
      .filter(({ about, seen }) => about === 'invalidParameters' && isRefusal(seen))
      .map(({ seen }) => seen),
  );
  const candidates = readings.filter(
    (reading) => refusals.has(reading.seen) && scopes.get(reading)?.has('ruleFailureStatus') === true,
  );
  const { domains } = conclude(readings.filter((reading) => !candidates.includes(reading)));
  const covered = candidates.filter((reading) => !isExplained(reading, domains));
  const conclusions = conclude(readings.filter((reading) => !covered.includes(reading)));
  return oddities(conclusions) < oddities(before) ? { covered, conclusions } : null;
}

/** The number of readings that do not go together. A refusal also counts if only its body contradicts others. */
function oddities({ contradictory, mixed }: Conclusions): number {
  return contradictory.length + mixed.length;
}

/** A conclusion is not sound if giving it up would explain a reading that contradicts the others. */
function contestedIn({ domains, contradictory, scopes }: Conclusions): ReadonlyMap<AssumptionName, Reading> {
  return new Map(
    contradictory.flatMap((reading) =>
      [...(scopes.get(reading) ?? [])]
        .filter((name) => domains.get(name)?.length === 1)
        .filter((name) => isExplained(reading, new Map([...domains, [name, optionsOf(name)]])))
        .map((name) => [name, reading] as const),
    ),
  );
}

function isExplained({ expected, seen }: Reading, domains: Domains): boolean {
  return leavesOf(expected, domains).some((leaf) => leaf.expected === seen);
}
