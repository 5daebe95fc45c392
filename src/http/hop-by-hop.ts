/** Headers that apply to one connection and are never forwarded (RFC 9110, 7.6.1). */
const ofConnection: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Returns the headers to forward, without those above and those that Connection lists: name, value, name,
 * value …
 */
export function endToEnd(headers: readonly string[], others: readonly string[] = []): readonly string[] {
  const named = headers.flatMap((value, at) =>
    at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'connection'
      ? value.split(',').map((name) => name.trim().toLowerCase())
      : [],
  );
  return withoutHopByHop(headers, [...named, ...others]);
}

/** Returns headers without those above and some others. */
export function withoutHopByHop(headers: readonly string[], others: readonly string[]): readonly string[] {
  const dropped = new Set([...ofConnection, ...others]);
  const isKept = (at: number): boolean => !dropped.has((headers[at - (at % 2)] ?? '').toLowerCase());
  return headers.filter((_, at) => isKept(at));
}

/** Whether a header, by its name in lower case, applies to one connection. */
export function isHopByHop(name: string): boolean {
  return ofConnection.includes(name);
}
