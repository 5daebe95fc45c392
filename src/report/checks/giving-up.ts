import { mayPass, type Attempt } from '../attempt.ts';
import type { Series } from '../calls.ts';
import type { Check } from '../check.ts';
import { isSafe } from './unsafe-repeats.ts';

export const givingUp: Check = {
  check: 'giving-up',
  title: 'Retries temporary failures',
  rule:
    'A call fails temporarily if it is throttled, or gets a 5xx, no response, or an incomplete response. The client must retry it at least once, unless it is a write that may have taken effect and is not safe to repeat. ' +
    'The check ignores time: if you read the report while the client is still waiting, a retry may still follow.',
  occasion: 'calls that failed temporarily',
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  examine: ({ series }) => {
    const failed = series.filter(
      ([first]) => first !== undefined && mayPass(first) && isWorthRepeating(first),
    );
    const breaches = failed.flatMap((tries: Series) => {
      const [first, second] = tries;
      if (first === undefined || second !== undefined) return [];
      return [
        {
          message: `The client did not retry the call after ${whatHappened(first)}.`,
          calls: [first] as const,
        },
      ];
    });
    return { occasions: failed.length, breaches };
  },
};

/** A throttled call, or one refused with 503, certainly had no effect. */
function isWorthRepeating(attempt: Attempt): boolean {
  return attempt.ending === 'throttled' || attempt.entry.status === 503 || isSafe(attempt);
}

function whatHappened({ ending, entry }: Attempt): string {
  if (ending === 'throttled') return 'a rate limit';
  if (ending === 'unavailable') return `HTTP ${entry.status}`;
  return ending === 'gone' ? 'it stopped waiting for the response' : 'a lost response';
}
