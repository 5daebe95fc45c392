import type { SlicedWork } from '../../base/sliced-work.ts';
import type { Attempt } from '../attempt.ts';
import { seconds, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';

/** A client that waits at least this long for a response is patient enough. */
const patientMs = 1000;

/** So many calls that were given up and then sent again are a habit. */
const fewest = 5;

export const shortTimeouts: Check = {
  check: 'short-timeouts',
  title: 'Waits long enough for a response',
  rule:
    `The client must not give up calls within ${seconds(patientMs)} of real time and then send them again: each try is work for the service, and a write may take effect twice. The check fails for ${fewest} or more of them. ` +
    'Calls that the client gives up and does not send again, such as superseded searches, do not count.',
  basis: 'Good practice: a timeout should be longer than the usual latency of the service.',
  strength: 'should',
  occasion: 'calls that the client gave up',
  exercise: 'lp-sandbox exec --scenario slow-day -- CMD',
  *examine({ byOperation }): SlicedWork<Examination> {
    const again: Attempt[] = [];
    let occasions = 0;
    for (const own of byOperation) {
      const left = own.filter(({ entry }) => entry.clientLeft);
      occasions += left.length;
      const hasty = left.filter(({ entry }) => entry.durationMs < patientMs);
      const followUps = yield* FollowUps.prepare(hasty, own);
      for (const attempt of hasty) {
        yield;
        if (followUps.next(attempt) !== undefined) again.push(attempt);
      }
    }
    return { occasions, breaches: breachesOf(again) };
  },
};

function breachesOf(again: readonly Attempt[]): readonly Breach[] {
  const [first, ...more] = again;
  if (first === undefined || again.length < fewest) return [];
  const longest = Math.max(...again.map(({ entry }) => entry.durationMs));
  const message = `The client gave up ${again.length} calls within ${seconds(longest)}, and sent each again.`;
  return [{ message, calls: [first, ...more] }];
}
