const collator = new Intl.Collator('en', { numeric: true });

/** Compares texts with the numbers in them, such as request ids. Different texts are never equal. */
export function byText(one: string, other: string): number {
  if (one === other) return 0;
  return collator.compare(one, other) || (one < other ? -1 : 1);
}

/** Returns the first text in an order, without null; null if there is none. */
export function firstOf(
  texts: readonly (string | null)[],
  order: (one: string, other: string) => number = byText,
): string | null {
  return texts.filter((text) => text !== null).toSorted(order)[0] ?? null;
}

/**
 * Returns the members of both lists in the order of their keys. `merge` merges members with the same key; by
 * default they are equal.
 */
export function union<T>(
  one: readonly T[],
  other: readonly T[],
  keyOf: (member: T) => string,
  merge: (former: T, latter: T) => T = (former) => former,
): readonly T[] {
  const byKey = new Map<string, T>();
  for (const member of [...one, ...other]) {
    const key = keyOf(member);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? member : merge(known, member));
  }
  return [...byKey].toSorted(([former], [latter]) => byText(former, latter)).map(([, member]) => member);
}
