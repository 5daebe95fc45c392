import type { Options } from '../assumptions.ts';
import type { CallContext } from './call-context.ts';

const sizes = { '100kb': 102_400, '1mb': 1_048_576, '10mb': 10_485_760 } as const;

/** A body up to this size is small under every option, in bytes. */
export const smallBodyBytes = sizes['100kb'];

/** How large a body may be, in bytes; nothing of the reply is shaped by asking. */
export function maxBodyBytes({ maxPayload }: Pick<Options, 'maxPayload'>): number {
  return sizes[maxPayload];
}

/** The size that a body exceeds, in bytes (specification, Limits); null if it does not. */
export function exceededSize({ call, assume }: CallContext): number | null {
  if (call.bodyBytes <= smallBodyBytes) return null;
  const most = sizes[assume('maxPayload')];
  return call.bodyBytes <= most && !call.bodyCutOff ? null : most;
}
