import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { cutOff } from '../cut-off.ts';
import { nothingOf } from '../reply-parts.ts';

export const reset = defineFault({
  name: 'reset',
  summary:
    'The server closes the connection with a TCP reset: before the response or, with `bytes`, in the middle of its body.',
  parameters: {
    bytes: wholeNumber('the number of bytes of the body to send first; by default nothing is sent', {
      from: 0,
      to: 10_000_000,
      standard: undefined,
    }),
  },
  phase: 'before',
  act: ({ bytes }) =>
    bytes === undefined
      ? {
          kind: 'replace',
          change: (reply) => ({ ...nothingOf(reply), delivery: { kind: 'nothing', ending: 'reset' } }),
        }
      : { kind: 'change', change: (reply) => cutOff(reply, bytes, 'reset') },
});
