import type { Attempt } from '../attempt.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/** This number of single calls within this time could have been one batch. */
const fewest = 20;
const withinMs = 5000;

export const batching: Check = {
  check: 'batching',
  title: 'Uses batches',
  rule: `One call can have many elements. The check recommends a batch if the client sends ${fewest} or more calls of an operation with one element each, all different, within ${seconds(withinMs)} of real time.`,
  basis:
    'The specification, Common conventions 3: data is an array. Good practice: a batch counts as one request for the rate limit.',
  strength: 'advice',
  occasion: 'operations that were called several times',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ byOperation }) => ({
    occasions: byOperation.filter(({ length }) => length > 1).length,
    breaches: byOperation.flatMap(burstIn),
  }),
};

function burstIn(own: readonly Attempt[]): readonly Breach[] {
  const singles = own.filter(({ keys }) => keys.length === 1);
  /** How often each request is among the recent calls. */
  const recent = new Map<string, number>();
  let oldest = 0;
  for (const [place, attempt] of singles.entries()) {
    recent.set(attempt.request, (recent.get(attempt.request) ?? 0) + 1);
    for (; (singles[oldest]?.received ?? Infinity) < attempt.received - withinMs; oldest += 1)
      forget(recent, singles[oldest]?.request ?? '');
    if (recent.size < fewest) continue;
    const [first, ...more] = singles.slice(oldest, place + 1);
    if (first === undefined) continue;
    const message = `The client sent ${fewest} calls with one element each within ${seconds(attempt.received - first.received)}. One batch can have all of them.`;
    return [{ message, calls: [first, ...more] }];
  }
  return [];
}

function forget(counts: Map<string, number>, request: string): void {
  const left = (counts.get(request) ?? 0) - 1;
  if (left > 0) counts.set(request, left);
  else counts.delete(request);
}
