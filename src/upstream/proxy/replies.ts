import { sentence, type Violation } from '../../base/violation.ts';
import { headerIn, type ProxiedReply, type UpstreamFailure } from './messages.ts';

/** What is wrong with a call and its reply, as it may be told. */
export interface ToldViolations {
  readonly request: readonly Violation[];
  readonly response: readonly Violation[];
}

/** Violations that a problem document lists. */
const maxListed = 50;

/** The reply to a call that was not passed on, as it breaks the contract. */
export function brokenRequest(violations: readonly Violation[]): ProxiedReply {
  const first = sentences(violations, 'The request');
  return problem(422, 'The request breaks the contract', `The request was not passed on (--errors). ${first}`, violations);
}

/** The reply in the place of one that breaks the contract. */
export function brokenReply(upstream: string, status: number, violations: readonly Violation[]): ProxiedReply {
  const detail = `${upstream} answered with the status ${status}, and its reply is kept back (--errors). ${sentences(violations, 'The response')}`;
  return problem(502, 'The response breaks the contract', detail, violations);
}

/** The reply where the upstream gave none. */
export function failedUpstream({ kind, message }: UpstreamFailure): ProxiedReply {
  return kind === 'upstream-timeout'
    ? problem(504, 'The upstream did not answer in time', message)
    : problem(502, 'The upstream gave no reply', message);
}

/** A reply with what the proxy says of it: the id of the exchange in its journal, where the upstream gave none, and what is wrong. */
export function withHeaders(reply: ProxiedReply, requestId: string, told: ToldViolations): ProxiedReply {
  const isThere = headerIn(reply.headers, 'sandbox-request-id') !== undefined;
  const id = isThere ? [] : ['Sandbox-Request-Id', requestId];
  const sides = [...side('request', told.request), ...side('response', told.response)];
  const violations = sides.length === 0 ? [] : ['Sandbox-Violations', sides.join(', ')];
  return { ...reply, headers: [...reply.headers, ...id, ...violations] };
}

const maxShown = 160;

/** One side as a member of a structured list (RFC 9651): which, how many, and the first in words. */
function side(name: string, violations: readonly Violation[]): readonly string[] {
  const [first] = violations;
  if (first === undefined) return [];
  const ascii = sentence(first, `The ${name}`).replaceAll(/[^\x20-\x7e]/g, '?');
  const shown = ascii.length > maxShown ? `${ascii.slice(0, maxShown - 3)}...` : ascii;
  return [`${name};count=${violations.length};first="${shown.replaceAll(/["\\]/g, '\\$&')}"`];
}

function sentences(violations: readonly Violation[], whole: string): string {
  const [first] = violations;
  if (first === undefined) return '';
  const rest = violations.length - 1;
  return `${sentence(first, whole)}${rest === 0 ? '' : ` And ${rest} more.`}`;
}

/** A problem document (RFC 9457) of the proxy itself. */
export function problem(status: number, title: string, detail: string, violations: readonly Violation[] = []): ProxiedReply {
  const listed = violations.length === 0 ? {} : { violations: violations.slice(0, maxListed) };
  const bytes = Buffer.from(JSON.stringify({ type: 'about:blank', title, status, detail, ...listed }));
  const headers = ['Content-Type', 'application/problem+json; charset=utf-8', 'Cache-Control', 'no-store'];
  return { status, statusText: '', headers: [...headers, 'Content-Length', String(bytes.length)], body: { bytes, rest: null } };
}
