import type { Report } from '../../report/report.ts';
import { toEntry, type JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Recorder } from '../recorder.ts';
import type { Run } from './plan.ts';

/** Maximum number of calls named per failed run, and of calls among which they are sought. */
const maxCalls = 5;
const maxSought = 1000;

/** Returns the last calls that did not succeed, or the last calls if all did. */
export function lastCalls({ stored }: Pick<Recorder, 'stored'>): Run['lastCalls'] {
  const entries = stored.slice(-maxSought).map(toEntry);
  const failed = entries.filter(({ outcome }) => outcome !== 'ok');
  return (failed.length > 0 ? failed : entries).slice(-maxCalls).map(named);
}

function named({ requestId, operation, scope, status, outcome }: JournalEntry): Run['lastCalls'][number] {
  return { requestId, operation, scope, status, outcome };
}

/** Returns the number of conduct checks for each verdict that occurred. */
export function groupedByVerdict({ conduct }: Report): Run['conduct'] {
  const counts: Record<string, number> = {};
  for (const { verdict } of conduct) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** `2 failed, 5 passed`; empty for a run without calls. */
export function conductText({ conduct, calls }: Run): string {
  const shown = ['failed', 'advised', 'passed'].flatMap((verdict) => {
    const count = conduct[verdict] ?? 0;
    return count === 0 ? [] : [`${count} ${verdict}`];
  });
  return calls === 0 ? '' : shown.join(', ');
}
