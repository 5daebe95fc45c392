import type { Delivery, FaultyReply } from './faulty-reply.ts';
import { joined, toWire } from '../base/wire-text.ts';

/** Returns the reply with a header set, replacing existing ones of this name. */
export function withHeader(reply: FaultyReply, name: string, value: string): FaultyReply {
  const headers: string[] = [];
  for (let at = 0; at < reply.headers.length; at += 2) {
    const known = reply.headers[at] ?? '';
    if (known !== name) headers.push(known, reply.headers[at + 1] ?? '');
  }
  return { ...reply, headers: [...headers, name, value] };
}

/**
 * Returns another reply to the same call, which keeps only the request id, and what allows pages of other origins to
 * read it.
 */
export function otherBody(reply: FaultyReply, status: number, type: string, body: string): FaultyReply {
  const headers: string[] = [];
  for (let at = 0; at < reply.headers.length; at += 2) {
    const name = reply.headers[at] ?? '';
    if (name === 'Sandbox-Request-Id' || name.startsWith('Access-Control-'))
      headers.push(name, reply.headers[at + 1] ?? '');
  }
  return { ...reply, status, headers: [...headers, 'Content-Type', type], body: toWire(body) };
}

/** Returns a reply that sends nothing. */
export function nothingOf(reply: FaultyReply): FaultyReply {
  return { status: 0, headers: [], body: joined(''), at: reply.at };
}

/** Returns the delivery of the body as set by previous faults. */
export function bodyDelivery({ delivery }: FaultyReply): Extract<Delivery, { kind: 'body' }> {
  return delivery?.kind === 'body' ? delivery : { kind: 'body' };
}
