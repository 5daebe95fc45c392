import { greatest } from '../../base/extremes.ts';
import { met, type Attempt } from '../attempt.ts';
import { seconds, type Check } from '../check.ts';

/** A client that waits longer than this for a response has no timeout, or one that is too long. */
const longestMs = 60_000;

export const timeouts: Check = {
  check: 'timeouts',
  title: 'Does not wait for ever',
  rule: `If a response does not come, the client must stop waiting after at most ${seconds(longestMs)} of real time. The check needs a fault (timeout) that lasts longer. Calls that the client left without making another one later are not judged: the program may have ended.`,
  basis: 'Good practice: without a timeout, one lost response can block a client for ever.',
  strength: 'should',
  occasion: 'calls without a response',
  exercise: 'lp-sandbox exec --scenario flaky-network -- CMD',
  ofFailures: true,
  examine: ({ attempts }) => {
    const silent = attempts.filter((attempt) => met(attempt, 'timeout'));
    const patient = silent.filter(({ entry }) => !entry.clientLeft);
    const breaches = patient.filter(hasWaitedLong).map((attempt) => ({
      message: `The client waited ${seconds(attempt.entry.durationMs)}, until the server hung up.`,
      calls: [attempt] as const,
    }));
    const last = greatest(attempts.map(({ received }) => received));
    const hasEnded = silent.length > 0 && silent.every(({ replied }) => replied > last);
    if (breaches.length > 0 || (patient.length === 0 && !hasEnded))
      return { occasions: silent.length, breaches };
    if (patient.length === 0) return { occasions: silent.length, breaches, notJudged: ended };
    const notJudged = `The server hung up before ${seconds(longestMs)} had passed, and the client was still waiting.`;
    return { occasions: silent.length, breaches, notJudged };
  },
};

const ended = 'The client made no call after those that it left: it may have ended while it was waiting.';

function hasWaitedLong({ entry }: Attempt): boolean {
  return entry.durationMs >= longestMs;
}
