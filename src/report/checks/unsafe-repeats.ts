import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { met, type Attempt } from '../attempt.ts';
import { stepsOf } from '../calls.ts';
import type { Check } from '../check.ts';

export const unsafeRepeats: Check = {
  check: 'unsafe-repeats',
  title: 'Repeats a write after a lost reply only where that is safe',
  rule:
    'A writing call that may have taken effect though its reply never came (no reply, none that it waited for, a broken one, a page of a gateway, HTTP 500, 502 or 504) is sent again only where that does no harm: ' +
    'creating an instructor is stated to be idempotent, and an update puts the same values once more; what a second submission does is not stated. Time plays no part.',
  occasion: 'writing calls whose reply was lost',
  exercise: 'lp-sandbox exec --scenario lost-replies -- CMD',
  examine: ({ series }) => {
    const lost = series.flat().filter(isLostWrite);
    const repeated = series.flatMap(stepsOf).filter(({ before }) => isLostWrite(before) && !isSafe(before));
    const breaches = repeated.map(({ before, next }) => {
      const effect = tookEffect(before) ? 'it had taken effect' : 'it had not taken effect, which the client could not know';
      const twice = tookEffect(before) && tookEffect(next) ? ', and then did so a second time' : '';
      return { message: `It sent the call again after its reply was lost: ${effect}${twice}.`, calls: [before, next] as const };
    });
    return { occasions: lost.length, breaches };
  },
};

function isLostWrite(attempt: Attempt): boolean {
  const { operation, status } = attempt.entry;
  if (!isOperationName(operation) || !operationFacts[operation].writes) return false;
  return attempt.ending === 'lost' || attempt.ending === 'gone' || met(attempt, 'html-error-page') || [500, 502, 504].includes(status);
}

/** Whether a second time does no harm, whatever became of the first. */
export function isSafe({ entry: { operation } }: Attempt): boolean {
  return !isOperationName(operation) || operationFacts[operation].safeToRepeat;
}

function tookEffect({ entry }: Attempt): boolean {
  return entry.outcomes.includes('ok');
}
