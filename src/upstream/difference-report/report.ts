import type { AssumptionName } from '../../assumptions.ts';

/** The assumption that explains a difference. */
interface Explanation {
  readonly assumption: AssumptionName;
  /** The option of the sandbox. */
  readonly option: string;
  /** The options with which the sandbox does the same as the other side, in all calls; empty if there is none. */
  readonly instead: readonly string[];
}

/** A difference between two replies to the same call. */
export interface Difference {
  /** The same in every run: aspect, operation, call and place. */
  readonly id: string;
  readonly operation: string;
  readonly call: string;
  /** What differs: `status`, a header, a place in the body. */
  readonly what: string;
  readonly left: string;
  readonly right: string;
  /** How many calls have it. */
  readonly count: number;
  readonly explanation: Explanation | null;
}

/** What was compared, and where it differs. */
export interface DifferenceReport {
  readonly title: string;
  /** The names of the two sides. */
  readonly sides: readonly [left: string, right: string];
  /** The calls that were compared, by operation and name, with how often they were sent. */
  readonly compared: readonly ComparedCall[];
  readonly differences: readonly Difference[];
  /** What was left out, and why. */
  readonly skipped: readonly SkippedCall[];
}

interface ComparedCall {
  readonly operation: string;
  readonly call: string;
  readonly count: number;
}

export interface SkippedCall {
  readonly operation: string;
  readonly call: string;
  readonly why: string;
}

/** The differences that do not fail a run. */
export interface Tolerance {
  /** The starts of ids, or the names of assumptions. */
  readonly allow: readonly string[];
  /** The ids in a baseline. */
  readonly known: readonly string[];
}

/** Returns the differences that are neither allowed nor known. */
export function uncovered({ differences }: DifferenceReport, tolerance: Tolerance): readonly Difference[] {
  return differences.filter((one) => !isCovered(one, tolerance));
}

export function isCovered({ id, explanation }: Difference, { allow, known }: Tolerance): boolean {
  return (
    known.includes(id) ||
    allow.some(
      (name) =>
        explanation?.assumption === name ||
        id === name ||
        id.startsWith(name.endsWith(':') ? name : `${name}:`),
    )
  );
}

/** Returns one sentence on a difference, for baselines and messages. */
export function sentenceOn(
  { what, left, right }: Difference,
  [one, other]: DifferenceReport['sides'],
): string {
  return `${what}: ${one} ${left}, ${other} ${right}`;
}

/** Returns what to do about a difference; empty if no assumption explains it. */
export function advice({ explanation }: Difference): string {
  if (explanation === null) return '';
  const { assumption, option, instead } = explanation;
  if (instead.length === 0)
    return `${assumption}: no option does this and fits the other calls (now ${option})`;
  return `${assumption}=${instead.join(' or ')} (now ${option})`;
}

/** The differences that are the same except for the call count once, with how many calls have them. */
export function merged(differences: readonly Difference[]): readonly Difference[] {
  const byText = new Map<string, Difference>();
  for (const one of differences) {
    const key = JSON.stringify([one.id, one.left, one.right]);
    const before = byText.get(key);
    byText.set(key, before === undefined ? one : { ...before, count: before.count + one.count });
  }
  return [...byText.values()];
}

/**
 * Returns the options that explain differences, as flags: for each assumption the one that explains the most;
 * empty if there are none.
 */
export function flagsFor({ differences }: DifferenceReport): string {
  const counts = new Map<string, Map<string, number>>();
  for (const { explanation } of differences) {
    const [only, ...more] = explanation?.instead ?? [];
    if (explanation === null || only === undefined || more.length > 0) continue;
    const own = counts.get(explanation.assumption) ?? new Map<string, number>();
    counts.set(explanation.assumption, own.set(only, (own.get(only) ?? 0) + 1));
  }
  const flags = [...counts].map(([name, options]) => {
    const [best] = [...options].toSorted(([, one], [, other]) => other - one);
    return `--assume ${name}=${best?.[0] ?? ''}`;
  });
  return flags.join(' ');
}
