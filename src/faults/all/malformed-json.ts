import { joined } from '../../base/wire-text.ts';
import { defineFault } from '../fault.ts';

export const malformedJson = defineFault({
  name: 'malformed-json',
  summary:
    'The response is complete and declared as JSON, but cannot be parsed: it ends with a comma instead of a bracket.',
  parameters: {},
  phase: 'before',
  act: () => ({
    kind: 'change',
    change: (reply) => ({ ...reply, body: joined(`${reply.body.slice(0, -1)},`) }),
  }),
});
