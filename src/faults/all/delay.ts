import { defineFault } from '../fault.ts';
import { wholeNumber } from '../parameter.ts';

/** Ten minutes: longer than any client waits. */
const longest = 600_000;

const milliseconds = (help: string) => wholeNumber(help, { from: 0, to: longest, standard: undefined });

export const delay = defineFault({
  name: 'delay',
  summary:
    'The reply takes its time: `ms`; or evenly between `min` and `max`; or as services do, half of the calls under `p50` and one of a hundred over `p99`. In phase `before` the operation runs after the wait, and not at all for a client that gives up.',
  parameters: {
    ms: milliseconds('how long, in milliseconds; 1000 where nothing is given'),
    min: milliseconds('at least so long, in milliseconds'),
    max: milliseconds('at most so long, in milliseconds'),
    p50: milliseconds('the median, in milliseconds'),
    p99: milliseconds('what one call of a hundred exceeds, in milliseconds'),
  },
  phase: 'before',
  conflict: ({ ms, min, max, p50, p99 }) => {
    const ways = [[ms], [min, max], [p50, p99]].filter((way) => way.some((value) => value !== undefined));
    if (ways.length > 1) return 'Give "ms", or "min" and "max", or "p50" and "p99".';
    if (ways[0]?.includes(undefined) === true) return 'The parameters "min" and "max" go together, and so do "p50" and "p99".';
    if ((min ?? 0) > (max ?? longest)) return '"min" must not be above "max".';
    return (p50 ?? 0) > (p99 ?? longest) ? '"p50" must not be above "p99".' : null;
  },
  act: ({ ms = 1000, min, max, p50, p99 }) => ({
    kind: 'wait',
    milliseconds: (chance) => {
      if (min !== undefined && max !== undefined) return min + (max - min) * chance('delay');
      if (p50 === undefined || p99 === undefined) return ms;
      return Math.min(longest, logNormal(p50, p99, chance));
    },
  }),
});

/** How many standard deviations above the median 99 of 100 values end. */
const deviationsAtP99 = 2.326_347_87;

function logNormal(p50: number, p99: number, chance: (purpose: string) => number): number {
  if (p50 === 0) return 0;
  // Box and Muller's way from even to normal chances; 1 - x keeps the logarithm away from 0.
  const normal = Math.sqrt(-2 * Math.log(1 - chance('delay length'))) * Math.cos(2 * Math.PI * chance('delay angle'));
  return p50 * Math.exp((Math.log(p99 / p50) / deviationsAtP99) * normal);
}
