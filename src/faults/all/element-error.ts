import { elementFault } from '../element-fault.ts';
import { text } from '../parameter.ts';

export const elementError = elementFault({
  name: 'element-error',
  summary: 'Elements of the batch fail: all by default, or those that `index` or `every` selects.',
  parameters: { message: text('the `errorMessage`', 'The service could not complete the request.') },
  failure: ({ message }) => ({ kind: 'injected', message }),
});
