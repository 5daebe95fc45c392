import type { FaultyReply } from '../answer/call.ts';

/** The reply with only the first bytes of its body, of which at least one stays out, though the whole length is declared. */
export function cutOff(reply: FaultyReply, bytes: number, ending: 'close' | 'reset'): FaultyReply {
  const declaredBytes = Math.max(1, reply.body.length);
  return { ...reply, body: reply.body.slice(0, Math.min(bytes, declaredBytes - 1)), delivery: { kind: 'cut-off', declaredBytes, ending } };
}
