/** Returns the least number of a list of any length; Infinity for none. Math.min takes only so many arguments. */
export function least(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Infinity);
}

/** Returns the greatest number of a list of any length; -Infinity for none. */
export function greatest(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), -Infinity);
}
