import { defineFault } from '../fault.ts';
import { text } from '../parameter.ts';

export const outputError = defineFault({
  name: 'output-error',
  summary: 'HTTP 200, but every output of the batch is an error.',
  parameters: {
    message: text('the `errorMessage` of each output', 'The service could not complete the request.'),
  },
  phase: 'before',
  act: ({ message }) => ({ kind: 'refuse', status: 'inside-body', message, headers: [] }),
});
