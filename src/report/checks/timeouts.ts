import { greatest } from '../../base/extremes.ts';
import { isOpen, isWithheld, type Attempt } from '../attempt.ts';
import { seconds, type Check, type Examination } from '../check.ts';
import { PooledConnections } from '../pooled-connections.ts';

/** A client that waits longer than this for a response has no timeout, or one that is too long. */
const longestMs = 60_000;

/** The server notices later that a client with exactly this timeout has left. */
const toleranceMs = 2000;

export const timeouts: Check = {
  check: 'timeouts',
  title: 'Does not wait forever',
  rule:
    `If a response does not come, the client must stop waiting after at most ${seconds(longestMs)} of real time. The check tolerates ${seconds(toleranceMs)} more. If the client waits until the server closes the connection, the check judges it only if the fault (timeout) lasts longer than ${seconds(longestMs + toleranceMs)}. ` +
    'If the client gave up on a call and made no other call later, the check does not judge it, because the program may have ended.',
  exceptions: [
    'Calls on a connection that may belong to a proxy: one of its requests has a header that proxies add, such as Via or X-Forwarded-For, or its requests come from several programs (User-Agent) or schools. A proxy may keep waiting after its client has left, or leave while its client waits.',
  ],
  basis: 'Good practice: without a timeout, one lost response can block a client forever.',
  strength: 'should',
  occasion: 'calls without a response',
  exercise: 'lp-sandbox exec --scenario flaky-network -- CMD',
  ofFailures: true,
  examine: ({ attempts }) => {
    const withheld = attempts.filter(isWithheld);
    const pooled = new PooledConnections(attempts);
    const direct = withheld.filter((attempt) => !pooled.has(attempt));
    const judged = judge(direct, greatest(attempts.map(({ received }) => received)));
    if (direct.length === withheld.length) return judged;
    return { notJudged: proxied, ...judged, occasions: withheld.length };
  },
};

function judge(silent: readonly Attempt[], last: number): Examination {
  const patient = silent.filter(({ entry }) => !entry.clientLeft);
  const breaches = silent
    .filter((attempt) => waitedMs(attempt, last) > longestMs + toleranceMs)
    .map((attempt) => ({ message: messageOn(attempt, last), calls: [attempt] as const }));
  const hasEnded = silent.length > 0 && silent.every(({ replied }) => replied > last);
  if (breaches.length > 0 || (patient.length === 0 && !hasEnded))
    return { occasions: silent.length, breaches };
  if (patient.length === 0) return { occasions: silent.length, breaches, notJudged: ended };
  return { occasions: silent.length, breaches, notJudged: patient.some(isOpen) ? stillOpen : tooEarly };
}

const proxied =
  'Some calls without a response came on connections that may belong to a proxy, which may keep waiting after its client has left. Let the client call the server directly.';
const ended =
  'The client made no call after those that it gave up on: the program may have ended while it was waiting.';
const stillOpen = `The client is still waiting for a response. It may stop before ${seconds(longestMs)} have passed.`;
const tooEarly = `The server closed the connection before ${seconds(longestMs + toleranceMs)} had passed, while the client was still waiting.`;

/** Returns how long the client waited, if the journal shows it: a call that is still open was open at the last one. */
function waitedMs(attempt: Attempt, last: number): number {
  return isOpen(attempt) ? last - attempt.received : attempt.entry.durationMs;
}

function messageOn(attempt: Attempt, last: number): string {
  const time = seconds(waitedMs(attempt, last));
  if (isOpen(attempt)) return `The client has waited for more than ${time}.`;
  return attempt.entry.clientLeft
    ? `The client gave up only after ${time}.`
    : `The client waited ${time}, until the server closed the connection.`;
}
