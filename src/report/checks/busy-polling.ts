import { groupBy } from '../../base/group-by.ts';
import { met, type Attempt } from '../attempt.ts';
import { waited } from '../calls.ts';
import { inScopes, type Breach, type Check } from '../check.ts';

/** The same request, so often in a row with shorter pauses than this, is hardly what a user needs. */
const fewest = 20;
const pauseMs = 1000;

export const busyPolling: Check = {
  check: 'busy-polling',
  title: 'Remembers what it has just read',
  rule:
    `In a scope, the check recommends caching a response if the client sends the same request successfully ${fewest} or more times, each time less than ${pauseMs / 1000} s after the previous response. ` +
    "The pause is measured in real time or on the sandbox's clock, whichever is longer. Without a scope, the calls may come from many tests.",
  basis: 'Good practice: a request whose response is known uses up the rate limit needlessly.',
  strength: 'advice',
  occasion: 'requests that were sent again after a success',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts }) => {
    // The client may have treated a response of another type as a failure.
    const good = attempts.filter((attempt) => attempt.ending === 'ok' && !met(attempt, 'wrong-content-type'));
    const repeated = [...groupBy(good, ({ request }) => request).values()].filter(({ length }) => length > 1);
    const breaches = repeated.flatMap(breachIn);
    const certain = inScopes(breaches);
    if (certain.length === breaches.length) return { occasions: repeated.length, breaches };
    const notJudged =
      'The same request was sent many times, perhaps by several tests. Give each test a scope.';
    return { occasions: repeated.length, breaches: certain, notJudged };
  },
};

function breachIn(same: readonly Attempt[]): readonly Breach[] {
  let run: Attempt[] = [];
  let longest = run;
  for (const attempt of same) {
    const before = run.at(-1);
    if (before !== undefined && waited(before, attempt) >= pauseMs) run = [];
    run.push(attempt);
    if (run.length > longest.length) longest = run;
  }
  const [first, ...more] = longest;
  if (first === undefined || longest.length < fewest) return [];
  const message = `The client sent the same request ${longest.length} times, less than ${pauseMs / 1000} s after each success.`;
  return [{ message, calls: [first, ...more] }];
}
