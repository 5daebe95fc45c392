import { operationNames } from '../contract/operation-types.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Report } from './report.ts';

/** Which operations the client called, and what it met there. Operations that it never called are listed too. */
export function coverage(entries: readonly JournalEntry[]): Report['coverage'] {
  return operationNames.map((operation) => {
    const outcomes = new Map<string, number>();
    const own = entries.filter((entry) => entry.operation === operation);
    for (const { outcome } of own) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    return { operation, calls: own.length, outcomes: Object.fromEntries(outcomes) };
  });
}
