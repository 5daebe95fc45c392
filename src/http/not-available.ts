import type { ServerResponse } from 'node:http';
import type { Defect } from '../answer/witness.ts';
import type { BusyError } from '../base/errors.ts';
import { NotAvailableError } from '../base/on-demand.ts';
import { internalError, type Problem } from '../base/problem.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { sendProblem } from './send-problem.ts';

/** The seconds until a retry may succeed. */
const retryAfter = 1;

const notAvailable: Problem = {
  status: 503,
  title: 'Temporarily unavailable',
  detail:
    'The server cannot read one of its files: it has no file descriptors left, or the file is missing. Try again. If the problem persists, restart the server.',
};

export function notLoaded({ message }: BusyError): Problem {
  return { status: 503, title: 'Sandbox not loaded', detail: message };
}

/** Returns whether the same request may succeed later. */
function mayPass(error: unknown): boolean {
  if (error instanceof NotAvailableError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** Responds to a valid request that failed, and logs the reason. */
export function answerFailure(response: ServerResponse, error: unknown, defect: Defect): void {
  // The stopping server has already responded.
  if (response.writableEnded) return;
  const requestId = String(response.getHeader(idHeader));
  defect(error, requestId);
  fail(response, error, requestId);
}

/** Responds to a request that failed because of a bug. */
export type Fail = (error: unknown, response: ServerResponse) => void;

/**
 * Returns a function that responds to requests that may have no id yet, and logs the reason. The connection
 * is closed.
 */
export function failWith(sandboxes: Sandboxes, defect: Defect): Fail {
  return (error, response) => {
    const known = response.getHeader(idHeader);
    const requestId = typeof known === 'string' ? known : sandboxes.default.nextRequestId();
    defect(error, requestId);
    if (!response.headersSent) response.setHeader('Connection', 'close');
    fail(response, error, requestId);
  };
}

const idHeader = 'Sandbox-Request-Id';

function fail(response: ServerResponse, error: unknown, requestId: string): void {
  // The response has already started, so only the connection can be closed.
  if (response.headersSent || response.writableEnded) return void response.destroy();
  const problem = mayPass(error) ? notAvailable : internalError(requestId);
  // These headers describe the content that was not sent.
  for (const name of ['Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  if (problem === notAvailable) response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader(idHeader, requestId);
  sendProblem(response, problem);
}
