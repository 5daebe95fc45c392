/** The members of a list by what they have in common, in the order in which that first occurs. */
export function groupBy<T>(members: readonly T[], commonality: (member: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const common = commonality(member);
    const group = groups.get(common);
    if (group === undefined) groups.set(common, [member]);
    else group.push(member);
  }
  return groups;
}
