import type { Violation } from './violation.ts';

/** An RFC 9457 problem document, for errors outside the format of the specification. */
export interface Problem {
  /** A URI for the kind of problem; without one, it follows from the title. */
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

/** The phrases of HTTP (RFC 9110) for the statuses of problems. */
const phrases: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

/** Returns the phrase of HTTP for a status. */
export function phraseOf(status: number): string {
  return phrases.get(status) ?? (status < 500 ? 'Client Error' : 'Server Error');
}

/** Returns the URI for a kind of problem that only this server has. */
export function ownType(kind: string): string {
  return `urn:learning-platform-sandbox:${kind}`;
}

/**
 * Returns a problem document. The type `about:blank` says that the problem is that of the status and no other, so the
 * title is then the phrase of HTTP; a problem with another title has a type of its own.
 */
export function problemBody({ type, title, status, detail, instance, violations }: Problem): string {
  const phrase = phraseOf(status);
  const isOfStatus = type === undefined && title.toLowerCase() === phrase.toLowerCase();
  return JSON.stringify({
    type: isOfStatus ? 'about:blank' : (type ?? ownType(title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'))),
    title: isOfStatus ? phrase : title,
    status,
    detail,
    instance,
    violations,
  });
}
