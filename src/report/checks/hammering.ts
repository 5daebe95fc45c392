import { mayPass, type Attempt } from '../attempt.ts';
import { stepsOf, type Series, type Step } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** A shorter pause counts as no pause. */
const atOnceMs = 100;

export const hammering: Check = {
  check: 'hammering',
  title: 'Does not hammer a failing service',
  rule:
    'A request fails temporarily if it gets a 5xx, no response, or an incomplete response. Without Retry-After, the client must not retry it twice in a row within ' +
    `${atOnceMs} ms of each response, in real time and on the sandbox's clock. The check tolerates one immediate retry, because the server may just have closed an idle connection.`,
  occasion: 'requests retried after such a failure',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  examine: ({ series }) => {
    const repeated = series.filter((tries) => tries.slice(0, -1).some(isOpenFailure));
    return { occasions: repeated.length, breaches: repeated.flatMap(breachIn) };
  },
};

/** Whether a call failed temporarily without saying when to retry. */
export function isOpenFailure(attempt: Attempt): boolean {
  return mayPass(attempt) && attempt.toWait === null;
}

export function isHasty({ before, pause }: Step): boolean {
  return isOpenFailure(before) && pause < atOnceMs;
}

function breachIn(tries: Series): readonly Breach[] {
  const steps = stepsOf(tries);
  const hasty = steps.filter(isHasty);
  const [first] = tries;
  const twice = steps.some((step, index) => {
    const previous = steps[index - 1];
    return previous !== undefined && isHasty(previous) && isHasty(step);
  });
  if (first === undefined || !twice) return [];
  const longest = hasty.reduce((most, { pause }) => Math.max(most, pause), 0);
  const message = `The client retried the request ${hasty.length} times within ${seconds(Math.max(longest, 10))} of each failure.`;
  return [{ message, calls: [first, ...hasty.map(({ next }) => next)] }];
}
