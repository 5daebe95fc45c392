import { andMore } from '../../base/lists.ts';
import { problemBody, problemType } from '../../base/problem.ts';
import { sentence, type Violation } from '../../base/violation.ts';
import { headerIn } from '../../base/headers.ts';
import { type ProxiedReply, type UpstreamFailure } from './messages.ts';

/** The findings of a call and its response, without secrets. */
export interface ToldFindings {
  readonly request: readonly Violation[];
  readonly response: readonly Violation[];
  /** Where the response differs from the sandbox's assumptions. */
  readonly differences: readonly Violation[];
}

/** Maximum number of violations in a problem document. */
const maxListed = 50;

/** The response to a call that was not forwarded because it violates the contract. */
export function brokenRequest(violations: readonly Violation[]): ProxiedReply {
  const first = sentences(violations, 'The request');
  return problem(
    422,
    'The request violates the contract',
    `The request was not forwarded (--errors). ${first}`,
    violations,
  );
}

/** The response that replaces one that violates the contract. */
export function brokenReply(
  upstream: string,
  status: number,
  violations: readonly Violation[],
): ProxiedReply {
  const detail = `${upstream} returned status ${status}. The proxy withheld its response (--errors). ${sentences(violations, 'The response')}`;
  return problem(502, 'The response violates the contract', detail, violations);
}

/** The response if the upstream did not respond. */
export function failedUpstream({ kind, message }: UpstreamFailure): ProxiedReply {
  return kind === 'upstream-timeout'
    ? problem(504, 'The service did not respond in time', message)
    : problem(502, 'The service did not respond', message);
}

/**
 * Adds the proxy's headers to a response: the request id of its journal if the upstream set none, the
 * violations, and the differences.
 */
export function withHeaders(reply: ProxiedReply, requestId: string, told: ToldFindings): ProxiedReply {
  const isThere = headerIn(reply.headers, 'sandbox-request-id') !== undefined;
  const id = isThere ? [] : ['Sandbox-Request-Id', requestId];
  const sides = [...side('request', told.request), ...side('response', told.response)];
  const violations = sides.length === 0 ? [] : ['Sandbox-Violations', sides.join(', ')];
  const differing = side('response', told.differences);
  const differences = differing.length === 0 ? [] : ['Sandbox-Differences', ...differing];
  return { ...reply, headers: [...reply.headers, ...id, ...violations, ...differences] };
}

const maxShown = 160;

/**
 * Returns one side as a member of a structured list (RFC 9651): its name, the number of violations, and the
 * first one.
 */
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
  return `${sentence(first, whole)}${andMore(violations.length - 1)}`;
}

/** Returns a problem document (RFC 9457) from the proxy itself. */
export function problem(
  status: number,
  title: string,
  detail: string,
  violations: readonly Violation[] = [],
): ProxiedReply {
  const listed = violations.length === 0 ? {} : { violations: violations.slice(0, maxListed) };
  const bytes = Buffer.from(problemBody({ title, status, detail, ...listed }));
  const headers = ['Content-Type', problemType, 'Cache-Control', 'no-store'];
  return {
    status,
    statusText: '',
    headers: [...headers, 'Content-Length', String(bytes.length)],
    body: { bytes, rest: null },
  };
}
