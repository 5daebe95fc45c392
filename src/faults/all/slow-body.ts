import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { bodyDelivery } from '../reply-parts.ts';

export const slowBody = defineFault({
  name: 'slow-body',
  summary: 'The headers come at once, the body drips: a few bytes at a time.',
  parameters: {
    bytes: wholeNumber('how many at a time', { from: 1, to: 1_000_000, standard: 32 }),
    ms: wholeNumber('milliseconds between one drop and the next', { from: 1, to: 60_000, standard: 100 }),
  },
  phase: 'after',
  act: ({ bytes, ms }) => ({
    kind: 'change',
    change: (reply) => ({ ...reply, delivery: { ...bodyDelivery(reply), drip: { bytes, everyMs: ms } } }),
  }),
});
