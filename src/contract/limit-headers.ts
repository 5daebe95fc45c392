import type { OptionOf } from '../assumptions.ts';

/** Returns the form of the headers that state a rate limit. `has` says whether there is a header. */
export function limitHeadersForm(has: (name: string) => boolean): OptionOf<'rateLimitHeaders'> {
  if (has('ratelimit')) return 'ietf';
  // Some versions of the draft have these three and a policy.
  if (['limit', 'remaining', 'reset'].some((part) => has(`ratelimit-${part}`))) return 'ratelimit';
  if (has('ratelimit-policy')) return 'ietf';
  return has('x-ratelimit-limit') || has('x-ratelimit-remaining') ? 'x-ratelimit' : 'none';
}
