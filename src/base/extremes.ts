/** Returns the smallest number; Infinity for none. Math.min cannot take a list with hundreds of thousands of numbers. */
export function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Infinity);
}

/** Returns the largest number; -Infinity for none. */
export function greatest(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), -Infinity);
}

/** Returns the number in the middle of the sorted ones, the higher of two; undefined for none. */
export function middle(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
