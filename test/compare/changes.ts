import type { Change } from '../calibrate/second-sandbox.ts';

/** Returns a reply with other headers; null removes one. */
export function withHeaders(reply: Response, changed: Readonly<Record<string, string | null>>): Response {
  const headers = new Headers(reply.headers);
  for (const [name, value] of Object.entries(changed))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  return new Response(reply.body, { status: reply.status, headers });
}

/** Returns a change of the bodies that are JSON. */
export function inBodies(changed: (body: unknown) => unknown): Change {
  return async (_, reply) => {
    const text = await reply.text();
    const { status, headers } = reply;
    if (!/^[[{]/.test(text)) return new Response(text === '' ? null : text, { status, headers });
    return new Response(JSON.stringify(changed(JSON.parse(text))), { status, headers });
  };
}

/** Returns a change of every member with a name, at any depth; undefined removes it. */
export function inMembers(name: string, changed: (value: unknown) => unknown): Change {
  return inBodies((body) =>
    JSON.parse(
      JSON.stringify(body, (key: string, value: unknown) => (key === name ? changed(value) : value)),
    ),
  );
}

/** Answers calls as if some text in their bodies was another one. */
export function taking(text: string | RegExp, as: string): Change {
  return async (sent, reply) => {
    if (sent.method !== 'POST') return reply;
    const [before, operation] = [await sent.clone().text(), sent.url];
    const body = before.replaceAll(text, as);
    return body === before
      ? reply
      : fetch(new Request(operation, { method: 'POST', headers: sent.headers, body }));
  };
}
