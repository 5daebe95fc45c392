import { joined } from '../../base/wire-text.ts';
import { defineFault } from '../fault.ts';

export const malformedJson = defineFault({
  name: 'malformed-json',
  summary: 'The reply arrives whole and is declared as JSON, but cannot be parsed: it ends in a comma where a bracket belongs.',
  parameters: {},
  phase: 'before',
  act: () => ({ kind: 'change', change: (reply) => ({ ...reply, body: joined(`${reply.body.slice(0, -1)},`) }) }),
});
