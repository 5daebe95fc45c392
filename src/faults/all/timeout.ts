import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';
import { nothingOf } from '../reply-parts.ts';

export const timeout = defineFault({
  name: 'timeout',
  summary: 'No answer: the connection stays open, without a byte, until the client gives up or the limit is over (then it is closed).',
  parameters: { seconds: wholeNumber('the limit', { from: 1, to: 3600, standard: 300 }) },
  phase: 'before',
  act: ({ seconds }) => ({
    kind: 'replace',
    change: (reply) => ({ ...nothingOf(reply), delivery: { kind: 'silence', milliseconds: seconds * 1000 } }),
  }),
});
