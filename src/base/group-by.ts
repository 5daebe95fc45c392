/** Groups the members of a list by key, in the order in which the keys first occur. */
export function groupBy<T>(
  members: readonly T[],
  keyOf: (member: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [member]);
    else group.push(member);
  }
  return groups;
}
