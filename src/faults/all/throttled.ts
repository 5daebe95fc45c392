import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';

export const throttled = defineFault({
  name: 'throttled',
  summary:
    'The server refuses the call as if it exceeded the rate limit (see the assumptions `throttleReply` and `retryAfter`).',
  parameters: {
    'retry-after': wholeNumber('the seconds until the client may retry', {
      from: 1,
      to: 86_400,
      standard: 60,
    }),
  },
  phase: 'before',
  act: ({ 'retry-after': retryAfterSeconds }) => ({ kind: 'throttle', retryAfterSeconds }),
});
