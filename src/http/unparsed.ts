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
      refuseUnmatched(sent, () => explanationOf(reply), sandboxes, witness);
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

function explanationOf(reply: Problem): Explanation {
  const { status, title, detail } = reply;
  const headers = ['Content-Type', problemType, 'Connection', 'close'];
  return { kind: 'wrong-method', title, detail, sent: { status, headers, body: toWire(problemBody(reply)) } };
}
