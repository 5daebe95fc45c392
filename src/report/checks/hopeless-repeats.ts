import { isKeyRefused, type Attempt } from '../attempt.ts';
import { stepsOf, type Calls } from '../calls.ts';
import type { Breach, Check } from '../check.ts';
import { groupBy } from '../../base/group-by.ts';

/**
 * Calls of an operation that may be in flight, or come from other parts of a client, before it knows that its
 * key is refused.
 */
const maxWithRefusedKey = 4;

export const hopelessRepeats: Check = {
  check: 'hopeless-repeats',
  title: 'Does not repeat requests that cannot succeed',
  rule:
    'The client must not send a permanently refused request (invalid key, invalid parameters, missing record) again unchanged: neither immediately, nor more than once after ' +
    `other calls. With a refused key, it must not call an operation more than ${maxWithRefusedKey} times. The check ignores time.`,
  occasion: 'permanently refused requests',
  exercise: 'lp-sandbox exec --scenario key-revoked -- CMD',
  examine: (calls) => ({
    occasions: calls.attempts.filter(isHopeless).length,
    breaches: [...repeats(calls), ...callsWithRefusedKey(calls)],
  }),
};

function isHopeless(attempt: Attempt): boolean {
  const { ending, entry } = attempt;
  if (ending === 'refused') return true;
  if (ending !== 'element-error') return false;
  const { outcomes, failures } = entry;
  return (
    failures.length === outcomes.length &&
    failures.length > 0 &&
    failures.every(({ kind }) => kind === 'invalid' || kind === 'not-found')
  );
}

function repeats({ attempts, series }: Calls): readonly Breach[] {
  const place = placesIn(attempts);
  const inBetween = (before: Attempt, next: Attempt): boolean =>
    (place.get(next) ?? 0) - (place.get(before) ?? 0) > 1;
  return series.flatMap((tries) => {
    const vain = stepsOf(tries).filter(
      ({ before, next }) => isHopeless(before) && isHopeless(next) && !isKeyRefused(before),
    );
    const [first] = vain;
    if (first === undefined || (vain.length < 2 && inBetween(first.before, first.next))) return [];
    const times = vain.length === 1 ? 'once' : `${vain.length} times`;
    return [
      {
        message: `The client sent the same request ${times} more, and it failed in the same way.`,
        calls: [first.before, ...vain.map(({ next }) => next)],
      },
    ];
  });
}

/** Returns the index of each call among those of its client. */
function placesIn(attempts: readonly Attempt[]): ReadonlyMap<Attempt, number> {
  const own = groupBy(attempts, ({ client }) => client);
  return new Map([...own.values()].flatMap((calls) => calls.map((call, index) => [call, index])));
}

function callsWithRefusedKey({ byOperation }: Calls): readonly Breach[] {
  return byOperation.flatMap((own) => {
    const [first, ...more] = own.filter(isKeyRefused);
    if (first === undefined || more.length < maxWithRefusedKey) return [];
    return [
      { message: `The client called ${more.length} more times with a refused key.`, calls: [first, ...more] },
    ];
  });
}
