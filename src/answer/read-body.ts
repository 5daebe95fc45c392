import type { MaybeSliced } from '../base/sliced-work.ts';
import { maxBodyBytes } from './body-size.ts';
import type { CallContext } from './call-context.ts';
import type { ReadBody } from './envelope.ts';
import { readBatch, unreadBody } from './read-batch.ts';
import { NoRoomError } from './server-limit.ts';

/**
 * Reads the body of a call. A body that is too large for the sandbox is not parsed. Throws NoRoomError if the server
 * had no memory for it.
 */
export function readBody({ call, options, sandbox }: CallContext): MaybeSliced<ReadBody> {
  if (call.bodyShortage !== null) throw new NoRoomError('bodiesInFlightBytes');
  const isTooLarge = call.bodyCutOff || call.bodyBytes > maxBodyBytes(options);
  return isTooLarge ? unreadBody : readBatch(call, sandbox.caps);
}
