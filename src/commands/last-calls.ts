import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** Maximum number of calls shown of a failed run, and of calls among which they are sought. */
const maxCalls = 5;
export const maxSought = 1000;

type Sought = Pick<JournalEntry, 'outcome' | 'scope'>;

/**
 * Returns the last calls in the scopes of failed tests. If there are none, returns the last calls that did not succeed,
 * or the last calls if all did.
 */
export function lastOf<E extends Sought>(
  entries: readonly E[],
  failedTests: readonly string[] = [],
): readonly E[] {
  const sought = entries.slice(-maxSought);
  const names = failedTests.flatMap((test) => [wordsOf(test), wordsOf(test.slice(test.indexOf(': ') + 1))]);
  const ofTests = sought.filter(({ scope }) => scope !== null && isOneOf(wordsOf(scope), names));
  if (ofTests.length > 0) return ofTests.slice(-maxCalls);
  const failed = sought.filter(({ outcome }) => outcome !== 'ok');
  return (failed.length > 0 ? failed : sought).slice(-maxCalls);
}

/** Whether one of two names ends with the other: runners put the file or the class before the name of a test. */
function isOneOf(scope: string, names: readonly string[]): boolean {
  return (
    scope !== ' ' && names.some((name) => name !== ' ' && (scope.endsWith(name) || name.endsWith(scope)))
  );
}

/** Returns the words of a name, each between spaces. */
function wordsOf(name: string): string {
  return ` ${(name.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `${word} `).join('')}`;
}
