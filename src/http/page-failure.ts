import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Defect } from '../answer/witness.ts';
import { answerFailure } from './not-available.ts';
import { problemBody, problemType } from '../base/problem.ts';

/** What answers a request for a page or a file that failed. A file that is not there is answered as any other that never was. */
export function pageFailure(notFound: RequestHandler, defect: Defect): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const status = statusOf(error);
    if (status >= 500 || response.headersSent) return answerFailure(response, error, defect);
    if (status === 404) return void notFound(request, response, next);
    const detail = 'The request cannot be understood: check its path.';
    response
      .status(status)
      .type(problemType)
      .send(problemBody({ status, title: 'Bad request', detail }));
  };
}

function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
