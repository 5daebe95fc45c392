import { greatest, middle } from '../../base/extremes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { firstSince } from '../first-since.ts';
import { seconds, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';
import { nextKeystrokeOf } from '../keystrokes.ts';
import { RecentElements } from '../recent-elements.ts';

/** A client that waits at least this long for a response is patient enough. */
const patientMs = 1000;

/** The server receives a call later than the client starts its timeout. */
const toleranceMs = 100;
const shortMs = patientMs - toleranceMs;

/** Hardly any client has a shorter timeout: it may have left for another reason. */
const shortestMs = 50;

/** A later call is not a retry. */
const retryMs = 10_000;

/** A timeout is always the same: calls that were given up after other times were given up for other reasons. */
const sameMs = 50;

/** Calls that were given up at one moment, within this time, had one reason, such as a page that the user left. */
const momentMs = 20;

/**
 * A page that the user leaves has no calls left. A client with a timeout has other calls under way, which it sent this
 * much earlier, and gives up this much later, or sends the same one next.
 */
const underWayMs = 50;

/** A client with a timeout does not wait this many times as long for several other calls. */
const longer = { times: 1.5, fewest: 2 };

/** Of very many calls at one moment, those closest to it are compared with a search that was left. */
const mostCompared = 20;

/** This many calls that were given up and then sent again are a habit. */
const fewest = 5;

export const shortTimeouts: Check = {
  check: 'short-timeouts',
  title: 'Waits long enough for a response',
  rule: `The client must not give up on calls within ${seconds(patientMs)} of real time and then send them again. Each try costs the service work, and a write may take effect twice.`,
  details: [
    `The check fails for ${fewest} or more such calls. It tolerates timeouts of ${seconds(shortMs)} or more.`,
    `It counts only calls that the client gives up on after the same time (to within ${sameMs} ms), and sends again within ${seconds(retryMs)}. Such a call counts only if the client sends it again as its next call, or if another call was in progress and ended later.`,
    `Calls that the client gives up on at the same moment, within ${momentMs} ms, count once.`,
  ],
  exceptions: [
    `Fewer than ${fewest} such calls. They may be duplicates of which one got a response, superseded searches, or pages that the user left.`,
    `A client that gave up after the same time on fewer than half of the calls that it left within ${seconds(shortMs)} and sent again. Also a client that waited more than ${longer.times} times as long for at least ${longer.fewest} other calls. Neither has such a timeout.`,
    'Calls with the fault timeout or delay, unless a scenario injects them. A test that waits for these faults shortens the timeout.',
  ],
  basis: 'Good practice: a timeout should be longer than the usual latency of the service.',
  strength: 'should',
  occasion: 'calls that the client gave up on',
  exercise: 'lp-sandbox exec --scenario slow-day -- CMD',
  ofFailures: true,
  *examine({ attempts, byOperation }): SlicedWork<Examination> {
    const byClient = groupBy(attempts, ({ client }) => client);
    const again: Attempt[] = [];
    const alone: Attempt[] = [];
    const recent = new RecentElements();
    let occasions = 0;
    let others = 0;
    for (const own of byOperation) {
      const left = own.filter(({ entry }) => entry.clientLeft);
      occasions += left.length;
      const answered = groupBy(
        own.filter(({ entry }) => !entry.clientLeft),
        ({ request }) => request,
      );
      const hasty = left.filter(
        (attempt) =>
          attempt.entry.durationMs < shortMs &&
          !(answered.get(attempt.request) ?? []).some((other) => isTwin(attempt, other)),
      );
      const followUps = yield* FollowUps.prepare(hasty, own);
      for (const attempt of hasty) {
        yield;
        if (isSuperseded(attempt, own, recent)) continue;
        const next = followUps.next(attempt);
        if (next === undefined) alone.push(attempt);
        if (next === undefined || waited(attempt, next) >= retryMs) continue;
        const isRetry = isTimeout(attempt, next, byClient.get(attempt.client) ?? []);
        if (attempt.entry.durationMs >= shortestMs && isRetry && !isArmed(attempt)) again.push(attempt);
        else others += 1;
      }
    }
    const breaches = [...groupBy(again, ({ client }) => client)].flatMap(([client, own]) =>
      breachesOf(own, byClient.get(client) ?? []),
    );
    const count = again.length + others;
    if (count === 0) {
      const areAlike = [...groupBy(alone, ({ client }) => client).values()].some(haveOneTime);
      return { occasions, breaches, ...(areAlike ? { notJudged: notSentAgain } : {}) };
    }
    const notJudged = `The client gave up on ${count} ${count === 1 ? 'call' : 'calls'} within ${seconds(patientMs)}, and sent ${count === 1 ? 'it' : 'them'} again. ${notATimeout}`;
    return { occasions, breaches, notJudged };
  },
};

const notATimeout =
  'These calls are too few to show a timeout, were given up after different times, at the same moments, or sooner than others, or met a fault that a test had injected.';

/** Whether a call met a timeout or a delay that a test armed, or requested, and not one of a scenario. */
function isArmed({ entry: { faults } }: Attempt): boolean {
  return faults.some(
    ({ fault, rule, armedAfter }) =>
      (fault === 'timeout' || fault === 'delay') && (rule === null || armedAfter !== undefined),
  );
}

/** Earlier calls of a client among which one may still be under way. */
const maxCompared = 100;

/** Whether a call that the client gave up, and sent again, is not one of a page that its user left. `own` are its calls. */
function isTimeout(left: Attempt, next: Attempt, own: readonly Attempt[]): boolean {
  // The first calls of the next page may arrive before the server notices that the client left.
  const place = firstSince(own, left.replied - underWayMs, ({ received }) => received);
  if (nextSince(own, place, left) === next) return true;
  return own
    .slice(Math.max(0, place - maxCompared), place)
    .some((other) => other !== left && other.replied > left.replied + underWayMs);
}

function nextSince(own: readonly Attempt[], start: number, left: Attempt): Attempt | undefined {
  for (let place = start; place < own.length; place += 1)
    if ((own[place]?.received ?? 0) > left.received) return own[place];
  return undefined;
}

/** Whether the client left a search because the next keystroke needs another one. */
function isSuperseded(left: Attempt, own: readonly Attempt[], recent: RecentElements): boolean {
  if (left.keys.length !== 1) return false;
  const distance = (other: Attempt): number => Math.abs(other.received - left.replied);
  const near = own.filter((other) => other.keys.length === 1 && distance(other) <= sameMs);
  // Their bodies are parsed again.
  const nearest = near.toSorted((one, other) => distance(one) - distance(other)).slice(0, mostCompared);
  return nearest.some(nextKeystrokeOf(left, recent));
}

/**
 * Whether the client had sent a call twice at the same time, and needed only one response. It may have left the
 * other call as soon as that response began.
 */
function isTwin(left: Attempt, other: Attempt): boolean {
  const leftAt = left.replied;
  return other.received < leftAt && other.replied >= leftAt - sameMs;
}

const notSentAgain = `The client gave up on several calls after the same time, of less than ${seconds(patientMs)}, and did not send them again. That may be its timeout, or its user may no longer have needed them.`;

/** Whether enough calls were given up after the same time to show a timeout. */
function haveOneTime(left: readonly Attempt[]): boolean {
  return alike(left).length >= fewest;
}

/** Returns the calls that were given up after the usual time, if that is long enough for a timeout. */
function alike(left: readonly Attempt[]): readonly Attempt[] {
  const usual = middle(left.map(({ entry }) => entry.durationMs)) ?? 0;
  return usual < shortestMs ? [] : left.filter(({ entry }) => Math.abs(entry.durationMs - usual) <= sameMs);
}

/** `own` are all calls of the client. */
function breachesOf(all: readonly Attempt[], own: readonly Attempt[]): readonly Breach[] {
  const again = alike(all);
  const [first, ...more] = atDifferentMoments(again);
  if (first === undefined || 1 + more.length < fewest) return [];
  if (2 * (1 + more.length) < atDifferentMoments(all).length) return [];
  const longest = greatest(again.map(({ entry }) => entry.durationMs));
  const patient = own.filter(({ entry }) => entry.durationMs > longer.times * longest);
  if (atDifferentMoments(patient).length >= longer.fewest) return [];
  const message = `The client gave up on ${1 + more.length} calls within ${seconds(longest)}, and sent each again.`;
  return [{ message, calls: [first, ...more] }];
}

/** Returns one of the calls that ended at each moment. */
function atDifferentMoments(calls: readonly Attempt[]): readonly Attempt[] {
  const kept: Attempt[] = [];
  for (const call of calls.toSorted((one, other) => one.replied - other.replied)) {
    const last = kept.at(-1);
    if (last === undefined || call.replied - last.replied > momentMs) kept.push(call);
  }
  return kept;
}
