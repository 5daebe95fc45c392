import type { WholeEntry } from '../../journal-stream.ts';

/** Returns why a request cannot be sent again from this page; null if it can. */
export function hindranceOf({ cut }: WholeEntry, baseUrl: string): string | null {
  if (cut.request > 0)
    return 'This request cannot be sent again: its body was too long to be stored completely.';
  if (new URL(baseUrl).origin !== location.origin)
    return 'This page and the API have different origins. Copy the curl command to send the request again.';
  return null;
}

/**
 * Sends a request of the journal again, with a body and a key. Returns the request id of the new call, or null
 * if the response has none.
 */
export async function sendCall(
  { url, requestHeaders }: WholeEntry,
  body: string,
  key: string | null,
): Promise<string | null> {
  const headers = new Headers(key === null ? {} : { 'SERVICE-API-KEY': key });
  for (const [name, value] of Object.entries(requestHeaders)) {
    // The journal masks secrets with a character that no header can have.
    if (/^(content-type|sandbox-.+|x-.+)$/.test(name) && !value.includes('…')) headers.set(name, value);
  }
  // The report does not count it as a call of the client.
  headers.set('Sandbox-Page', 'console');
  const reply = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
  if (reply === null) throw new Error('No response: the connection broke. The call is in the journal.');
  return reply.headers.get('Sandbox-Request-Id');
}
