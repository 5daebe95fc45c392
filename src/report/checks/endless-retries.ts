import type { Series } from '../calls.ts';
import { mayPass } from '../attempt.ts';
import type { Check } from '../check.ts';

/** Libraries retry up to 10 times unless they are told otherwise. */
const maxTries = 20;

export const endlessRetries: Check = {
  check: 'endless-retries',
  title: 'Stops retrying at some point',
  rule: `The client must not send a request more than ${maxTries} times if every response is a temporary failure. The check ignores time.`,
  basis:
    'Good practice: a client that never gives up hides a failure from its user, and adds load to a failing service.',
  strength: 'should',
  occasion: 'requests that failed temporarily and were sent again',
  exercise: 'lp-sandbox exec --scenario outage-then-recovery -- CMD',
  examine: ({ series }) => {
    const repeated = series.map(failuresIn).filter(({ length }) => length > 1);
    const breaches = repeated.flatMap((failures) => {
      const [first, ...more] = failures;
      if (first === undefined || failures.length <= maxTries) return [];
      const message = `The client sent the request ${failures.length} times, although it failed each time.`;
      return [{ message, calls: [first, ...more] as const }];
    });
    return { occasions: repeated.length, breaches };
  },
};

/** Returns the longest run of temporary failures of a request. */
function failuresIn(tries: Series): Series {
  let longest: Series = [];
  let start = 0;
  for (let place = 0; place <= tries.length; place += 1) {
    const attempt = tries[place];
    if (attempt !== undefined && mayPass(attempt)) continue;
    if (place - start > longest.length) longest = tries.slice(start, place);
    start = place + 1;
  }
  return longest;
}
