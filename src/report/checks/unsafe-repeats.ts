import type { SlicedWork } from '../../base/sliced-work.ts';
import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { isEffectUnknown, type Attempt } from '../attempt.ts';
import { judgedRepeats, type Breach, type Check, type Examination } from '../check.ts';
import { FollowUps } from '../follow-ups.ts';

export const unsafeRepeats: Check = {
  check: 'unsafe-repeats',
  title: 'Repeats a write only if that is safe',
  rule:
    'The response to a write is lost if it does not arrive completely, is a gateway page, has the wrong content type, or has the status 408 or 5xx (without 501, 503 and 505). The write may have taken effect, so the client must repeat it only if that is safe. ' +
    'Creating an instructor is documented as idempotent, and an update sets the same values again. The effect of a second submission is not documented. In a scope, the client must not submit the same element twice either, at the same time or after a success. ' +
    'The check compares elements and ignores time.',
  basis: 'RFC 9110, section 9.2.2: a client should not retry a request that is not idempotent automatically.',
  strength: 'should',
  occasion: 'writes that are not safe to repeat, and whose response was lost or which were sent again',
  exercise: 'lp-sandbox exec --scenario lost-replies -- CMD',
  *examine({ byOperation }): SlicedWork<Examination> {
    const lost: Breach[] = [];
    const twice: Breach[] = [];
    let occasions = 0;
    for (const own of byOperation) {
      const [some] = own;
      if (some === undefined || isSafe(some)) continue;
      const unknown = own.filter(isEffectUnknown);
      occasions += unknown.length;
      const followUps = yield* FollowUps.prepare(unknown, own);
      for (const before of unknown) {
        lost.push(...lostBreach(before, followUps.next(before)));
        yield;
      }
      twice.push(...(yield* duplicates(own)));
    }
    const judged = judgedRepeats(occasions + twice.length, lost);
    const inScopes = twice.filter(({ calls: [{ entry }] }) => entry.scope !== null);
    if (inScopes.length === twice.length) return { ...judged, breaches: [...judged.breaches, ...inScopes] };
    const notJudged =
      'The same element was submitted more than once, which may be the work of several tests. Give each test a scope.';
    return { ...judged, breaches: [...judged.breaches, ...inScopes], notJudged };
  },
};

/** Whether a call can be repeated safely, whatever the effect of the first one. */
function isSafe({ entry: { operation } }: Attempt): boolean {
  return !isOperationName(operation) || operationFacts[operation].safeToRepeat;
}

function lostBreach(before: Attempt, next: Attempt | undefined): readonly Breach[] {
  if (next === undefined) return [];
  const effect = tookEffect(before)
    ? 'it had taken effect'
    : 'it had not taken effect, but the client could not know that';
  const twice = tookEffect(before) && tookEffect(next) ? ', and took effect again' : '';
  const message = `The client repeated the call after its response was lost: ${effect}${twice}.`;
  return [{ message, calls: [before, next] }];
}

/** Finds elements that took effect twice although no response was lost. */
function* duplicates(own: readonly Attempt[]): SlicedWork<readonly Breach[]> {
  const first = new Map<number, Attempt>();
  const breaches: Breach[] = [];
  for (const attempt of own) {
    yield;
    if (!tookEffect(attempt)) continue;
    for (const [place, key] of attempt.keys.entries()) {
      if (attempt.entry.outcomes[place] !== 'ok') continue;
      const before = first.get(key);
      first.set(key, attempt);
      if (before === undefined || before === attempt || isEffectUnknown(before)) continue;
      const when = before.replied > attempt.received ? 'at the same time' : 'after it had succeeded';
      breaches.push({
        message: `The client submitted the same element again ${when}.`,
        calls: [before, attempt],
      });
      break;
    }
  }
  return breaches;
}

function tookEffect({ entry }: Attempt): boolean {
  return entry.outcomes.includes('ok');
}
