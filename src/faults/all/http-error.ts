import { defineFault } from '../fault.ts';
import { text, wholeNumber } from '../parameter.ts';

export const httpError = defineFault({
  name: 'http-error',
  summary:
    'The server refuses the call with an HTTP status. The assumption `refusalBody` determines the body.',
  parameters: {
    status: wholeNumber('the HTTP status', { from: 400, to: 599, standard: 500 }),
    'retry-after': wholeNumber('the seconds in the header Retry-After; by default there is no such header', {
      from: 0,
      to: 86_400,
      standard: undefined,
    }),
    message: text('the message in the body', 'The service could not complete the request.'),
  },
  phase: 'before',
  act: ({ status, message, 'retry-after': retryAfter }) => ({
    kind: 'refuse',
    status,
    message,
    headers: retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)],
  }),
});
