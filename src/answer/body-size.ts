import type { Options } from '../assumptions.ts';
import type { Call } from './call.ts';
import type { CallContext } from './call-context.ts';

const sizes = { '100kb': 102_400, '1mb': 1_048_576, '10mb': 10_485_760 } as const;

/** Every option accepts bodies up to this size. */
export const smallBodyBytes = sizes['100kb'];

/** Each step of processing a body of more characters than this takes some milliseconds. */
const largeChars = 1_048_576;

/** Returns whether the steps of a call are divided into slices because of its body. */
export function isLarge({ body }: Pick<Call, 'body'>): boolean {
  return body.length > largeChars;
}

/** Returns the maximum size of a body, without listing the assumption in the reply. */
export function maxBodyBytes({ maxPayload }: Pick<Options, 'maxPayload'>): number {
  return sizes[maxPayload];
}

/** Returns the limit in bytes that the body exceeds, or null (specification, Limits). */
export function exceededSize({ call, assume }: CallContext): number | null {
  if (call.bodyBytes <= smallBodyBytes) return null;
  const maxBytes = sizes[assume('maxPayload')];
  return call.bodyBytes <= maxBytes && !call.bodyCutOff ? null : maxBytes;
}
