import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault } from './fault.ts';

export const notFound = defineFault({
  name: 'not-found',
  summary: 'Elements are answered as if what they name did not exist (the assumption `unknownId`).',
  parameters: choice,
  phase: 'before',
  conflict: choiceConflict,
  act: (given) => ({
    kind: 'fail',
    hits: chosenElements(given),
    failure: { kind: 'not-found', message: 'The school has no record with this identifier.' },
  }),
});
