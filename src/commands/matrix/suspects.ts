import type { AssumptionName } from '../../assumptions.ts';
import type { StoredEntry } from '../../sandbox/journal-entry.ts';
import { scopesOf } from '../last-calls.ts';
import type { Together } from './combine.ts';
import type { Shown } from './outcome.ts';
import type { PlannedRun } from './plan.ts';
import { unlistedIn } from './unlisted.ts';

/** The tests of a run with their calls, as its JUnit file and its scopes show them. */
export interface TestsOfRun {
  readonly failed: readonly string[];
  readonly calls: readonly CallOfTest[];
}

export interface CallOfTest {
  readonly scope: string | null;
  /** The assumptions on which the response may depend. */
  readonly assumed: readonly AssumptionName[];
}

/** Returns what shows the options on which the calls of the client depended. */
export function callsOfTests(stored: readonly StoredEntry[]): readonly CallOfTest[] {
  return stored
    .filter(({ page }) => page === null)
    .map((entry) => ({ scope: entry.scope, assumed: [...entry.assumed, ...unlistedIn(entry)] }));
}

/** A failed test of a combined run. */
export interface FailedTest {
  readonly name: string;
  /**
   * The options on which its calls depended, or calls outside of any test. If there are none, all of `possible`. The
   * likeliest is the first.
   */
  readonly suspects: Together;
  /**
   * The options on which any response depended before it ended: it may use records or responses that another test left
   * to it.
   */
  readonly possible: Together;
}

/** Above this number, the names of tests and scopes are not compared, which takes too long. */
const maxFailedTests = 200;

/** Returns the failed tests of a combined run. Null if one of them cannot be attributed to calls and options. */
export function failedTestsOf(
  members: Together,
  { found, tests }: Shown,
  { tests: expected }: Shown,
): readonly FailedTest[] | null {
  if (tests === null || expected === null || members.length < 2) return null;
  // Without an exit code, the command was ended, and with 0 only its findings can fail.
  if (found.exitCode === null || found.exitCode === 0) return null;
  if (tests.failed.length === 0 || tests.failed.length > maxFailedTests) return null;
  // A test that failed before its first call has a scope only with the defaults.
  const scopes = [...new Set([...scopesIn(tests), ...scopesIn(expected)])];
  const own = new Map(tests.failed.map((name) => [name, new Set(scopesOf(name, scopes))]));
  const failedScopes = new Set([...own.values()].flatMap((names) => [...names]));
  const byShare = likeliestFirst(tests, failedScopes);
  const endOf = endsIn(tests.calls);
  const failed = [...own].map(([name, names]) => {
    const isOwn = ({ scope }: CallOfTest): boolean => scope !== null && names.has(scope);
    const isOwnOrShared = (call: CallOfTest): boolean => call.scope === null || isOwn(call);
    const before = tests.calls.slice(0, endOf(tests.calls.findLastIndex(isOwn)));
    const possible = askedBy(members, before);
    const likely = askedBy(members, before.filter(isOwnOrShared));
    return { name, suspects: byShare(likely.length > 0 ? likely : possible), possible };
  });
  return failed.every(({ possible }) => possible.length > 0) ? failed : null;
}

/** Returns the options that may have failed a test. */
export function involvedIn(failed: readonly FailedTest[]): Together {
  return [...new Set(failed.flatMap(({ possible }) => possible))];
}

/**
 * Returns a function from the last call of a test to the number of calls before the test ended: the next test has
 * another scope. If tests overlap or a test has no call, this may be all of them.
 */
function endsIn(calls: readonly CallOfTest[]): (last: number) => number {
  const turns = calls.flatMap(({ scope }, at) => (scope === null ? [] : [{ scope, at }]));
  const starts = turns.filter(({ scope }, turn) => scope !== turns[turn - 1]?.scope);
  const areApart = new Set(starts.map(({ scope }) => scope)).size === starts.length;
  return (last) => {
    const next = starts.find(({ at }) => at > last);
    return last < 0 || !areApart || next === undefined ? calls.length : next.at;
  };
}

/** Returns a function that sorts options by the share of their tests that failed: all, mostly, of the guilty one. */
function likeliestFirst(
  { calls }: TestsOfRun,
  failedScopes: ReadonlySet<string>,
): (members: Together) => Together {
  const share = (member: PlannedRun): number => {
    const asking = new Set(scopesIn({ calls: calls.filter((call) => isAskedBy(member, call)) }));
    return [...asking].filter((scope) => failedScopes.has(scope)).length / Math.max(asking.size, 1);
  };
  return (members) => {
    const shares = new Map(members.map((member) => [member, share(member)]));
    return members.toSorted((one, other) => (shares.get(other) ?? 0) - (shares.get(one) ?? 0));
  };
}

function scopesIn({ calls }: Pick<TestsOfRun, 'calls'>): readonly string[] {
  return calls.flatMap(({ scope }) => (scope === null ? [] : [scope]));
}

/** Returns the members on whose assumptions some of the calls depended. What is asked first decides what is asked then. */
function askedBy(members: Together, calls: readonly CallOfTest[]): Together {
  const asked = new Set(calls.flatMap(({ assumed }) => assumed));
  return [...asked].flatMap((name) => members.filter(({ assumptions }) => assumptions[name] !== undefined));
}

function isAskedBy({ assumptions }: PlannedRun, { assumed }: CallOfTest): boolean {
  return assumed.some((name) => assumptions[name] !== undefined);
}
