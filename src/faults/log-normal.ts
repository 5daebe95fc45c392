/** The 99th percentile of the normal distribution, in standard deviations above the median. */
const deviationsAtP99 = 2.326_347_87;

/** Returns a random time with a median and a 99th percentile. */
export function logNormal(p50: number, p99: number, chance: (purpose: string) => number): number {
  if (p50 === 0) return 0;
  // The Box–Muller transform from uniform to normal values; 1 - x avoids the logarithm of 0.
  const normal =
    Math.sqrt(-2 * Math.log(1 - chance('delay length'))) * Math.cos(2 * Math.PI * chance('delay angle'));
  return p50 * Math.exp((Math.log(p99 / p50) / deviationsAtP99) * normal);
}
