import type { Violation } from '../contract/violation.ts';

/** An RFC 9457 problem document, for what is not one of the operations. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** What is wrong in the request, place by place. */
  readonly violations?: readonly Violation[];
}

export const problemType = 'application/problem+json; charset=utf-8';

export function problemBody({ status, title, detail, violations }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail, ...(violations === undefined ? {} : { violations }) });
}
