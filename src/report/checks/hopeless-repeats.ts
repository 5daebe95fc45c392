import { isKeyRefused, type Attempt } from '../attempt.ts';
import { stepsOf, waited, type Calls, type Series, type Step } from '../calls.ts';
import { mostCopies } from '../knowledge.ts';
import { missing, withoutPolls } from '../missing-records.ts';
import type { Breach, Check, Examination } from '../check.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { greatest } from '../../base/extremes.ts';
import {
  callsWithRefusedKey,
  countLate,
  maxInAll,
  maxWithRefusedKey,
  mostUnderWay,
  pollingMs,
  refusedByClient,
  underWay,
} from '../refused-keys.ts';
import { groupBy } from '../../base/group-by.ts';
import { Trouble } from '../trouble.ts';

/** A recording that is not ready yet is expected to become ready: the client may poll, but hardly so quickly, so often. */
const polled: ReadonlySet<string> = new Set(['get-live-event-session-processed-mp4']);
const hurried = { ms: 250, steps: 10 };

const hopelessKinds: ReadonlySet<string> = new Set(['invalid', 'not-found']);

/** An element that fails this often in different batches is not judged. */
const fewestInBatches = 5;

/** Without a scope, the same request after this time may come from another user who follows the same link. */
const humanMs = 1000;

/** The fewest repeats at the intervals of polling that are not judged. */
const fewestPolls = 3;

/** The fewest requests with a repeat at such an interval that are not judged. */
const fewestPolled = 5;

/** The repeats of one request that fail a client: fewer may be tests that expect the same error. */
const fewestRepeats = { inScope: 3, without: 5 };

/** The same in a scope, if several requests have this many repeats. */
const fewestOfSeveral = 2;

/** If this many different requests have a repeat each, it is a habit. */
const fewestRequests = { inScope: 3, without: 8 };

/** Without a scope, one or two requests may be a link to a deleted record, or the tests of one error. */
const fewestOften = 3;

export const hopelessRepeats: Check = {
  check: 'hopeless-repeats',
  title: 'Does not repeat requests that cannot succeed',
  rule: 'The client must not send a permanently refused request (invalid key, invalid parameters, missing record) again unchanged.',
  details: [
    `In a scope, the check fails if the client repeats one request ${fewestRepeats.inScope} or more times, or ${fewestRequests.inScope} requests ${fewestOfSeveral} or more times each.`,
    `Without a scope, it fails if the client repeats ${fewestOften} requests ${fewestRepeats.without} or more times each.`,
    `A single repeat of each request is enough if the client repeats ${fewestRequests.inScope} requests in a scope, or ${fewestRequests.without} without one, within ${humanMs / 1000} s.`,
    `In all these cases, a request with a refused key counts only after ${fewestRepeats.without} repeats.`,
    `After the first ${underWay.ms / 1000} s with a refused key, the client must not call an operation more than ${maxWithRefusedKey} times with less than ${pollingMs / 1000} s between the calls. In a scope, it must not make more than ${maxInAll} calls of all operations together.`,
    `In total, the client must not make more than ${underWay.calls} calls with a refused key.`,
    "The check measures times in real time or on the sandbox's clock, whichever is longer.",
  ],
  exceptions: [
    `Repeats after ${pollingMs / 1000} s or more. The client is polling.`,
    `Without a scope, repeats after ${humanMs / 1000} s or more. They may come from other users.`,
    `Repeats of a request for a recording that is not ready yet, if they come after ${hurried.ms / 1000} s or more, or if fewer than ${hurried.steps} of them come sooner than that.`,
    `Repeated requests for a missing record, if their pauses grow or may come from people. The pauses of people are not shorter than ${missing.ms / 1000} s, and are not often equal or doubled.`,
    `A single repeat of each request for a missing record, after ${missing.ms / 1000} s or more.`,
    `Calls with a refused key ${pollingMs / 1000} s or more after the previous one.`,
    'In a scope in which no fault and no temporary failure occurred before, repeats of requests with invalid parameters or for missing records. A test may check that the same request fails each time, or that a record stays hidden.',
    `In the total of ${underWay.calls} calls, up to ${mostCopies} copies of a read within the first ${underWay.ms / 1000} s. The client may have sent them before it had a response.`,
    'Repeats before a later success of the same request.',
    'An element that fails in different batches.',
  ],
  basis:
    'RFC 9110, section 15.5: a 4xx status means that the client seems to have erred. Good practice: do not send the same request again unchanged.',
  strength: 'should',
  occasion: 'permanently refused requests',
  exercise: 'lp-sandbox exec --scenario key-revoked -- CMD',
  ofFailures: true,
  *examine(calls): SlicedWork<Examination> {
    const occasions = calls.attempts.filter(isHopeless).length;
    const vain = calls.series.map((tries) => stepsOf(afterSuccess(tries)).filter(isVain));
    const repeats = vain.filter((steps) => steps.length >= (isPolled(steps) ? hurried.steps : 1));
    const byClient = groupBy(repeats, ([first]) => first?.before.client ?? '');
    const trouble = new Trouble(calls.attempts);
    const mayBeTested = (vain: readonly Step[]): boolean => isTested(vain, trouble);
    const breaches = [
      ...[...byClient.values()].flatMap((own) => breachesOf(own.filter((vain) => !mayBeTested(vain)))),
      ...callsWithRefusedKey(calls),
    ];
    if (repeats.length > 0) {
      const isInScopes = repeats.every(([first]) => first?.before.entry.scope !== null);
      const notJudged = isInScopes
        ? 'A few repeats may come from a test that expects the same error several times.'
        : 'A few repeats may be the requests of several tests or users. Give each test or user a scope.';
      return { occasions, breaches, notJudged };
    }
    const allPolls = calls.series.map((tries) => vainPolls(tries).length);
    const polls = greatest([0, ...allPolls]);
    if (polls >= fewestPolls) {
      const notJudged = `The client sent a request ${polls + 1} times at longer intervals, and it failed in the same way. The client may be polling.`;
      return { occasions, breaches, notJudged };
    }
    const ofSeveral = allPolls.filter((count) => count > 0).length;
    if (ofSeveral >= fewestPolled) {
      const notJudged = `The client sent ${ofSeveral} requests again at longer intervals, and they failed in the same way. The client may be polling.`;
      return { occasions, breaches, notJudged };
    }
    const notReady = greatest([0, ...calls.series.map((tries) => quickPolls(tries).length)]);
    if (notReady >= fewestPolls) {
      const notJudged = `The client sent a request for a recording that was not ready ${notReady} more times, each less than ${pollingMs / 1000} s after the previous one. The client may be polling.`;
      return { occasions, breaches, notJudged };
    }
    const late = greatest([0, ...refusedByClient(calls).map(countLate)]);
    if (breaches.length === 0 && late > maxWithRefusedKey) {
      const notJudged = `The client made ${late} more calls with a refused key. They may come from several tests or users, or may test whether the key is accepted again.`;
      return { occasions, breaches, notJudged };
    }
    const underWayOnes = mostUnderWay(calls);
    if (underWayOnes > maxWithRefusedKey) {
      const notJudged = `The client made ${underWayOnes} more calls at once with a refused key. They may have been waiting for a connection.`;
      return { occasions, breaches, notJudged };
    }
    const inBatches = yield* mostFailures(calls.byOperation);
    if (inBatches < fewestInBatches) return { occasions, breaches };
    const notJudged = `The same element failed ${inBatches} times in different batches. The client may have needed the others.`;
    return { occasions: Math.max(1, occasions), breaches, notJudged };
  },
};

/** Returns how often the element that failed most often, each time soon after the last, did so in different batches. */
function* mostFailures(byOperation: Calls['byOperation']): SlicedWork<number> {
  let most = 0;
  for (const own of byOperation) {
    const seen = new Map<number, { readonly last: Attempt; readonly count: number }>();
    for (const attempt of own) {
      yield;
      for (const { element, kind } of attempt.entry.failures) {
        if (!hopelessKinds.has(kind)) continue;
        const key = attempt.keys[element] ?? NaN;
        const before = seen.get(key);
        const isAgain =
          before !== undefined &&
          before.last.request !== attempt.request &&
          waited(before.last, attempt) < pollingMs;
        const count = isAgain ? before.count + 1 : 1;
        seen.set(key, { last: attempt, count });
        most = Math.max(most, count);
      }
    }
  }
  return most;
}

function isHopeless(attempt: Attempt): boolean {
  const { ending, entry } = attempt;
  if (ending === 'refused') return true;
  if (ending !== 'element-error') return false;
  const { outcomes, failures } = entry;
  return (
    failures.length === outcomes.length &&
    failures.length > 0 &&
    failures.every(
      ({ kind }) => hopelessKinds.has(kind) || (kind === 'conflict' && polled.has(entry.operation)),
    )
  );
}

/** Judges the repeats of one client, by request. */
function breachesOf(all: readonly (readonly Step[])[]): readonly Breach[] {
  const limit = all[0]?.[0]?.before.entry.scope === null ? 'without' : 'inScope';
  const repeats = withoutPolls(all);
  const quick = repeats.map((vain) => vain.filter(({ pause }) => pause < humanMs));
  const often = quick.filter(({ length }) => length >= fewestRepeats.without).length;
  const certain = limit === 'inScope' ? repeats : quick;
  // A person who reloads a page repeats all of its requests once.
  const areMany = quick.filter(({ length }) => length > 0).length >= fewestRequests[limit];
  const areSeveral =
    limit === 'inScope' &&
    repeats.filter(({ length }) => length >= fewestOfSeveral).length >= fewestRequests.inScope;
  const fewest = areSeveral ? fewestOfSeveral : fewestRepeats[limit];
  const areOfOne = limit === 'inScope' || areMany || often >= fewestOften;
  // Hardly any two users ask so soon for the same recording.
  const judged = areOfOne ? certain : certain.filter(isPolled);
  return judged
    .filter((vain, place) => {
      const own = areMany && (quick[place]?.length ?? 0) > 0 ? 1 : fewest;
      return vain.length >= (isOfKey(vain) ? Math.max(own, fewestRepeats.without) : own);
    })
    .flatMap(breachOf);
}

/** Whether a test may have sent the requests again on purpose. */
function isTested(vain: readonly Step[], trouble: Trouble): boolean {
  const [first] = vain;
  if (first === undefined || first.before.entry.scope === null) return false;
  return !isOfKey(vain) && !isPolled(vain) && !vain.some(({ next }) => trouble.isBefore(next));
}

/** Whether the requests were refused because of their keys, which a test may try out. */
function isOfKey(vain: readonly Step[]): boolean {
  return vain.every(({ before }) => isKeyRefused(before));
}

function breachOf(vain: readonly Step[]): readonly Breach[] {
  const [first] = vain;
  if (first === undefined) return [];
  const message = `The client sent the same request ${vain.length} more ${vain.length === 1 ? 'time' : 'times'}, and it failed in the same way.`;
  return [{ message, calls: [first.before, ...vain.map(({ next }) => next)] }];
}

/** Returns the tries after the last success: a record that was missing, such as a new lesson, can appear. */
function afterSuccess(tries: readonly Attempt[]): readonly Attempt[] {
  return tries.slice(tries.findLastIndex(({ ending }) => ending === 'ok') + 1);
}

/** Returns the repeats of a request that never succeeded, at intervals of polling. */
function vainPolls(tries: Series): readonly Step[] {
  if (tries.some((attempt) => attempt.ending === 'ok' || isNotReady(attempt))) return [];
  return stepsOf(tries).filter(
    ({ before, next, pause }) => isHopeless(before) && isHopeless(next) && pause >= pollingMs,
  );
}

/** Returns the repeats of a request for a recording that is not ready, at shorter intervals. */
function quickPolls(tries: Series): readonly Step[] {
  const steps = stepsOf(tries);
  return steps.filter(
    ({ before, next, pause }) => isNotReady(before) && isNotReady(next) && pause < pollingMs,
  );
}

function isVain({ before, next, pause }: Step): boolean {
  const shortMs = isNotReady(before) ? hurried.ms : pollingMs;
  return isHopeless(before) && isHopeless(next) && pause < shortMs;
}

function isPolled([first]: readonly Step[]): boolean {
  return first !== undefined && isNotReady(first.before);
}

/** Whether the recordings of a call exist, but are not ready. */
function isNotReady({ entry: { operation, failures } }: Attempt): boolean {
  return polled.has(operation) && failures.length > 0 && failures.every(({ kind }) => kind === 'conflict');
}
