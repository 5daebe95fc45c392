import { choice, choiceConflict, chosenElements } from './chosen-elements.ts';
import { defineFault } from './fault.ts';

export const errorWithoutMessage = defineFault({
  name: 'error-without-message',
  summary: 'Elements fail with `status: "error"` and no `errorMessage`, though the specification requires one.',
  parameters: choice,
  phase: 'before',
  conflict: choiceConflict,
  act: (given) => ({
    kind: 'fail',
    hits: chosenElements(given),
    failure: { kind: 'injected', message: 'The message is missing.' },
    edit: (members, hit) => members.map((member, number) => (hit.has(number) ? { output: { status: 'error' } } : member)),
  }),
});
