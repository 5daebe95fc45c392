import { answer } from '../answer/answer.ts';
import { namedKey } from '../answer/misplaced-key.ts';
import { refuseUnmatched, type Explain, type Explanation, type ToPage } from '../answer/unmatched.ts';
import type { Witness } from '../answer/witness.ts';
import { BusyError } from '../base/errors.ts';
import { problemBody, problemType, type Problem } from '../base/problem.ts';
import { callPrefix, isCall, splitTarget } from '../base/request-target.ts';
import { toWire } from '../base/wire-text.ts';
import { isOperationName, type OperationName } from '../contract/operation-types.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { isBrowser } from './browser.ts';
import { callFrom, unmatchedRequest } from './call-from.ts';
import type { PassThrough } from './proxy-app.ts';
import type { RequestNotes } from './server/client-errors.ts';
import type { DirectRequest } from './server/direct-request.ts';
import type { OriginOf } from './server/origin.ts';
import { unread } from './server/read-body.ts';
import type { RequestHead } from './server/unparsed-request.ts';
import { whyStrayed } from './strayed.ts';

export interface SandboxNotes extends RequestNotes {
  /**
   * Returns a function that journals a request to one of the server's pages, which leaked a key in its URL, once its
   * status is known. Must be called before express changes the request.
   */
  readonly leaked: (request: DirectRequest, explain: Explain) => (status: number) => void;
}

/** Journals requests that were meant for an operation, but are no valid HTTP, or of which only a part arrived. */
export function sandboxNotes(sandboxes: Sandboxes, originOf: OriginOf, witness: Witness): SandboxNotes {
  const defect = (error: unknown): void => witness.defect(error, sandboxes.default.nextRequestId());
  const note = (sent: Parameters<typeof namedKey>[0], act: () => void): void => {
    try {
      const loading = sandboxes.loadFor(namedKey(sent));
      if (loading === null) act();
      // If there is no room for the sandbox, it can have no entry.
      else loading.then(act).catch((error: unknown) => error instanceof BusyError || defect(error));
    } catch (error) {
      defect(error);
    }
  };
  return {
    refused: (request, reply) => {
      if (!isCall(request.url) && whyStrayed(request) === null) return;
      const sent = { ...unmatchedRequest(request), toPage: null };
      note(sent, () => refuseUnmatched(sent, () => explanationOf(reply), sandboxes, witness));
    },
    leaked: (request, explain) => {
      const sent = { ...unmatchedRequest(request), toPage: isBrowser(request) ? unsent : null };
      return (status) => {
        const answered: Explain = (...shown) => ({
          ...explain(...shown),
          sent: { status, headers: [], body: toWire('') },
        });
        note(sent, () => refuseUnmatched(sent, answered, sandboxes, witness));
      };
    },
    left: (request) => {
      const name = calledIn(request);
      if (name === null) return;
      const sent = unmatchedRequest(request);
      note(sent, () => {
        const { query, bodyBytes } = sent;
        const called = { name, query, body: unread(bodyBytes, false), shortage: null };
        answer(callFrom(request, called, originOf), sandboxes, witness, true);
      });
    },
  };
}

/** Marks the request of a person. The page has been sent already. */
const unsent: ToPage = () => ({ headers: [], body: '' });

/** Journals requests that were meant for the upstream, but are no valid HTTP, or of which only a part arrived. */
export function proxyNotes({ keepRefusal, failed }: PassThrough): RequestNotes {
  const note = (request: RequestHead, reply: Problem | null): void => {
    try {
      keepRefusal(unmatchedRequest(request), reply);
    } catch (error) {
      failed(error);
    }
  };
  return {
    refused: (request, reply) => {
      if (isCall(request.url)) note(request, reply);
    },
    left: (request) => {
      if (calledIn(request) !== null) note(request, null);
    },
  };
}

/** Returns the operation that a request calls; null if it calls none. */
function calledIn({ method, url = '' }: DirectRequest): OperationName | null {
  const name = splitTarget(url).path.slice(callPrefix.length);
  return method === 'POST' && isCall(url) && isOperationName(name) ? name : null;
}

function explanationOf(reply: Problem): Explanation {
  const { status, title, detail } = reply;
  const headers = ['Content-Type', problemType, 'Connection', 'close'];
  return { kind: 'wrong-method', title, detail, sent: { status, headers, body: toWire(problemBody(reply)) } };
}
