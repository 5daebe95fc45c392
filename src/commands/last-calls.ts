import type { JournalEntry } from '../sandbox/journal-entry.ts';

/** Maximum number of calls shown of a failed run, and of calls among which they are sought. */
const maxCalls = 5;
export const maxSought = 1000;

type Sought = Pick<JournalEntry, 'outcome' | 'scope'>;

/**
 * Returns the last calls in the scopes of failed tests, some of each test. If there are none, returns the last calls
 * that did not succeed, or the last calls if all did.
 */
export function lastOf<E extends Sought>(
  entries: readonly E[],
  failedTests: readonly string[] = [],
): readonly E[] {
  const sought = entries.slice(-maxSought);
  const scopes = [...new Set(sought.flatMap(({ scope }) => (scope === null ? [] : [scope])))];
  const own = new Set(failedTests.flatMap((test) => scopesOf(test, scopes)));
  const ofTests = sought.filter(({ scope }) => scope !== null && own.has(scope));
  if (ofTests.length > 0) return spread(ofTests);
  const failed = sought.filter(({ outcome }) => outcome !== 'ok');
  return (failed.length > 0 ? failed : sought).slice(-maxCalls);
}

/** Returns the last calls of each scope, as many of each as there is room for, in their order. */
function spread<E extends Sought>(calls: readonly E[]): readonly E[] {
  const seen = new Map<string | null, number>();
  const newestFirst = calls.toReversed().map((call) => {
    const rank = seen.get(call.scope) ?? 0;
    seen.set(call.scope, rank + 1);
    return { call, rank };
  });
  const chosen = newestFirst.toSorted((one, other) => one.rank - other.rank).slice(0, maxCalls);
  const shown = new Set(chosen.map(({ call }) => call));
  return calls.filter((call) => shown.has(call));
}

/** Returns the scopes that may belong to a test. Of tests with the same name, the one in the same class or file. */
export function scopesOf(test: string, scopes: readonly string[]): readonly string[] {
  const names = [wordsOf(test), wordsOf(test.slice(test.indexOf(': ') + 1))].filter((name) => name !== ' ');
  const tails = new Set(tailsOf(test));
  const found = scopes.filter((scope) => isOfTest(scope, names, tails));
  const sharedBy = (scope: string): number => {
    const words = wordsOf(scope);
    return (names[0] ?? '').split(' ').filter((word) => words.includes(` ${word} `)).length;
  };
  const most = Math.max(...found.map(sharedBy));
  return found.filter((scope) => sharedBy(scope) === most);
}

/** Runners put the file or the class before the name of a test, and a scope that is too long ends in a hash. */
function isOfTest(scope: string, names: readonly string[], tails: ReadonlySet<string>): boolean {
  const words = wordsOf(scope);
  if (tails.has(words) || names.some((name) => words.endsWith(name))) return true;
  const [, beginning] = /^(.*)~[0-9a-f]{12}$/s.exec(scope) ?? [];
  return beginning !== undefined && names.some((name) => isCutIn(wordsOf(beginning), name));
}

/** Whether a text ends within the name of a test. */
function isCutIn(beginning: string, name: string): boolean {
  const text = beginning.trimEnd();
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
    const rest = text.slice(at);
    if (rest.length < minCutChars) return false;
    if (name.startsWith(rest)) return true;
  }
  return false;
}

/** Fewer characters of a name may belong to another test. */
const minCutChars = 16;

/** Returns the words of a name, without one group after another that it is in. */
function tailsOf(test: string): readonly string[] {
  const parts = test.split(/ > |: |::|\//);
  return parts.map((_, from) => wordsOf(parts.slice(from).join(' '))).filter((tail) => tail !== ' ');
}

/** Returns the words of a name, each between spaces. */
function wordsOf(name: string): string {
  return ` ${(name.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `${word} `).join('')}`;
}
