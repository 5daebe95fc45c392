import { METHODS } from 'node:http';
import { refuseUnmatched, type Explanation } from '../answer/unmatched.ts';
import type { Witness } from '../answer/witness.ts';
import { BusyError } from '../base/errors.ts';
import { problemBody, problemType, type Problem } from '../base/problem.ts';
import { isCall } from '../base/request-target.ts';
import { toWire } from '../base/wire-text.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { unmatchedRequest } from './call-from.ts';
import type { NoteUnparsed } from './server/http-server.ts';
import { whyStrayed } from './strayed.ts';

/** Journals requests that were meant for an operation, but are no valid HTTP. The server has refused them. */
export function notingUnparsed(sandboxes: Sandboxes, witness: Witness): NoteUnparsed {
  const defect = (error: unknown): void => witness.defect(error, sandboxes.default.nextRequestId());
  return (request, reply) => {
    if (!isCall(request.url) && whyStrayed(request) === null) return;
    const note = (): void => {
      const sent = { ...unmatchedRequest(request), toPage: null };
      refuseUnmatched(sent, () => explanationOf(request.method ?? '', reply), sandboxes, witness);
    };
    try {
      const loading = sandboxes.loadFor(request.header('service-api-key'));
      if (loading === null) note();
      // If there is no room for the sandbox, it can have no entry.
      else loading.then(note).catch((error: unknown) => error instanceof BusyError || defect(error));
    } catch (error) {
      defect(error);
    }
  };
}

function explanationOf(method: string, reply: Problem): Explanation {
  const known = METHODS.find((name) => name === method.toUpperCase());
  const hint = known === undefined || known === method ? '' : ` Methods are case-sensitive: send ${known}.`;
  const isMethod = reply.status === 400 && !METHODS.includes(method);
  const detail = isMethod
    ? `The method ${JSON.stringify(method)} does not exist in HTTP.${hint} The operations accept only POST.`
    : `The request is not valid HTTP, and the server refused it. ${reply.detail}`;
  const headers = ['Content-Type', problemType, 'Connection', 'close'];
  const sent = { status: reply.status, headers, body: toWire(problemBody(reply)) };
  return { kind: 'wrong-method', title: reply.title, detail, sent };
}
