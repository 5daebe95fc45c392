import type { SlicedWork } from '../../base/sliced-work.ts';
import { groupBy } from '../../base/group-by.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { isOpen, mayPass, type Attempt } from '../attempt.ts';
import { waited, type Series } from '../calls.ts';
import { judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';
import { Knowledge } from '../knowledge.ts';
import { isLeftAlone, isRearmed, mostUntilOpen } from '../left-alone.ts';
import { RecentElements } from '../recent-elements.ts';
import { callsUntilNextUse, nextUsesAfterFailures } from '../next-use.ts';
import { isReplaced, isSearchedAgain } from '../replaced.ts';
import { burstMs, callsUntilQuiet, longPauseOf, Pauses, quietMs } from '../quiet.ts';
import { RetryBudgets, retriesThatShowBudget } from '../retry-budget.ts';

/** Without a scope, the same request this soon after its failure may come from the next test. */
const nextTestMs = 100;

/** A client that retries a larger share of similar failures has a limit on its retries, even if it makes few calls. */
const accidental = 1 / 3;

/** If at least this many calls of an operation failed, and none was retried, the client abandoned the operation. */
const fewestNeglected = 3;

export const givingUp: Check = {
  check: 'giving-up',
  title: 'Retries temporary failures',
  rule:
    'After a temporary failure, the client must not continue as if nothing had happened. It must send the request again, alone or in a batch. ' +
    'Alternatively, it may replace an update or a search with a newer one, or pause.',
  details: [
    'A read fails temporarily if it is throttled, or gets a 5xx, no response, or an incomplete response.',
    'A write fails temporarily only with 429, or with 503 if it is safe to repeat. After other failures, it may have taken effect.',
    `A pause begins within the next ${callsUntilQuiet} calls or, for a client with several workers, within ${burstMs / 1000} s. Calls that the client may have sent before it had the response do not count. These are calls that arrived before the response was sent, and the first call on a new connection that was opened while that of the failed call was still open. A pause lasts at least ${quietMs / 1000} s, and at least twice as long as usual.`,
    'During a pause, the client makes no calls at all, or none of the failed operation. In the second case, it must call the operation again later.',
    'If a client passes failures on to its users, as a gateway does, use --allow giving-up.',
    'If you read the report while the client is still waiting, a retry may still follow.',
  ],
  exceptions: [
    'A call whose retry may still be waiting for the time in Retry-After.',
    'A client that pauses, but only before the retry of another call.',
    `A client that paused after its failures, if ${fewestNeglected} or more calls of one operation failed and it sent none of them again.`,
    'In a scope, a failed search that the client replaced with one for another term. A client that does so after most failures is not judged at all.',
    'A copy of a slow read of which another copy succeeded.',
    'A call that the client gave up on before the response came. It may no longer need the response.',
    `In a scope, a failure after which the client left the operation alone: its circuit breaker may be open. Up to ${mostUntilOpen - 1} more calls may fail before that.`,
    `In a scope, a failure within ${callsUntilQuiet} calls before a change of the fault rules. A test may have expected the failure.`,
    'In a scope, a single failure of its kind, if the client retries other failures.',
    'A client that falls silent after most of its failures.',
    'A client that retries more than a third of similar failures.',
    `A client that may have used up a retry budget before it gave up on the other calls. ${retriesThatShowBudget} A scenario with one kind of failure shows whether the client retries that kind.`,
    `A client that sent most of its failed requests again only at their usual interval, after 30 s, or after ${callsUntilNextUse} other calls. That may be the next use of the same record.`,
    `A client that sent most of its failed requests again after fewer than ${callsUntilNextUse} other calls, if those repeats may be the next uses of the same records. If the client sends one call at a time, a single call in between is enough for that. Otherwise, it takes as many calls as the client usually makes between two uses of a record. Such a client is judged only if it repeated one of these requests until the request succeeded, and never after that.`,
    `Without a scope, a client that sent most of its failed requests again within ${nextTestMs} ms. They may come from the next test.`,
  ],
  basis:
    'Good practice: RFC 9110, section 9.2.2, allows automatic retries of idempotent requests after failures.',
  strength: 'should',
  occasion: 'calls that failed temporarily',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  ofFailures: true,
  *examine(calls): SlicedWork<Examination> {
    const { attempts, byOperation, series } = calls;
    const knowledge = new Knowledge(attempts);
    const lonely = series.flatMap(lonelyFailure);
    const once = new Set(lonely.filter((attempt) => !hasGoodCopy(attempt, knowledge)));
    const needless = new Set(lonely.filter((attempt) => !once.has(attempt)));
    const failures = series.flatMap(([first]) =>
      first !== undefined && isWorthRepeating(first) && !needless.has(first) ? [first] : [],
    );
    const byClient = groupBy(attempts, ({ client }) => client);
    const longPauses = new Map([...byClient].map(([client, own]) => [client, longPauseOf(own)]));
    const givenUp: Attempt[] = [];
    let replaced = 0;
    let searched = 0;
    let quiet = 0;
    let expected = 0;
    let forOthers = 0;
    const pauses = new Pauses(attempts, new Set(series.flatMap(([, ...more]) => more)));
    const retried = new Set(failures.filter((attempt) => !once.has(attempt)));
    const recent = new RecentElements();
    const budgets = yield* RetryBudgets.find(calls);
    for (const own of byOperation) {
      const failed = own.filter((attempt) => once.has(attempt));
      const followUps = yield* FollowUps.prepare(failed, own);
      const longPause = failed.length === 0 ? quietMs : longPauseOf(own);
      for (const attempt of failed) {
        yield;
        const all = byClient.get(attempt.client) ?? [];
        const next = followUps.next(attempt);
        if (next !== undefined) {
          retried.add(attempt);
          budgets.count(attempt, next);
        } else if (isReplaced(attempt, own, recent)) replaced += 1;
        else if (isSearchedAgain(attempt, own, recent)) searched += 1;
        else if (mayStillWait(attempt, attempts)) quiet += 1;
        else {
          const found = new Set([
            pauses.after(attempt, all, longPauses.get(attempt.client) ?? quietMs, true),
            // Its circuit breaker may have left only the operation alone for a while, and called it again.
            pauses.after(attempt, own, longPause, false),
          ]);
          if (found.has('own')) quiet += 1;
          else if (isLeftAlone(attempt, own) || isRearmed(attempt, all, callsUntilQuiet)) expected += 1;
          else if (found.has('for-retry')) forOthers += 1;
          else givenUp.push(attempt);
        }
      }
    }
    if (givenUp.length === 0 && quiet + expected > retried.size + replaced) {
      const notJudged = expected > quiet ? mayBeExpected : fellSilent(quiet, failures.length);
      return { occasions: failures.length, breaches: [], notJudged };
    }
    if (givenUp.length === 0 && forOthers > 0)
      return { occasions: failures.length, breaches: [], notJudged: pausedForOthers(forOthers) };
    if (givenUp.length === 0 && searched > retried.size)
      return { occasions: failures.length, breaches: [], notJudged: searchedAgain };
    const isNextUse = nextUsesAfterFailures(calls, byClient);
    const late = new Set(series.filter((tries) => isLate(tries, isNextUse)).map(([first]) => first));
    const left = neglected(failures, new Set([...retried].filter((attempt) => !late.has(attempt))));
    if (givenUp.length === 0 && left !== null && late.size <= failures.length / 2)
      return { occasions: failures.length, breaches: [], notJudged: left };
    const examined = examinationOf(failures.length, givenUp, [...retried], budgets);
    if (mostlyByOthers(series, failures.length)) return { notJudged: byOthers, ...examined };
    return late.size > failures.length / 2 ? { notJudged: asUsual, ...examined } : examined;
  },
};

function fellSilent(times: number, failures: number): string {
  return `After ${times} of ${failures} failures, the client fell silent, and did not send the call again. It may have been waiting for the service, or have given up.`;
}

function pausedForOthers(times: number): string {
  return `The client did not send ${times} failed ${times === 1 ? 'call' : 'calls'} again, and paused after ${times === 1 ? 'it' : 'them'} only to retry other calls. It may not need the response, or may treat the failure as final.`;
}

/** Returns why a client that retries the calls of other operations only is not judged; null if there is no such operation. */
function neglected(failures: readonly Attempt[], retried: ReadonlySet<Attempt>): string | null {
  for (const [, own] of groupBy(failures, ({ client, entry }) => `${client} ${entry.operation}`)) {
    const [first] = own;
    if (first === undefined || own.length < fewestNeglected || own.some((one) => retried.has(one))) continue;
    return `The client sent none of ${own.length} failed calls of ${first.entry.operation} again. It may treat their failure as final, or may have been waiting.`;
  }
  return null;
}

const searchedAgain =
  'After most failures, the client sent a search for another term. Its user may have seen the error, or it may go on as if nothing had happened.';

const mayBeExpected =
  'After most failures, the client left the operation alone, or a test changed the faults: it may have expected them.';

const byOthers =
  'Most failed requests were sent again at once, which may be the next test of a suite. Give each test a scope.';

const asUsual =
  'Most failed requests were sent again only after their usual interval, or after other calls. That may be the next use of the same record instead of a retry.';

/** Whether a failed request was sent again, but perhaps for another reason: a client reads some records again. */
function isLate([first, second]: Series, isNextUse: (first: Attempt, second: Attempt) => boolean): boolean {
  if (first === undefined || second === undefined || !isWorthRepeating(first)) return false;
  return isNextUse(first, second);
}

/** Whether the repeats of most failed requests may come from other tests. */
function mostlyByOthers(series: readonly Series[], failures: number): boolean {
  const quick = series.filter(
    ([first, second]) =>
      first?.entry.scope === null &&
      second !== undefined &&
      isWorthRepeating(first) &&
      waited(first, second) < nextTestMs,
  );
  return quick.length > failures / 2;
}

function examinationOf(
  occasions: number,
  givenUp: readonly Attempt[],
  retried: readonly Attempt[],
  budgets: RetryBudgets,
): Examination {
  const retriedAlike = groupBy(retried, similarity);
  const withinBudget = givenUp.filter(({ client }) => !budgets.mayHaveOne(client));
  const breaches = [...groupBy(withinBudget, similarity)].flatMap(([kind, alike]) => {
    const others = retriedAlike.get(kind)?.length ?? 0;
    const isSingle = alike.length === 1 && alike[0]?.entry.scope !== null;
    if (isSingle && retried.some(({ client }) => client === alike[0]?.client)) return [];
    return others > accidental * (others + alike.length) ? [] : alike.map(breachOf);
  });
  const judged = judgedRepeats(occasions, breaches);
  const mayHaveBudget = givenUp.some(({ client }) => budgets.retriesOf(client) > 0);
  if (judged.breaches.length > 0 || breaches.length === givenUp.length) return judged;
  return { ...judged, notJudged: mayHaveBudget ? usedUp(givenUp, budgets) : (judged.notJudged ?? alone) };
}

const alone =
  'The client did not send the request again after a single failure of a kind, or after fewer than two thirds of them. A test may have expected these failures, or the client may need only some of the responses.';

function usedUp(givenUp: readonly Attempt[], budgets: RetryBudgets): string {
  const [most] = givenUp
    .map(({ client }) => ({ client, retries: budgets.retriesOf(client) }))
    .toSorted((one, other) => other.retries - one.retries);
  const own = givenUp.filter(({ client }) => client === most?.client).length;
  return `The client sent ${most?.retries ?? 0} failed calls again, and gave up on ${own} others. If these are retries and not the next uses of the same records, it may have a budget for them, which was used up.`;
}

/** Returns a key that is equal for failures that a client should treat alike. */
function similarity({ client, ending }: Attempt): string {
  return `${client} ${ending}`;
}

function breachOf(attempt: Attempt): Breach {
  return { message: `The client did not retry the call after ${whatHappened(attempt)}.`, calls: [attempt] };
}

/** Returns the failure of a request that was never sent again. */
function lonelyFailure([first, second]: Series): readonly Attempt[] {
  return first !== undefined && second === undefined && isWorthRepeating(first) ? [first] : [];
}

/** Whether the client may have used the response to another copy of a slow read. */
function hasGoodCopy(attempt: Attempt, knowledge: Knowledge): boolean {
  return knowledge.copiesOf(attempt).some(({ ending }) => ending === 'ok');
}

function isWorthRepeating(attempt: Attempt): boolean {
  if (!mayPass(attempt) || attempt.ending === 'gone' || isOpen(attempt)) return false;
  const { ending, entry } = attempt;
  if (ending === 'throttled' || !isOperationName(entry.operation)) return true;
  const { writes, safeToRepeat } = operationFacts[entry.operation];
  return !writes || (entry.status === 503 && safeToRepeat);
}

/** Whether the calls ended before the time that Retry-After gave. */
function mayStillWait(attempt: Attempt, attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1);
  return attempt.toWait !== null && (last === undefined || waited(attempt, last) < attempt.toWait);
}

function whatHappened({ ending, entry }: Attempt): string {
  if (ending === 'throttled') return 'a rate limit';
  return ending === 'unavailable' ? `HTTP ${entry.status}` : 'a lost response';
}
