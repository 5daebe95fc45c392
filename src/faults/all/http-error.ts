import { defineFault } from '../fault.ts';
import { text, wholeNumber } from '../parameter.ts';

export const httpError = defineFault({
  name: 'http-error',
  summary: 'The call is turned away with an HTTP status, in the body that refusals have (the assumption `refusalBody`).',
  parameters: {
    status: wholeNumber('the HTTP status', { from: 400, to: 599, standard: 500 }),
    'retry-after': wholeNumber('seconds for the header Retry-After; left out, there is none', { from: 0, to: 86_400, standard: undefined }),
    message: text('what the body says', 'The service could not complete the request.'),
  },
  phase: 'before',
  act: ({ status, message, 'retry-after': retryAfter }) => ({
    kind: 'refuse',
    status,
    message,
    headers: retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)],
  }),
});
