import { operationFacts } from '../../contract/generated/facts.ts';
import { isOperationName } from '../../contract/operation-types.ts';
import { met, type Attempt } from '../attempt.ts';
import { stepsOf } from '../calls.ts';
import type { Check } from '../check.ts';

export const unsafeRepeats: Check = {
  check: 'unsafe-repeats',
  title: 'Repeats a write after a lost response only if that is safe',
  rule:
    'The response to a write is lost if it does not arrive completely, or is a gateway page or HTTP 500, 502 or 504. The write may have taken effect, so the client must repeat it only if that is safe. ' +
    'Creating an instructor is documented as idempotent, and an update sets the same values again. The effect of a second submission is not documented. The check ignores time.',
  occasion: 'writes with a lost response',
  exercise: 'lp-sandbox exec --scenario lost-replies -- CMD',
  examine: ({ series }) => {
    const lost = series.flat().filter(isLostWrite);
    const repeated = series.flatMap(stepsOf).filter(({ before }) => isLostWrite(before) && !isSafe(before));
    const breaches = repeated.map(({ before, next }) => {
      const effect = tookEffect(before)
        ? 'it had taken effect'
        : 'it had not taken effect, but the client could not know that';
      const twice = tookEffect(before) && tookEffect(next) ? ', and took effect again' : '';
      return {
        message: `The client repeated the call after its response was lost: ${effect}${twice}.`,
        calls: [before, next] as const,
      };
    });
    return { occasions: lost.length, breaches };
  },
};

function isLostWrite(attempt: Attempt): boolean {
  const { operation, status } = attempt.entry;
  if (!isOperationName(operation) || !operationFacts[operation].writes) return false;
  return (
    attempt.ending === 'lost' ||
    attempt.ending === 'gone' ||
    met(attempt, 'html-error-page') ||
    [500, 502, 504].includes(status)
  );
}

/** Whether a call can be repeated safely, whatever the effect of the first one. */
export function isSafe({ entry: { operation } }: Attempt): boolean {
  return !isOperationName(operation) || operationFacts[operation].safeToRepeat;
}

function tookEffect({ entry }: Attempt): boolean {
  return entry.outcomes.includes('ok');
}
