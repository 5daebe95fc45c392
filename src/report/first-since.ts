/** Returns the place of the first member that arrived at a moment or later. They are in the order of arrival. */
export function firstSince<T>(
  members: readonly T[],
  moment: number,
  receivedOf: (member: T) => number,
): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const member = members[middle];
    if (member !== undefined && receivedOf(member) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
