import { defineFault } from '../fault.ts';
import { nothingOf } from '../reply-parts.ts';

export const emptyResponse = defineFault({
  name: 'empty-response',
  summary: 'The server closes the connection normally, without a response.',
  parameters: {},
  phase: 'before',
  act: () => ({
    kind: 'replace',
    change: (reply) => ({ ...nothingOf(reply), delivery: { kind: 'nothing', ending: 'close' } }),
  }),
});
