import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { bodyDelivery } from '../reply-parts.ts';

export const slowBody = defineFault({
  name: 'slow-body',
  summary: 'The headers arrive at once, but the body arrives a few bytes at a time.',
  parameters: {
    bytes: wholeNumber('the number of bytes in each piece', { from: 1, to: 1_000_000, standard: 32 }),
    ms: wholeNumber('the pause between two pieces, in milliseconds', { from: 1, to: 60_000, standard: 100 }),
  },
  phase: 'after',
  act: ({ bytes, ms }) => ({
    kind: 'change',
    change: (reply) => ({ ...reply, delivery: { ...bodyDelivery(reply), drip: { bytes, everyMs: ms } } }),
  }),
});
