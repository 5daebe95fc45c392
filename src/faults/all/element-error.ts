import { elementFault } from '../element-fault.ts';
import { text } from '../parameter.ts';

export const elementError = elementFault({
  name: 'element-error',
  summary: 'Some elements of the batch fail, the others are well. Without a choice, all of them fail.',
  parameters: { message: text('the `errorMessage`', 'The service could not complete the request.') },
  failure: ({ message }) => ({ kind: 'injected', message }),
});
