import { defineFault } from '../fault.ts';
import { logNormal } from '../log-normal.ts';
import { wholeNumber } from '../parameter.ts';

/** Ten minutes, which is longer than any client waits. */
const maxMs = 600_000;

const milliseconds = (help: string) => wholeNumber(help, { from: 0, to: maxMs, standard: undefined });

export const delay = defineFault({
  name: 'delay',
  summary:
    'The response is delayed by `ms`, by a random time between `min` and `max`, or by a random time with the median `p50` and the 99th percentile `p99`. In phase `before`, the operation runs after the delay, and not at all if the server notices that the client has disconnected. While more than 1 MiB of pipelined calls wait behind the delayed one, the server stops reading from the connection, and so does not notice a disconnect.',
  parameters: {
    ms: milliseconds('the delay in milliseconds; 1000 if no parameter is set'),
    min: milliseconds('the minimum delay in milliseconds'),
    max: milliseconds('the maximum delay in milliseconds'),
    p50: milliseconds('the median delay in milliseconds'),
    p99: milliseconds('the delay in milliseconds that 1% of the calls exceed'),
  },
  phase: 'before',
  conflict: ({ ms, min, max, p50, p99 }) => {
    const ways = [[ms], [min, max], [p50, p99]].filter((way) => way.some((value) => value !== undefined));
    if (ways.length > 1) return 'Set "ms", or "min" and "max", or "p50" and "p99".';
    if (ways[0]?.includes(undefined) === true) return 'Set both "min" and "max", or both "p50" and "p99".';
    if ((min ?? 0) > (max ?? maxMs)) return '"min" must not be greater than "max".';
    return (p50 ?? 0) > (p99 ?? maxMs) ? '"p50" must not be greater than "p99".' : null;
  },
  act: ({ ms = 1000, min, max, p50, p99 }) => ({
    kind: 'wait',
    milliseconds: (chance) => {
      if (min !== undefined && max !== undefined) return min + (max - min) * chance('delay');
      if (p50 === undefined || p99 === undefined) return ms;
      return Math.min(maxMs, logNormal(p50, p99, chance));
    },
  }),
});
