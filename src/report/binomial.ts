/** Returns the probability of at least `hits` in `count` independent trials that each succeed with `chance`. */
export function tail(count: number, hits: number, chance: number): number {
  if (hits <= 0 || chance >= 1) return 1;
  let sum = 0;
  // With thousands of trials, the first terms are too small for a number, but their logarithms are not.
  let logOfTerm = count * Math.log(1 - chance);
  for (let at = 0; at <= count; at += 1) {
    if (at >= hits) sum += Math.exp(logOfTerm);
    logOfTerm += Math.log((count - at) / (at + 1)) + Math.log(chance / (1 - chance));
  }
  return sum;
}
