/** Returns the first value of a header by lower-case name, or undefined. */
export function headerIn(list: readonly string[], name: string): string | undefined {
  const place = list.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return place < 0 ? undefined : list[place + 1];
}

/** Returns the headers by lower-case name; repeated headers are joined into a list. */
export function headersByName(list: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = (list[at] ?? '').toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? (list[at + 1] ?? '') : `${before}, ${list[at + 1]}`);
  }
  return Object.fromEntries(headers);
}
