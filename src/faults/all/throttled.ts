import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';

export const throttled = defineFault({
  name: 'throttled',
  summary: 'The call is answered as one over the rate limit, whatever is left of it (the assumptions `throttleReply` and `retryAfter`).',
  parameters: { 'retry-after': wholeNumber('seconds until the client may come back', { from: 1, to: 86_400, standard: 60 }) },
  phase: 'before',
  act: ({ 'retry-after': retryAfterSeconds }) => ({ kind: 'throttle', retryAfterSeconds }),
});
