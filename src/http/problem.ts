/** An RFC 9457 problem document, for what is not one of the operations. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

export const problemType = 'application/problem+json; charset=utf-8';

export function problemBody({ status, title, detail }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail });
}
