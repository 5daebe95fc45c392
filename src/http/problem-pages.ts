import type { ServerResponse } from 'node:http';
import type { ToPage } from '../answer/unmatched.ts';
import type { Problem } from '../base/problem.ts';
import { problemPage } from '../pages/problem-page.ts';
import { isBrowser } from './browser.ts';
import { pageHeaders } from './page-headers.ts';
import { sendProblem } from './send-problem.ts';

const headers = { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' };

/** Renders the refusal of a request to an operation. */
export const operationPage: ToPage = (problem, request) => ({
  headers: Object.entries(headers).flat(),
  body: problemPage(problem, { kind: 'operation', ...request }),
});

/**
 * Responds with a problem: as a page if a person opened the address in a browser, else as a document. Headers
 * that are already set are sent too. `finish` adapts a page to the server.
 */
export function sendProblemTo(
  request: Parameters<typeof isBrowser>[0],
  response: ServerResponse,
  problem: Problem,
  kind: 'page' | 'control',
  finish: (html: string) => string = (html) => html,
): void {
  if (!isBrowser(request)) {
    response.appendHeader('Vary', 'Accept');
    return sendProblem(response, problem);
  }
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(finish(problemPage(problem, { kind })));
}
