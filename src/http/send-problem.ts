import type { ServerResponse } from 'node:http';
import { problemBody, problemType, type Problem } from '../base/problem.ts';

/** Responds with a problem document. Headers that are already set are sent too, except that it is not compressed. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  response.statusCode = problem.status;
  response.removeHeader('Content-Encoding');
  response.setHeader('Content-Type', problemType);
  const body = problemBody(problem);
  // Node adds it to a response with a body, but not to that of a HEAD request.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** As `sendProblem`, and closes the connection afterwards. */
export function sendLastProblem(response: ServerResponse, problem: Problem): void {
  response.setHeader('Connection', 'close');
  sendProblem(response, problem);
}
