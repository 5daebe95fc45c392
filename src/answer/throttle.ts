import { throttleStatuses } from './statuses.ts';
import type { Limit } from '../sandbox/limits.ts';
import { createWindow, type Admission, type Window } from '../sandbox/windows.ts';
import type { CallContext } from './call-context.ts';
import { Refusal } from './refusal.ts';

/** A refusal, or the headers of the reply to an admitted call. */
export type Throttling = Refusal | readonly string[];

const silent: readonly string[] = Object.freeze([]);

/** Admits a call if its window has room (specification, Limits). `elements` is the size of its batch. */
export function throttle(context: CallContext, elements: number): Throttling {
  const { sandbox, now } = context;
  const limit = sandbox.limits.of(context.call.operation, context.assume);
  if (limit === null) return silent;
  const cost = sandbox.options.rateLimitUnit === 'element' ? Math.max(1, elements) : 1;
  const admission = windowOf(context, limit).admit(now, cost, limit.requests);
  const left = limitHeaders(context, limit, admission);
  return admission.admitted ? left : refuse(context, limit, cost, admission, left);
}

function windowOf(context: CallContext, limit: Limit): Window {
  const { sandbox, call } = context;
  const { counters } = sandbox.limits;
  const caller = windowKeyOf(context);
  const known = counters.toCount(call.operation, caller);
  if (known !== undefined) return known;
  const { rateLimitWindow: kind, refusedCallsCount } = sandbox.options;
  const fresh = createWindow({ kind, length: limit.length, refusedCount: refusedCallsCount === 'yes' });
  counters.add(call.operation, caller, fresh, true);
  return fresh;
}

/** Returns what identifies the window of this caller. */
export function windowKeyOf({ sandbox, call, school }: CallContext): string {
  switch (sandbox.options.rateLimitScope) {
    case 'key-and-operation':
      return call.header('service-api-key') ?? '';
    case 'school-and-operation':
      return school?.id ?? '';
    case 'address-and-operation':
      return call.address;
  }
}

function refuse(
  context: CallContext,
  limit: Limit,
  cost: number,
  { retryAt }: Admission,
  left: readonly string[],
): Refusal {
  const { assume, call, now } = context;
  const unit = assume('rateLimitUnit') === 'element' ? 'elements' : 'calls';
  const window = assume('rateLimitWindow');
  const scope = assume('rateLimitScope').replaceAll('-', ' ');
  assume('refusedCallsCount');
  const over = `The rate limit of ${call.operation} is exceeded: ${limit.requests} ${unit} per ${limit.length / 1000} s, by ${scope}, window ${window}.`;
  const advice =
    retryAt === null
      ? `A batch of ${cost} elements always exceeds it; send at most ${limit.requests} per call.`
      : `Try again in ${Math.ceil((retryAt - now) / 1000)} s.`;
  const headers = [...left, ...retryHeader(context, retryAt)];
  return new Refusal('throttled', throttleStatuses[assume('throttleReply')], `${over} ${advice}`, {
    headers,
  });
}

/** Returns the refusal for a call that a fault throttles, even though the limit has room. */
export function throttleFor(context: CallContext, seconds: number): Refusal {
  const { assume, call, now } = context;
  const message = `The rate limit of ${call.operation} is exceeded. Try again in ${seconds} s.`;
  return new Refusal('throttled', throttleStatuses[assume('throttleReply')], message, {
    headers: retryHeader(context, now + seconds * 1000),
  });
}

function retryHeader({ assume, now }: CallContext, retryAt: number | null): readonly string[] {
  const form = assume('retryAfter');
  if (form === 'none' || retryAt === null) return [];
  // Both forms are in whole seconds and rounded up, so that a client that waits exactly this long succeeds.
  if (form === 'seconds') return ['Retry-After', String(Math.max(1, Math.ceil((retryAt - now) / 1000)))];
  return ['Retry-After', new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString()];
}

function limitHeaders(
  { sandbox, call, now, assume }: CallContext,
  limit: Limit,
  { remaining, resetAt }: Admission,
): readonly string[] {
  const form = sandbox.options.rateLimitHeaders;
  if (form === 'none') return silent;
  assume('rateLimitHeaders');
  const seconds = Math.ceil((resetAt - now) / 1000);
  if (form === 'ietf') {
    return [
      'RateLimit-Policy',
      `"${call.operation}";q=${limit.requests};w=${limit.length / 1000}`,
      'RateLimit',
      `"${call.operation}";r=${remaining};t=${seconds}`,
    ];
  }
  const prefix = form === 'x-ratelimit' ? 'X-RateLimit' : 'RateLimit';
  return [
    `${prefix}-Limit`,
    String(limit.requests),
    `${prefix}-Remaining`,
    String(remaining),
    `${prefix}-Reset`,
    String(seconds),
  ];
}
