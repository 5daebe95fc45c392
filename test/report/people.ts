/** People whose pauses are simulated: the middle pause in ms, its variation, and the number of pauses. */
export const people = [
  [2000, 0.5, 10],
  [2600, 0.35, 15],
  [3000, 0.3, 40],
  [3000, 0.5, 15],
  [8000, 0.8, 10],
  [1000, 0.3, 4],
  [1500, 0.3, 6],
] as const;

/** Nobody sees a failure and tries again faster. */
const reactionMs = 250;

/** Pauses of a person: the middle one, and the standard deviation of their logarithms without the reaction. */
export function person(
  random: () => number,
  middleMs: number,
  variation: number,
  count: number,
): readonly number[] {
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return reactionMs + Math.exp(Math.log(middleMs - reactionMs) + variation * normal);
  });
}
