import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';

export const shortOutput = defineFault({
  name: 'short-output',
  summary: 'The response has fewer outputs than the batch has elements: the last ones are missing.',
  parameters: { by: wholeNumber('the number of missing outputs', { from: 1, to: 1_000_000, standard: 1 }) },
  phase: 'before',
  act: ({ by }) => ({
    kind: 'fail',
    hits: (elements) => Array.from({ length: Math.min(by, elements) }, (_, place) => elements - 1 - place),
    failure: { kind: 'missing-output', message: 'The output is missing.' },
    edit: (members, hit) => members.filter((_, number) => !hit.has(number)),
  }),
});
