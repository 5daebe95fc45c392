import { cutOff } from '../cut-off.ts';
import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';

export const truncatedBody = defineFault({
  name: 'truncated-body',
  summary: 'The body is shorter than its Content-Length, and the server closes the connection.',
  parameters: {
    bytes: wholeNumber('the number of bytes to send; by default half of the body', {
      from: 0,
      to: 10_000_000,
      standard: undefined,
    }),
  },
  phase: 'before',
  act: ({ bytes }) => ({
    kind: 'change',
    change: (reply) => cutOff(reply, bytes ?? Math.floor(reply.body.length / 2), 'close'),
  }),
});
