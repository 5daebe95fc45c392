/**
 * Returns the names of a record's members. Only for literals, which have no members that their type does not
 * name.
 */
export function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(record) as K[];
}

/** Returns a record with a member for each name. */
export function recordOf<K extends string, V>(names: readonly K[], valueOf: (name: K) => V): Record<K, V> {
  // There is an entry for each name.
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
}

/** Returns a copy of a record with other values of the same types. */
export function withValues<R extends object>(
  record: R,
  valueOf: (value: unknown, name: string) => unknown,
): R {
  const members = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    valueOf(value, name),
  ]);
  // The names are the same, and the caller keeps the types.
  return Object.fromEntries(members) as R;
}
