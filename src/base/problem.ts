import type { Violation } from './violation.ts';

/** An RFC 9457 problem document, for what is not one of the operations. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** What is wrong in the request, place by place. */
  readonly violations?: readonly Violation[];
}

export const problemType = 'application/problem+json; charset=utf-8';

/** What is answered to a request at which the sandbox itself failed. */
export function internalError(requestId: string): Problem {
  const detail = `The sandbox failed at this request; this is a defect of the sandbox. Report it with the request id ${requestId}.`;
  return { status: 500, title: 'Internal error', detail };
}

export function problemBody({ status, title, detail, violations }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail, ...(violations === undefined ? {} : { violations }) });
}
