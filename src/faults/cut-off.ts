import { joined } from '../base/wire-text.ts';
import type { FaultyReply } from './faulty-reply.ts';
import { bodyDelivery } from './reply-parts.ts';

/** Returns the reply with a truncated body but its original Content-Length. At least one byte is missing. */
export function cutOff(reply: FaultyReply, bytes: number, ending: 'close' | 'reset'): FaultyReply {
  const declaredBytes = Math.max(1, reply.body.length);
  const body = joined(reply.body.slice(0, Math.min(bytes, declaredBytes - 1)));
  return { ...reply, body, delivery: { ...bodyDelivery(reply), cutOff: { declaredBytes, ending } } };
}
