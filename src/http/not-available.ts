import type { ServerResponse } from 'node:http';
import type { Defect } from '../answer/witness.ts';
import { NotAvailableError } from '../base/on-demand.ts';
import { internalError, problemBody, problemType, type Problem } from '../base/problem.ts';

/** Seconds until another attempt may succeed. */
const retryAfter = 1;

const notAvailable: Problem = {
  status: 503,
  title: 'Not available now',
  detail:
    'The server cannot load a part of its program, or read one of its files: it has no file descriptor left, or its files are gone. Try again; if this stays, restart the server.',
};

/** Whether the same request may succeed later. */
function mayPass(error: unknown): boolean {
  if (error instanceof NotAvailableError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** Answers a request that failed by no mistake of its own, and says on the server's side why. */
export function answerFailure(response: ServerResponse, error: unknown, defect: Defect): void {
  // A server that stops has answered already.
  if (response.writableEnded) return;
  const requestId = String(response.getHeader('Sandbox-Request-Id'));
  defect(error, requestId);
  // What was begun cannot be answered in another way.
  if (response.headersSent) return void response.destroy();
  const problem = mayPass(error) ? notAvailable : internalError(requestId);
  // What is said of the content that did not come.
  for (const name of ['Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges']) response.removeHeader(name);
  if (problem === notAvailable) response.setHeader('Retry-After', String(retryAfter));
  response.setHeader('Cache-Control', 'no-store');
  response.writeHead(problem.status, { 'Content-Type': problemType });
  response.end(problemBody(problem));
}
