import { defineFault } from '../fault.ts';

export const reorderedOutput = defineFault({
  name: 'reordered-output',
  summary: 'The outputs of a batch are in reverse order.',
  parameters: {},
  phase: 'after',
  act: () => ({ kind: 'edit', hits: () => [], edit: () => (members) => members.toReversed() }),
});
