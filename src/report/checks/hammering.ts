import { mayPass, type Attempt } from '../attempt.ts';
import { stepsOf, type Series, type Step } from '../calls.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** Who calls again within this time has not waited. */
const atOnceMs = 100;

export const hammering: Check = {
  check: 'hammering',
  title: 'Does not hammer what is down',
  rule:
    'After a failure that may pass (5xx, no reply, a broken one) without Retry-After the client does not send the same request twice in a row within ' +
    `${atOnceMs} ms of the reply each, in real time and on the sandbox's clock. One quick try more is tolerated: a kept connection may just have been closed.`,
  occasion: 'requests sent again after such a failure',
  exercise: 'lp-sandbox exec --scenario silent-outage -- CMD',
  examine: ({ series }) => {
    const repeated = series.filter((tries) => tries.slice(0, -1).some(isOpenFailure));
    return { occasions: repeated.length, breaches: repeated.flatMap(breachIn) };
  },
};

/** A failure that may pass, and does not say when. */
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
  const message = `It sent the same request ${hasty.length} times more, within ${seconds(Math.max(longest, 10))} of each failure.`;
  return [{ message, calls: [first, ...hasty.map(({ next }) => next)] }];
}
