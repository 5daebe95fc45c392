import type { Attempt } from '../attempt.ts';
import { firstAfter, waited } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** Timers may fire a little early. */
const toleranceMs = 50;

/** A call on another connection may have been under way already when the reply came. */
const underWayMs = 100;

export const retryAfter: Check = {
  check: 'retry-after',
  title: 'Waits as long as Retry-After says',
  rule:
    'After a reply with Retry-After the client does not call that operation again before the time is up, with any request. It counts in real time or on the ' +
    `sandbox's clock, whichever makes the wait longer; ${toleranceMs} ms less are tolerated, and other requests on other connections within ${underWayMs} ms.`,
  occasion: 'replies with Retry-After that another call of the operation followed',
  exercise: 'lp-sandbox exec --scenario rate-limit-storm -- CMD',
  examine: ({ byOperation }) => {
    const followed = byOperation.flatMap((own) =>
      own.flatMap((asked) => {
        const { toWait } = asked;
        if (toWait === null) return [];
        const next = firstAfter(asked, own, (later) => mayKnow(asked, later));
        return next === undefined ? [] : [{ asked, toWait, next }];
      }),
    );
    const breaches = followed.flatMap(({ asked, toWait, next }): readonly Breach[] => {
      const pause = waited(asked, next);
      if (pause >= toWait - toleranceMs) return [];
      return [{ message: `It was asked to wait ${seconds(toWait)}, and called again after ${seconds(pause)}.`, calls: [asked, next] }];
    });
    return { occasions: followed.length, breaches };
  },
};

/** Whether the client had the reply when it sent the later call. */
function mayKnow(asked: Attempt, later: Attempt): boolean {
  if (later.request === asked.request || later.entry.connection === asked.entry.connection) return true;
  return later.received - asked.replied > underWayMs;
}
