import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { assumedHeader, noting } from './assumed.ts';
import type { Call, Reply } from './call.ts';
import type { CallContext } from './call-context.ts';

/**
 * Whether pages of other origins may make calls and read the replies. If not, this shapes only the reply to a
 * request that asks for it.
 */
export function allowsOtherOrigins(
  { options, assume }: Pick<CallContext, 'options' | 'assume'>,
  isAsked = false,
): boolean {
  return (isAsked || options.cors === 'any-origin') && assume('cors') === 'any-origin';
}

/** Allows a page of any origin to read a reply and its headers. */
export const corsHeaders = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  '*',
] as const;

/**
 * Returns the headers that allow a page of another origin to read a reply without a sandbox of its own: as with a
 * preflight request, the default sandbox decides. Empty if it does not allow that.
 */
export function headersWithoutSandbox({ default: { options } }: Sandboxes): readonly string[] {
  return options.cors === 'any-origin' ? corsHeaders : [];
}

/** Allows a page of any origin to make a call. */
const preflightHeaders = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Methods',
  'POST',
  'Access-Control-Allow-Headers',
  'SERVICE-API-KEY, Content-Type, Sandbox-Fault, Sandbox-Scope, Sandbox-Page',
  'Access-Control-Max-Age',
  '600',
] as const;

/** A request that may be a browser's preflight request, before a page of another origin makes a call. */
type Asking = Pick<Call, 'header'> & { readonly method: string };

export function isPreflight({ method, header }: Asking): boolean {
  return method === 'OPTIONS' && header('access-control-request-method') !== undefined;
}

/** The answer to a preflight request: its headers, and when it is sent. */
export type Preflight = Pick<Reply, 'headers' | 'at'>;

/**
 * Returns the answer to a preflight request, which is not a call. Null if the request is not one, or if pages
 * of other origins may not make calls. A browser sends no key with it, so the default sandbox decides.
 */
export function preflightReply(request: Asking, sandboxes: Sandboxes): Preflight | null {
  if (!isPreflight(request)) return null;
  const { sandbox } = sandboxes.identify(request.header('service-api-key'));
  const context = noting(sandbox);
  if (!allowsOtherOrigins(context)) return null;
  const id = sandbox.nextRequestId();
  return {
    headers: ['Sandbox-Request-Id', id, ...preflightHeaders, 'Sandbox-Assumed', assumedHeader(context)],
    at: sandbox.clock.now(),
  };
}
