import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { nothingOf } from '../reply-parts.ts';

export const timeout = defineFault({
  name: 'timeout',
  summary:
    'No response: the connection stays open until the client closes it, or the server closes it after `seconds`.',
  parameters: {
    seconds: wholeNumber('the time until the server closes the connection, in seconds', {
      from: 1,
      to: 3600,
      standard: 300,
    }),
  },
  phase: 'before',
  act: ({ seconds }) => ({
    kind: 'replace',
    change: (reply) => ({ ...nothingOf(reply), delivery: { kind: 'silence', milliseconds: seconds * 1000 } }),
  }),
});
