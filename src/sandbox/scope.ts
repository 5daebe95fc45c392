/** The maximum length of a scope's name in characters. */
const maxScopeChars = 128;

/** Returns the scope that a header names, cut to the maximum length. Null if it names none. */
export function scopeIn(header: string | undefined): string | null {
  const name = header?.trim() ?? '';
  return name === '' ? null : name.slice(0, maxScopeChars);
}
