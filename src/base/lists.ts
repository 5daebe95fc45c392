/** Returns items as one text, with the number of those that are left out: `a, b and 3 more`. */
export function listed(shown: readonly string[], total: number): string {
  const rest = total - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the sentence that ends an incomplete text: ` And 3 more.` Empty if nothing is left out. */
export function andMore(rest: number): string {
  return rest > 0 ? ` And ${rest} more.` : '';
}
