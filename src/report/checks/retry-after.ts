import type { Attempt } from '../attempt.ts';
import { firstAfter, waited } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** Timers may fire slightly early. */
const toleranceMs = 50;

/** A call on another connection may already have been in flight when the response arrived. */
const underWayMs = 100;

export const retryAfter: Check = {
  check: 'retry-after',
  title: 'Waits as long as Retry-After says',
  rule:
    'After a response with Retry-After, the client must not call that operation again, with any request, before the time is up. The check uses real time or the ' +
    `sandbox's clock, whichever shows the longer wait. It tolerates waits that are up to ${toleranceMs} ms too short, and other requests on other connections within the first ${underWayMs} ms.`,
  occasion: 'responses with Retry-After, followed by another call of the operation',
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
      return [
        {
          message: `The client was told to wait ${seconds(toWait)}, but called again after ${seconds(pause)}.`,
          calls: [asked, next],
        },
      ];
    });
    return { occasions: followed.length, breaches };
  },
};

/** Whether the client had received the response when it sent the later call. */
function mayKnow(asked: Attempt, later: Attempt): boolean {
  if (later.request === asked.request || later.entry.connection === asked.entry.connection) return true;
  return later.received - asked.replied > underWayMs;
}
