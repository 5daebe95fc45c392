import { TextFinder } from '../base/text-finder.ts';
import type { components } from '../contract/generated/control.ts';
import { durationOf, outcomeOf, realTime, requestIdOf, toEntry, type StoredEntry } from './journal-entry.ts';

/** A journal entry without bodies and headers, as a line of a list shows it. */
export type JournalSummary = components['schemas']['JournalSummary'];

export function toSummary(stored: StoredEntry): JournalSummary {
  const { sandboxId, number, receivedMs, method, operation, school, status, faults, assumed } = stored;
  const { violations, responseViolations = [], responseDifferences = [], hints = [] } = stored;
  return {
    requestId: requestIdOf(sandboxId, number),
    receivedAt: realTime(receivedMs),
    durationMs: durationOf(stored),
    method,
    operation,
    school,
    status,
    outcome: outcomeOf(stored),
    faults: faults.map(({ fault, rule }) => ({ fault, rule })),
    assumed,
    counts: {
      violations: violations.length,
      responseViolations: responseViolations.length,
      responseDifferences: responseDifferences.length,
      hints: hints.length,
    },
  };
}

/** Returns a function that checks whether an entry contains a text, in any case. */
export function containing(text: string): (stored: StoredEntry) => boolean {
  const wanted = new TextFinder(text.toLowerCase());
  return (stored) => {
    const { requestId, operation, school, scope, url, request, response, faults, assumed } = toEntry(stored);
    const places = [
      requestId,
      operation,
      school ?? '',
      scope ?? '',
      url,
      ...assumed,
      ...faults.map(({ fault, rule }) => `${fault} ${rule ?? ''}`),
      request,
      response,
    ];
    return places.some((place) => wanted.isIn(place.toLowerCase()));
  };
}

/** The maximum number of operations in `valuesIn`. Unmatched requests can have any names. */
const maxOperations = 100;

/** Returns the operations, outcomes and statuses of entries. */
export function valuesIn(entries: readonly StoredEntry[]): components['schemas']['JournalValues'] {
  const operations = new Set<string>();
  const outcomes = new Set<string>();
  const statuses = new Set<number>();
  for (const entry of entries.toReversed()) {
    if (operations.size < maxOperations) operations.add(entry.operation);
    outcomes.add(outcomeOf(entry));
    statuses.add(entry.status);
  }
  return { operations: [...operations], outcomes: [...outcomes], statuses: [...statuses] };
}
