import { isObject } from '../../base/is-object.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { groupBy } from '../../base/group-by.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { mayPass, type Attempt } from '../attempt.ts';
import { firstAfter, waited, type Series } from '../calls.ts';
import { judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';

/** A client that makes no call for this time has noticed the failure: it waits, or its circuit breaker is open. */
const quietMs = 1000;

/** The calls within which it falls quiet: some may be under way, and a circuit breaker counts some failures. */
const callsUntilQuiet = 6;

/** The later calls of an operation that may replace a failed update. */
const callsUntilReplaced = 20;

export const givingUp: Check = {
  check: 'giving-up',
  title: 'Retries temporary failures',
  rule:
    'A read fails temporarily if it is throttled, or gets a 5xx, no response, or an incomplete response; a write only with 429 or 503, because otherwise it may have taken effect. ' +
    'The client must not carry on as if nothing had happened: it must send the request again, alone or in a batch, replace an update by a newer one, or make no calls ' +
    `for ${quietMs / 1000} s within the next ${callsUntilQuiet} calls. A call that the client itself gave up is not judged: it may no longer need the response. ` +
    'If you read the report while the client is still waiting, a retry may still follow.',
  basis:
    'Good practice: RFC 9110, section 9.2.2, allows automatic retries of idempotent requests after failures.',
  strength: 'should',
  occasion: 'calls that failed temporarily',
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  *examine({ attempts, byOperation, series }): SlicedWork<Examination> {
    const once = new Set(series.flatMap(lonelyFailure));
    const occasions = series.filter(([first]) => first !== undefined && isWorthRepeating(first)).length;
    const byClient = groupBy(attempts, ({ client }) => client);
    const breaches: Breach[] = [];
    for (const own of byOperation) {
      const failed = own.filter((attempt) => once.has(attempt));
      const followUps = yield* FollowUps.prepare(failed, own);
      for (const attempt of failed) {
        yield;
        if (followUps.next(attempt) !== undefined || isReplaced(attempt, own)) continue;
        if (fallsQuiet(attempt, byClient.get(attempt.client) ?? [])) continue;
        const message = `The client did not retry the call after ${whatHappened(attempt)}.`;
        breaches.push({ message, calls: [attempt] });
      }
    }
    return judgedRepeats(occasions, breaches);
  },
};

/** Returns the failure of a request that was never sent again. */
function lonelyFailure([first, second]: Series): readonly Attempt[] {
  return first !== undefined && second === undefined && isWorthRepeating(first) ? [first] : [];
}

function isWorthRepeating(attempt: Attempt): boolean {
  if (!mayPass(attempt) || attempt.ending === 'gone') return false;
  return attempt.ending === 'throttled' || attempt.entry.status === 503 || !isWrite(attempt);
}

function isWrite({ entry: { operation } }: Attempt): boolean {
  return isOperationName(operation) && operationFacts[operation].writes;
}

/** Whether a later write has the same text in the same field, such as the id of the record. */
function isReplaced(attempt: Attempt, own: readonly Attempt[]): boolean {
  if (!attempt.entry.operation.startsWith('update-')) return false;
  const texts = new Set(attempt.elements().flatMap(textsOf));
  let left = callsUntilReplaced;
  const isNewer = (later: Attempt): boolean => {
    left -= 1;
    return (
      left >= 0 &&
      later
        .elements()
        .flatMap(textsOf)
        .some((text) => texts.has(text))
    );
  };
  return firstAfter(attempt, own, isNewer) !== undefined;
}

function textsOf(element: unknown): readonly string[] {
  if (!isObject(element)) return [];
  return Object.entries(element).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}

/** Whether the client paused soon after the failure, or made no more calls. */
function fallsQuiet(attempt: Attempt, calls: readonly Attempt[]): boolean {
  let before = attempt;
  for (let count = 0; count < callsUntilQuiet; count += 1) {
    const next = firstAfter(before, calls);
    if (next === undefined || waited(before, next) >= quietMs) return true;
    before = next;
  }
  return false;
}

function whatHappened({ ending, entry }: Attempt): string {
  if (ending === 'throttled') return 'a rate limit';
  return ending === 'unavailable' ? `HTTP ${entry.status}` : 'a lost response';
}
