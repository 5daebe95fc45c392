import { groupBy } from '../base/group-by.ts';
import type { components } from '../contract/generated/control.ts';
import type { Attempt } from './attempt.ts';
import { findingId } from './ids.ts';
import type { Calls } from './calls.ts';
import type { Views } from './retried-calls.ts';
import { armingOf } from './expected-failures.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

type Schemas = components['schemas'];

/** One check of the client's conduct. */
export interface Check {
  /** Its name in reports and thresholds. */
  readonly check: string;
  readonly title: string;
  /** What the client must do, in a few sentences. */
  readonly rule: string;
  /** How the check decides: what it compares, on which clock, with which tolerance. One idea each. */
  readonly details?: readonly string[];
  /** What the check does not judge, and why. One case each. */
  readonly exceptions?: readonly string[];
  /** Where the rule comes from: the specification, an RFC, an assumption, or good practice. One sentence. */
  readonly basis: string;
  readonly strength: Schemas['Strength'];
  /** What counts as an occasion for the check, in the plural. */
  readonly occasion: string;
  /** How to create an occasion. */
  readonly exercise: string;
  /** Whether it judges what a client does after a failure, which a test may have armed and expected. */
  readonly ofFailures?: true;
  /** Whether it judges the retries of responses that some clients treat as failures, and others do not. */
  readonly ofRetries?: true;
  /** Returns sliced work if it reads every body. */
  readonly examine: (calls: Calls) => Examination | SlicedWork<Examination>;
}

/** The result of a check. */
export interface Examination {
  /** How often the check applied. */
  readonly occasions: number;
  readonly breaches: readonly Breach[];
  /** Why the journal does not show whether the client followed the rule, in one sentence. */
  readonly notJudged?: string;
}

/** One violation of a check. */
export interface Breach {
  readonly message: string;
  /** What it is about, if an operation can have several: a part of the finding's id. */
  readonly subject?: string;
  /** The call whose operation and scope it is about: by default, the first one. */
  readonly ofCall?: Attempt;
  /** The calls that prove it, at least one. */
  readonly calls: readonly [Attempt, ...Attempt[]];
}

/**
 * Breaches without a scope that count: several, because a few may be the work of tests that arm a fault, expect
 * an error, and send the same request as the next test.
 */
const fewestWithoutScope = 4;

/** Returns the breaches that are certainly the work of one test. */
export function inScopes(breaches: readonly Breach[]): readonly Breach[] {
  return breaches.filter(({ calls: [{ entry }] }) => entry.scope !== null);
}

/** Judges repeats. Without scopes, the journal does not distinguish a repeat from the request of another test. */
export function judgedRepeats(occasions: number, breaches: readonly Breach[]): Examination {
  const certain = inScopes(breaches);
  const others = breaches.length - certain.length;
  if (others === 0 || others >= fewestWithoutScope) return { occasions, breaches };
  const notJudged = 'A few breaches may come from several tests. Give each test a scope.';
  return { occasions, breaches: certain, notJudged };
}

/** Returns a breach whose message says that it is about one operation: the client does better in others. */
export function inOperation(breach: Breach, operation: string): Breach {
  const { message } = breach;
  return { ...breach, message: `In ${operation}, ${message.charAt(0).toLowerCase()}${message.slice(1)}` };
}

/** Judges each client by itself: scopes are different tests, of which one must not hide another. */
export function judgedByClient<T>(
  all: readonly T[],
  clientOf: (one: T) => string,
  judge: (own: readonly T[]) => Examination,
): Examination {
  return merged([...groupBy(all, clientOf).values()].map((own) => judge(own)));
}

/** Returns the examination of all calls from those of their parts. */
export function merged(judged: readonly Examination[]): Examination {
  const occasions = judged.reduce((sum, one) => sum + one.occasions, 0);
  const breaches = judged.flatMap((one) => one.breaches);
  const notJudged = judged.find((one) => one.notJudged !== undefined)?.notJudged;
  return { occasions, breaches, ...(notJudged === undefined ? {} : { notJudged }) };
}

/**
 * Leaves out breaches after failures that tests may have armed, and expected, and those of calls between which a
 * test armed something else: no retry does that.
 */
function withoutExpected(examination: Examination, { mayBeExpected }: Calls): Examination {
  const breaches = examination.breaches.filter(
    ({ calls }) => !calls.some(mayBeExpected) && new Set(calls.map(armingOf)).size === 1,
  );
  if (breaches.length === examination.breaches.length) return examination;
  const notJudged =
    'Some failures come from rules that were added between the calls, or were requested by the calls, so tests may have expected them. Give each test a scope, and add its rules before its first call.';
  return { ...examination, notJudged, breaches };
}

/** Maximum number of breaches shown per id, of findings shown per check, and of calls shown per breach. */
const maxShown = 3;
const maxFindings = 200;
const maxCalls = 4;

/** Applies a check to the calls of a client. A check without an occasion never passes. */
export function* running(one: Check, views: Views): SlicedWork<Schemas['ConductCheck']> {
  const { examine: _, ...about } = one;
  yield;
  const examination = yield* one.ofRetries === true ? examinedRetries(one, views) : examined(one, views.all);
  const { check, title, rule, basis, strength, exercise } = about;
  const { occasions, breaches } = examination;
  return {
    check,
    title,
    rule,
    basis,
    strength,
    verdict: verdictOn(examination, strength),
    occasions,
    message: messageOn(examination, about),
    ...limited(findingsFrom(breaches.toSorted(byTime), about)),
    exercise,
  };
}

function* examined({ examine, ofFailures }: Check, calls: Calls): SlicedWork<Examination> {
  const found = examine(calls);
  const whole = 'occasions' in found ? found : yield* found;
  return ofFailures === true ? withoutExpected(whole, calls) : whole;
}

/** A check that is passed only without the responses that the client may treat as failures is not judged. */
function* examinedRetries(check: Check, { retried, mayBeRetried }: Views): SlicedWork<Examination> {
  const certain = yield* examined(check, retried);
  if (mayBeRetried === null || certain.breaches.length > 0 || certain.notJudged !== undefined) return certain;
  const possible = yield* examined(check, mayBeRetried);
  const isDoubtful =
    possible.breaches.length > 0 || (certain.occasions > 0 && possible.notJudged !== undefined);
  return isDoubtful ? { ...certain, notJudged: mayBeFailures } : certain;
}

const mayBeFailures =
  'The client sent requests again after a response with a wrong Content-Type, or one in which faults made all elements fail. It may have treated the response as a failure, or have needed the data again.';

/** Compares calls by their arrival. */
function inOrder(one: Attempt, other: Attempt): number {
  return one.received - other.received || one.number - other.number;
}

function byTime({ calls: [one] }: Breach, { calls: [other] }: Breach): number {
  return inOrder(one, other);
}

function verdictOn(
  { occasions, breaches, notJudged }: Examination,
  strength: Check['strength'],
): Schemas['ConductCheck']['verdict'] {
  if (breaches.length > 0) return strength === 'advice' ? 'advised' : 'failed';
  if (notJudged !== undefined) return 'not-judged';
  return occasions > 0 ? 'passed' : 'not-exercised';
}

function messageOn(
  { occasions, breaches, notJudged }: Examination,
  { strength, occasion }: Pick<Check, 'strength' | 'occasion'>,
): string {
  const on = `on ${occasions === 1 ? 'one occasion' : `${occasions} occasions`} (${occasion})`;
  const times = breaches.length === 1 ? 'once' : `${breaches.length} times`;
  if (breaches.length > 0) {
    const messages = {
      must: `Violated ${times} ${on}.`,
      should: `The client should do this, but did not: ${times} ${on}.`,
      advice: `The client could do better: ${times} ${on}.`,
    };
    return messages[strength];
  }
  if (notJudged !== undefined) return `Not judged: ${notJudged}`;
  return occasions > 0 ? `Passed ${on}.` : `Not exercised: there were no ${occasion}.`;
}

function limited(
  findings: readonly Schemas['Finding'][],
): Pick<Schemas['ConductCheck'], 'findings' | 'unlisted'> {
  const rest = findings.length - maxFindings;
  return { findings: findings.slice(0, maxFindings), ...(rest > 0 ? { unlisted: rest } : {}) };
}

function timesOf(count: number): string {
  return count === 1 ? '' : ` (${count} times)`;
}

/** Groups breaches with the same message into one finding. */
function findingsFrom(
  breaches: readonly Breach[],
  { check, strength }: Pick<Check, 'check' | 'strength'>,
): readonly Schemas['Finding'][] {
  const byId = groupBy(breaches, ({ calls: [first], ofCall = first, subject }) =>
    findingId(check, { ...ofCall.entry, subject }),
  );
  return [...byId].flatMap(([id, all]) => {
    const alike = [...groupBy(all, ({ message }) => message).values()];
    return alike.slice(0, maxShown).flatMap((same, index) => {
      const [first] = same;
      if (first === undefined) return [];
      const others = index === maxShown - 1 ? alike.slice(maxShown).flat().length : 0;
      const { operation, scope } = (first.ofCall ?? first.calls[0]).entry;
      // One call may end one breach and start the next.
      const evidence = new Set(same.slice(0, maxCalls).flatMap(({ calls }) => calls.slice(0, maxCalls)));
      return {
        id,
        operation,
        scope,
        strength,
        message: `${first.message}${timesOf(same.length)}${others > 0 ? ` (and ${others} more like it)` : ''}`,
        evidence: [...evidence].slice(0, maxCalls).toSorted(inOrder).map(evidenceOf),
      };
    });
  });
}

function evidenceOf({
  entry: { requestId, at, receivedAt },
}: Attempt): Schemas['Finding']['evidence'][number] {
  return { requestId, at, receivedAt };
}

/** Formats milliseconds as seconds. */
export function seconds(milliseconds: number): string {
  return milliseconds > 0 && milliseconds < 10
    ? 'less than 0.01 s'
    : `${Number((milliseconds / 1000).toFixed(2))} s`;
}
