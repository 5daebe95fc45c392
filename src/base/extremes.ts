/** Returns the smallest number; Infinity for none. Math.min cannot take a list with hundreds of thousands of numbers. */
export function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Infinity);
}

/** Returns the largest number; -Infinity for none. */
export function greatest(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), -Infinity);
}
