import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** Maximum number of calls shown of a failed run, and of calls among which they are sought. */
const maxCalls = 5;
export const maxSought = 1000;

/** Returns the last calls that did not succeed, or the last calls if all did. */
export function lastOf(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const sought = entries.slice(-maxSought);
  const failed = sought.filter(({ outcome }) => outcome !== 'ok');
  return (failed.length > 0 ? failed : sought).slice(-maxCalls);
}
