import { defineFault } from '../fault.ts';

export const reorderedOutput = defineFault({
  name: 'reordered-output',
  summary: 'The outputs of a batch come in the opposite order.',
  parameters: {},
  phase: 'after',
  act: () => ({ kind: 'edit', hits: () => [], edit: () => (members) => members.toReversed() }),
});
