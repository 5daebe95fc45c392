import type { Violation } from './violation.ts';

/** An RFC 9457 problem document, for errors outside the format of the specification. */
export interface Problem {
  /** A URI for the kind of problem, if the title does not say all. */
  readonly type?: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** A URI for this occurrence. */
  readonly instance?: string;
  /** The errors in the request, one per location. */
  readonly violations?: readonly Violation[];
}

export const problemType = 'application/problem+json; charset=utf-8';

/** Returns the response to a request that failed because of a defect in the sandbox. */
export function internalError(requestId: string): Problem {
  const detail = `The sandbox failed to process this request. This is a bug in the sandbox; report it with the request id ${requestId}.`;
  return { status: 500, title: 'Internal error', detail };
}

export function problemBody({
  type = 'about:blank',
  title,
  status,
  detail,
  instance,
  violations,
}: Problem): string {
  return JSON.stringify({ type, title, status, detail, instance, violations });
}
