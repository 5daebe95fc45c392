import type { ServerResponse } from 'node:http';
import { problemBody, problemType, type Problem } from '../base/problem.ts';

/** Responds with a problem document. Headers that are already set are sent too, except that it is not compressed. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  response.statusCode = problem.status;
  response.removeHeader('Content-Encoding');
  response.setHeader('Content-Type', problemType);
  response.end(problemBody(problem));
}

/** As `sendProblem`, and closes the connection afterwards. */
export function sendLastProblem(response: ServerResponse, problem: Problem): void {
  response.setHeader('Connection', 'close');
  sendProblem(response, problem);
}
