import { callPrefix } from '../../base/request-target.ts';
import type { Exception } from '../../base/text-finder.ts';
import { parameterSchemas } from '../../contract/generated/parameter-schemas.js';
import { resultSchemas } from '../../contract/generated/result-schemas.js';
import type { Schema } from '../../contract/openapi.ts';
import { operationNames } from '../../contract/operation-types.ts';

/** The headers that clients, gateways and services send, whose names are not secret. */
const headerNames: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials
  access-control-allow-headers access-control-allow-methods access-control-allow-origin
  access-control-expose-headers access-control-max-age access-control-request-headers
  access-control-request-method age allow alt-svc authorization cache-control cf-cache-status cf-ray connection
  content-disposition content-encoding content-language content-length content-location content-range
  content-security-policy content-type cookie cross-origin-opener-policy cross-origin-resource-policy date dnt
  etag expect expires forwarded from host idempotency-key if-match if-modified-since if-none-match
  if-unmodified-since keep-alive last-modified link location max-forwards nel origin permissions-policy pragma
  priority proxy-authenticate proxy-authorization proxy-connection range ratelimit ratelimit-limit
  ratelimit-policy ratelimit-remaining ratelimit-reset referer referrer-policy report-to retry-after
  sandbox-assumed sandbox-fault sandbox-hint sandbox-proxy sandbox-request-id sandbox-scope
  sandbox-violations sandbox-differences sec-fetch-dest sec-fetch-mode
  sec-fetch-site sec-fetch-user server server-timing service-api-key set-cookie strict-transport-security te
  timing-allow-origin traceparent tracestate trailer transfer-encoding upgrade upgrade-insecure-requests
  user-agent vary via warning www-authenticate x-amz-cf-id x-amz-cf-pop x-amzn-requestid x-amzn-trace-id
  x-api-key x-cache x-cache-hits x-content-type-options x-correlation-id x-dns-prefetch-control
  x-envoy-upstream-service-time x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-prefix
  x-forwarded-proto x-frame-options x-kong-proxy-latency x-kong-upstream-latency x-permitted-cross-domain-policies
  x-powered-by x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-real-ip x-request-id
  x-requested-with x-response-time x-runtime x-served-by x-timer x-trace-id x-xss-protection`.split(/\s+/),
);

/** What these headers consist of, apart from names of headers. */
const headerWords: ReadonlySet<string> = new Set(
  `application/json application/problem+json text/html text/plain charset=utf-8 */* gzip deflate br zstd identity
  chunked close keep-alive get head post put patch delete options no-cache no-store no-transform private public
  must-revalidate max-age=0 u=1 i`.split(/\s+/),
);

/** Headers with words that are the same for all clients and services, and that tools compare or send again. */
const worded =
  /^(?:accept|accept-encoding|allow|access-control-(?:allow|expose|request)-(?:headers|methods?)|cache-control|connection|content-encoding|content-type|transfer-encoding|vary)$/;

/** The members of envelopes and problems. */
const envelope = ['data', 'output', 'status', 'errorMessage', 'type', 'title', 'detail', 'instance'];

/** Words of the contract: the names of members with the values of their enums. */
const members = membersOfContract();
const segments: ReadonlySet<string> = new Set([
  ...members.keys(),
  ...operationNames,
  callPrefix.slice(1, -1),
]);

const allWords = [...segments, ...[...members.values()].flatMap((values) => [...values])].join('\n');

/** Whether a header has a name that many services use. It is in lower case. */
export function isKnownHeader(name: string): boolean {
  return headerNames.has(name);
}

/** Whether the value of a header consists of words of HTTP. The name is in lower case. */
export function isKnownValue(name: string, value: string): boolean {
  if (!worded.test(name)) return false;
  const words = value.toLowerCase().split(/[\s,;]+/);
  return words.every((word) => word === '' || headerWords.has(word) || headerNames.has(word));
}

/** A member of JSON, and the text that follows it. */
const member = /"([\w$]{2,60})"\s{0,9}:(?:\s{0,9}"([\w-]{2,40})")?/g;

/** Takes the place of a character that belongs to no key. */
const blank = '\u0001';

/**
 * Returns a text without the members of the contract and the values of their enums: together with what stands beside
 * them, they could look like a part of a key. Nothing moves.
 */
export function withoutMembers(text: string): string {
  return text.replaceAll(member, (whole, name: string, value?: string) => {
    const values = members.get(name);
    if (values === undefined) return whole;
    const hasValue = value !== undefined && values.has(value);
    const rest = whole.slice(name.length + 1, hasValue ? -1 - value.length : undefined);
    return `"${blank.repeat(name.length)}${rest}${hasValue ? `${blank.repeat(value.length)}"` : ''}`;
  });
}

/** A segment of a path or pointer, and a word with a dash, such as `content-type`. */
const candidate = /(?<=\/)([\w-]{2,60})(?=[/?\s":,;)]|$)|(?<![\w-])[a-z]\w*(?:-\w+){1,8}(?![\w-])/gi;

/** Makes names of headers and segments of paths readable, unless they stand within a larger part of a key. */
export function revealNames(text: string, isHidden: Uint8Array): void {
  if (!isHidden.includes(1)) return;
  for (const { 0: word, 1: segment, index: start } of text.matchAll(candidate)) {
    const end = start + word.length;
    const isKnown = segment === undefined ? isKnownHeader(word.toLowerCase()) : segments.has(segment);
    if (isKnown && isHidden[start - 1] !== 1 && isHidden[end] !== 1) isHidden.fill(0, start, end);
  }
}

const beforeMember = /"$/;
const afterMember = /^\\{0,9}"\s{0,9}:/;
const beforeSegment = /\/$/;
const afterSegment = /^(?:[/?\s":,;)]|$)/;
const beforeValue = /"([\w$]{2,60})\\{0,9}"\s{0,9}:\s{0,9}\\{0,9}"$/;
const afterValue = /^\\{0,9}"/;

/** How much text around a word decides whether the word is a name. */
export const maxContextChars = 110;

/**
 * Whether a place in a text is a part of a word of the contract that stands where the contract defines it: the name of
 * a member of JSON, one of the values of that member, or a segment of a path.
 */
export function isInPublicWord(text: string, from: number, to: number): boolean {
  const left = text.slice(Math.max(0, from - maxContextChars), from);
  const right = text.slice(to, to + maxContextChars);
  const [head = ''] = /[\w$-]*$/.exec(left) ?? [];
  const [tail = ''] = /^[\w$-]*/.exec(right) ?? [];
  const word = head + text.slice(from, to) + tail;
  const before = left.slice(0, left.length - head.length);
  const after = right.slice(tail.length);
  if (members.has(word) && beforeMember.test(before) && afterMember.test(after)) return true;
  if (segments.has(word) && beforeSegment.test(before) && afterSegment.test(after)) return true;
  const values = members.get(beforeValue.exec(before)?.[1] ?? '');
  return values?.has(word) === true && afterValue.test(after);
}

/** Returns where a secret is none, but a word of the contract; undefined for most, which are no part of any word. */
export function publicPlacesOf(secret: string): Exception | undefined {
  return allWords.includes(secret) ? isInPublicWord : undefined;
}

function membersOfContract(): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>(envelope.map((name) => [name, new Set()]));
  known.set('status', new Set(['ok', 'error']));
  const visit = (schema: Schema, name: string): void => {
    const values = known.get(name) ?? new Set();
    known.set(name, values);
    const options: readonly unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
    for (const value of options) if (typeof value === 'string') values.add(value);
    for (const [inner, one] of Object.entries(schema.properties ?? {})) visit(one, inner);
    if (schema.items !== undefined) visit(schema.items, name);
    for (const one of schema.oneOf ?? []) visit(one, name);
  };
  for (const schema of [...Object.values(parameterSchemas), ...Object.values(resultSchemas)])
    visit(schema, 'data');
  return known;
}
