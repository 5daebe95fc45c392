/** Returns items as one text, with the number of those that are left out: `a, b and 3 more`. */
export function listed(shown: readonly string[], total: number): string {
  const rest = total - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the first items, at most `most`, and reads no others. */
export function firstOf<T>(items: Iterable<T>, most: number): readonly T[] {
  const found: T[] = [];
  for (const item of items) if (found.push(item) >= most) break;
  return found;
}

/** Returns the first names as one text, and whether there are others: `a, b and others`. */
export function firstNames(names: readonly string[], most: number): string {
  return `${names.slice(0, most).join(', ')}${names.length > most ? ' and others' : ''}`;
}

/**
 * Returns the sentence that ends an incomplete text: ` And 3 more.` Empty if nothing is left out. If there can be even
 * more, `isLeast` says so.
 */
export function andMore(rest: number, isLeast = false): string {
  return rest > 0 ? ` And ${isLeast ? 'at least ' : ''}${rest} more.` : '';
}
