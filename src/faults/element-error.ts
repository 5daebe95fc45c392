import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault } from './fault.ts';
import { text } from './parameter.ts';

export const elementError = defineFault({
  name: 'element-error',
  summary: 'Some elements of the batch fail, the others are well. Without a choice, all of them fail.',
  parameters: { ...choice, message: text('the `errorMessage`', 'The service could not complete the request.') },
  phase: 'before',
  conflict: choiceConflict,
  act: (given) => ({ kind: 'fail', hits: chosenElements(given), failure: { kind: 'injected', message: given.message } }),
});
