import type { OptionOf } from '../assumptions.ts';

/** The names of headers that state a rate limit, in lower case, also those of gateways for each of several windows. */
const ofLimits = /(?:^|-)rate-?limit(?:-|$)/;

/** The headers of the options of `rateLimitHeaders`. Some versions of the draft have its three and a policy. */
const known = /^(?:ratelimit(?:-policy)?|(?:x-)?ratelimit-(?:limit|remaining|reset))$/;

/** Returns the form of the headers that state a rate limit. `has` says whether there is a header. */
export function limitHeadersForm(has: (name: string) => boolean): OptionOf<'rateLimitHeaders'> {
  const hasParts = (prefix: string): boolean =>
    ['limit', 'remaining', 'reset'].some((part) => has(`${prefix}-${part}`));
  if (has('ratelimit')) return 'ietf';
  if (hasParts('ratelimit')) return 'ratelimit';
  if (has('ratelimit-policy')) return 'ietf';
  return hasParts('x-ratelimit') ? 'x-ratelimit' : 'none';
}

/** Returns the headers that state a rate limit and that no option has, such as `x-ratelimit-limit-minute` of Kong. */
export function otherLimitHeaders(names: readonly string[]): readonly string[] {
  return names.filter((name) => ofLimits.test(name) && !known.test(name));
}

/** Whether a header states a rate limit. The name is in lower case. */
export function isLimitHeader(name: string): boolean {
  return ofLimits.test(name);
}
