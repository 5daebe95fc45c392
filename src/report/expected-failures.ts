import { groupBy } from '../base/group-by.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Attempt } from './attempt.ts';

/** A rule that fails one request this often was hardly added for one test. */
const fewestOfRun = 20;

/** In a scope, a client that sends an element so often with the same request for a fault retries it. */
const fewestOfRetries = 3;

type Fault = JournalEntry['faults'][number];

/**
 * Returns the calls whose failures tests may have caused and expected: the calls requested them, or a rule
 * injected them that was added after the first call of the scope, or without one, of the sandbox.
 */
export function* expectedFailures(attempts: readonly Attempt[]): SlicedWork<ReadonlySet<Attempt>> {
  const faulty = attempts.filter(({ entry: { faults } }) => faults.length > 0);
  const requested = faulty.filter(({ entry }) => entry.faults.some(({ rule }) => rule === null));
  const retried = yield* retriedRequests(requested);
  const firstOf = faulty.length === 0 ? new Map<string, number>() : firstNumbers(attempts);
  const armed = faulty.flatMap((attempt) => {
    const isLate = ({ armedAfter = 0 }: Fault): boolean =>
      armedAfter >= (firstOf.get(callerOf(attempt)) ?? Infinity);
    const fault = attempt.entry.faults.find(isLate);
    // A rule can have the id of a deleted one.
    return fault === undefined
      ? []
      : [{ attempt, arming: `${attempt.request} ${fault.rule} ${fault.armedAfter}` }];
  });
  const few = [...groupBy(armed, ({ arming }) => arming).values()].filter(
    ({ length }) => length < fewestOfRun,
  );
  return new Set([
    ...requested.filter((attempt) => !retried.has(attempt)),
    ...few.flat().map(({ attempt }) => attempt),
  ]);
}

/** Returns the calls in scopes that request faults, and have an element that a client seems to retry. */
function* retriedRequests(requested: readonly Attempt[]): SlicedWork<ReadonlySet<Attempt>> {
  const inScopes = requested.filter(({ entry }) => entry.scope !== null);
  const retried = new Set<Attempt>();
  for (const alike of groupBy(inScopes, askingOf).values()) {
    const times = new Map<number, number>();
    for (const { keys } of alike) {
      for (const key of new Set(keys)) times.set(key, (times.get(key) ?? 0) + 1);
      yield;
    }
    for (const attempt of alike) {
      if (attempt.keys.some((key) => (times.get(key) ?? 0) >= fewestOfRetries)) retried.add(attempt);
      yield;
    }
  }
  return retried;
}

/** The same for calls of a client and operation that request the same faults. */
function askingOf(attempt: Attempt): string {
  return `${attempt.client} ${attempt.entry.operation} ${armingOf(attempt)}`;
}

/** The same for calls for which the same faults were armed. */
export function armingOf({ entry }: Attempt): string {
  return `${entry.ruleChanges ?? 0} ${entry.requestHeaders['sandbox-fault'] ?? ''}`;
}

/** Returns the number of the first call in each scope, and in each sandbox. */
function firstNumbers(attempts: readonly Attempt[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const attempt of attempts)
    for (const caller of [callerOf(attempt), sandboxOf(attempt)])
      first.set(caller, Math.min(attempt.number, first.get(caller) ?? Infinity));
  return first;
}

/** A call without a scope may be of any test in the sandbox. */
function callerOf(attempt: Attempt): string {
  const { scope } = attempt.entry;
  return scope === null ? sandboxOf(attempt) : `${sandboxOf(attempt)} ${scope}`;
}

function sandboxOf({ entry: { requestId } }: Attempt): string {
  return requestId.slice(0, requestId.lastIndexOf('-'));
}
