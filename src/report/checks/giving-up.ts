import { mayPass, type Attempt } from '../attempt.ts';
import type { Series } from '../calls.ts';
import type { Check } from '../check.ts';
import { isSafe } from './unsafe-repeats.ts';

export const givingUp: Check = {
  check: 'giving-up',
  title: 'Tries again what may go better',
  rule:
    'A call that failed in a way that may pass (throttled, 5xx, no reply, a broken one) is sent again at least once, unless it is a write that may have taken effect and may do harm a second time. ' +
    'Time plays no part; a report that is read while the client is still waiting cannot know that it will.',
  occasion: 'calls that failed in a way that may pass',
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  examine: ({ series }) => {
    const failed = series.filter(([first]) => first !== undefined && mayPass(first) && isWorthRepeating(first));
    const breaches = failed.flatMap((tries: Series) => {
      const [first, second] = tries;
      if (first === undefined || second !== undefined) return [];
      return [{ message: `It never sent the call again after ${whatHappened(first)}.`, calls: [first] as const }];
    });
    return { occasions: failed.length, breaches };
  },
};

/** Who is throttled, or told that the service is not available, knows that nothing has happened. */
function isWorthRepeating(attempt: Attempt): boolean {
  return attempt.ending === 'throttled' || attempt.entry.status === 503 || isSafe(attempt);
}

function whatHappened({ ending, entry }: Attempt): string {
  if (ending === 'throttled') return 'it was throttled';
  if (ending === 'unavailable') return `HTTP ${entry.status}`;
  return ending === 'gone' ? 'it had stopped waiting for the reply' : 'its reply was lost';
}
