import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault } from './fault.ts';

export const missingOutput = defineFault({
  name: 'missing-output',
  summary: 'Members of the reply are there, but hollow: `{}` without an `output`.',
  parameters: choice,
  phase: 'before',
  conflict: choiceConflict,
  act: (given) => ({
    kind: 'fail',
    hits: chosenElements(given),
    failure: { kind: 'hollow', message: 'The output is missing.' },
    edit: (members, hit) => members.map((member, number) => (hit.has(number) ? {} : member)),
  }),
});
