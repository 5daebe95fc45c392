import { groupBy } from '../base/group-by.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Attempt } from './attempt.ts';

/** A rule that fails one request this often was hardly added for one test. */
const fewestOfRun = 20;

type Fault = JournalEntry['faults'][number];

/**
 * Returns the calls without a scope whose failures tests may have armed for themselves, and expected: the calls
 * requested them, or a rule that was added between the calls injected them.
 */
export function expectedFailures(attempts: readonly Attempt[]): ReadonlySet<Attempt> {
  const unscoped = attempts.filter(({ entry: { scope, faults } }) => scope === null && faults.length > 0);
  const requested = unscoped.filter(({ entry }) => entry.faults.some(({ rule }) => rule === null));
  const firstOf = unscoped.length === 0 ? new Map<string, number>() : firstNumbers(attempts);
  const armed = unscoped.flatMap((attempt) => {
    const isLate = ({ armedAfter = 0 }: Fault): boolean =>
      armedAfter >= (firstOf.get(sandboxOf(attempt)) ?? Infinity);
    const fault = attempt.entry.faults.find(isLate);
    // A rule can have the id of a deleted one.
    return fault === undefined
      ? []
      : [{ attempt, arming: `${attempt.request} ${fault.rule} ${fault.armedAfter}` }];
  });
  const few = [...groupBy(armed, ({ arming }) => arming).values()].filter(
    ({ length }) => length < fewestOfRun,
  );
  return new Set([...requested, ...few.flat().map(({ attempt }) => attempt)]);
}

/** The same for calls for which the same faults were armed. */
export function armingOf({ entry }: Attempt): string {
  return `${entry.ruleChanges ?? 0} ${entry.requestHeaders['sandbox-fault'] ?? ''}`;
}

/** Returns the number of the first call in each sandbox. */
function firstNumbers(attempts: readonly Attempt[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const attempt of attempts) {
    const sandbox = sandboxOf(attempt);
    first.set(sandbox, Math.min(attempt.number, first.get(sandbox) ?? Infinity));
  }
  return first;
}

function sandboxOf({ entry: { requestId } }: Attempt): string {
  return requestId.slice(0, requestId.lastIndexOf('-'));
}
