import type { AssumptionName } from '../../../assumptions.ts';
import { leavesOf, optionsOf, type Domains } from './ask.ts';
import { conclude, isRefusal, type Conclusions, type Reading } from './infer.ts';

/** Conclusions, and what contradicts them. */
export interface Reconciled extends Conclusions {
  /** Readings of a refusal that also covers values which the sandbox reports in an output. */
  readonly covered: readonly Reading[];
  /** Batches that were refused because an element failed, which no option does. */
  readonly refusedBatches: readonly Reading[];
  /** Determined assumptions whose other options would explain a contradictory reading, with that reading. */
  readonly contested: ReadonlyMap<AssumptionName, Reading>;
}

/** Concludes from all readings. Sets readings aside if they follow a rule that the sandbox does not have. */
export function reconcile(readings: readonly Reading[]): Reconciled {
  const all = conclude(readings);
  const { covered, conclusions } = withoutCovered(readings, all) ?? { covered: [], conclusions: all };
  // A rule about values shows in an element that is sent alone.
  if (covered.some(({ about }) => about !== 'batchProcessing'))
    return {
      ...conclusions,
      covered,
      refusedBatches: [],
      contested: contestedIn(without(readings, covered), conclusions),
    };
  const refusedBatches = refusedBatchesIn(readings);
  const rest = without(readings, refusedBatches);
  const others = refusedBatches.length === 0 ? all : conclude(rest);
  return { ...others, covered: [], refusedBatches, contested: contestedIn(rest, others) };
}

/**
 * Some services refuse the whole batch if an element fails. With the failing element first, that looks like a service
 * that stops there; with it last, like one that accepts only one element.
 */
function refusedBatchesIn(readings: readonly Reading[]): readonly Reading[] {
  const candidates = readings.filter(({ about, seen }) => about === 'batchProcessing' && isRefusal(seen));
  // To conclude is most of the work.
  if (candidates.length === 0) return [];
  const { domains } = conclude(without(readings, candidates));
  const isLikely = ({ expected, seen }: Reading): boolean =>
    leavesOf(expected, domains).some(
      (leaf) => isRefusal(leaf.expected) && leaf.expected.slice(0, 4) === seen.slice(0, 4),
    );
  return candidates.filter((reading) => !isLikely(reading));
}

function without(readings: readonly Reading[], some: readonly Reading[]): readonly Reading[] {
  return readings.filter((reading) => !some.includes(reading));
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
    (reading) =>
      refusals.has(reading.seen) &&
      (reading.about === 'batchProcessing' || scopes.get(reading)?.has('ruleFailureStatus') === true),
  );
  if (candidates.length === 0) return null;
  const { domains } = conclude(without(readings, candidates));
  const covered = candidates.filter((reading) => !isExplained(reading, domains));
  const conclusions = conclude(without(readings, covered));
  return oddities(conclusions) < oddities(before) ? { covered, conclusions } : null;
}

/** The number of readings that do not go together. A refusal also counts if only its body contradicts others. */
function oddities({ contradictory, mixed }: Conclusions): number {
  return contradictory.length + mixed.length;
}

/**
 * A conclusion is not sound if giving it up would explain a reading that contradicts the others, unless that would
 * contradict at least twice as many readings: one exception of a service must not hide its rules.
 */
function contestedIn(
  readings: readonly Reading[],
  { domains, contradictory, scopes }: Conclusions,
): ReadonlyMap<AssumptionName, Reading> {
  const agreeing = without(readings, contradictory).filter((reading) => isExplained(reading, domains));
  const isContested = (name: AssumptionName, reading: Reading): boolean => {
    // A pair of elements repeats what its first element shows alone.
    const counted = ({ about }: Reading): boolean =>
      name === 'batchProcessing' || about !== 'batchProcessing';
    return optionsOf(name).some((option) => {
      const given = new Map([...domains, [name, [option]]]);
      if (!isExplained(reading, given)) return false;
      const gained = contradictory.filter((one) => counted(one) && isExplained(one, given));
      const lost = agreeing.filter((one) => counted(one) && !isExplained(one, given));
      return lost.length < 2 * gained.length || gained.length === 0;
    });
  };
  return new Map(
    contradictory.flatMap((reading) =>
      [...(scopes.get(reading) ?? [])]
        .filter((name) => domains.get(name)?.length === 1 && isContested(name, reading))
        .map((name) => [name, reading] as const),
    ),
  );
}

function isExplained({ expected, seen }: Reading, domains: Domains): boolean {
  return leavesOf(expected, domains).some((leaf) => leaf.expected === seen);
}
