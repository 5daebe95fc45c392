import { defineFault } from '../fault.ts';
import { nothingOf } from '../reply-parts.ts';

export const emptyResponse = defineFault({
  name: 'empty-response',
  summary: 'The connection is closed in order, without a byte.',
  parameters: {},
  phase: 'before',
  act: () => ({ kind: 'replace', change: (reply) => ({ ...nothingOf(reply), delivery: { kind: 'nothing', ending: 'close' } }) }),
});
