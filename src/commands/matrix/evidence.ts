import type { Report } from '../../report/report.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Run } from './plan.ts';

/** Names a call in the result of a run. */
export function named({
  requestId,
  operation,
  scope,
  status,
  outcome,
}: JournalEntry): Run['lastCalls'][number] {
  return { requestId, operation, scope, status, outcome };
}

/** Returns the number of conduct checks for each verdict that occurred. */
export function groupedByVerdict({ conduct }: Report): Run['conduct'] {
  const counts: Record<string, number> = {};
  for (const { verdict } of conduct) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** `2 failed, 5 passed, 1 not judged`; empty for a run without calls. */
export function conductText({ conduct, calls }: Pick<Run, 'conduct' | 'calls'>): string {
  const shown = ['failed', 'advised', 'passed', 'not-judged'].flatMap((verdict) => {
    const count = conduct[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdict.replace('-', ' ')}`];
  });
  return calls === 0 ? '' : shown.join(', ');
}
