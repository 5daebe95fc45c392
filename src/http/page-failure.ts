import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Defect } from '../answer/witness.ts';
import { answerFailure } from './not-available.ts';
import { sendProblemTo } from './problem-pages.ts';

/**
 * Handles errors of requests for pages and files. Missing files get the ordinary 404 response. `finish` adapts a page to
 * the server.
 */
export function pageFailure(
  notFound: RequestHandler,
  defect: Defect,
  finish?: (html: string) => string,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const status = statusOf(error);
    if (status >= 500 || response.headersSent) return answerFailure(response, error, defect);
    if (status === 404) return void notFound(request, response, next);
    const detail = 'The request is invalid. Check its path.';
    sendProblemTo(request, response, { status, title: 'Bad request', detail }, 'page', finish);
  };
}

function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
    ? error.status
    : 500;
}
