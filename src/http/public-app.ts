import { answer } from '../answer/answer.ts';
import type { Call } from '../answer/call.ts';
import { headersWithoutSandbox, preflightReply, type Preflight } from '../answer/cors.ts';
import { refuseUnmatched, type Explain, type ToPage } from '../answer/unmatched.ts';
import { namedKey } from '../answer/misplaced-key.ts';
import { noRoom } from '../answer/server-limit.ts';
import type { Witness } from '../answer/witness.ts';
import { BusyError } from '../base/errors.ts';
import { onceOnDemand } from '../base/on-demand.ts';
import { isOperationName } from '../contract/operation-types.ts';
import { Share } from '../sandbox/in-flight.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { toWire } from '../base/wire-text.ts';
import { send } from './server/deliver.ts';
import { ArrivedCalls, type SendReply } from './server/arrived-calls.ts';
import { UnreadReplies } from './server/unread-replies.ts';
import { lingerAtClose } from './server/linger.ts';
import { PipelinedCalls, waitingBytes } from './server/pipelined-calls.ts';
import { SlowBodies } from './server/slow-bodies.ts';
import type { OriginOf } from './server/origin.ts';
import { isGone } from './server/when-gone.ts';
import type { ReadingTurns } from './server/reading-turns.ts';
import { isBrowser } from './browser.ts';
import { unknownOperation, wrongMethod } from './unmatched-operation.ts';
import { callFrom, unmatchedRequest } from './call-from.ts';
import { problemBody, problemType, type Problem } from '../base/problem.ts';
import { callPrefix, splitTarget } from '../base/request-target.ts';
import { failWith, notLoaded } from './not-available.ts';
import { DirectRequest } from './server/direct-request.ts';
import { DateText, type DirectResponse } from './server/direct-response.ts';

/** The share of the memory for bodies that small bodies can use if they arrive in parts. */
const slowPart = 1 / 4;

/** Replies up to this size wait until the other calls that arrived in the same turn are answered. */
const largeChars = 65_536;

export type Handler = (request: DirectRequest, response: DirectResponse) => void;

/** The handlers of requests to operations. */
export interface PublicApp {
  readonly calls: Handler;
  /** Refuses a request that was meant for an operation, and journals it. */
  readonly unmatched: (request: DirectRequest, response: DirectResponse, explain: Explain) => void;
}

/** What calls need to know about the server. */
export interface Serving {
  readonly isStopping: () => boolean;
  /** Limits how much is read at once. */
  readonly reading: ReadingTurns;
}

/** Converts requests to calls, and sends their replies. While the server `isStopping`, it closes each connection. */
export function publicApp(
  sandboxes: Sandboxes,
  originOf: OriginOf,
  witness: Witness,
  { isStopping, reading }: Serving,
): PublicApp {
  const date = new DateText();
  const unread = new UnreadReplies(sandboxes.largeReplies);
  const pipelined = new PipelinedCalls(sandboxes.waitingCalls, sandboxes.slices, reading);
  const refuse = (
    request: DirectRequest,
    response: DirectResponse,
    problem: Problem,
    more: readonly string[],
  ): void => {
    request.resume();
    const headers = [
      'Content-Type',
      problemType,
      'Sandbox-Request-Id',
      sandboxes.default.nextRequestId(),
      ...headersWithoutSandbox(sandboxes),
      ...more,
    ];
    response.sendWhole(
      {
        status: problem.status,
        headers,
        body: toWire(problemBody(problem)),
        at: sandboxes.default.clock.now(),
      },
      date,
      false,
    );
  };
  /** Handles failures outside `answer`, such as while the sandbox is opened or the reply is sent. */
  const fail = failWith(sandboxes, witness.defect);
  const failed: typeof fail = (error, response) => {
    if (!response.headersSent) {
      const allowing = headersWithoutSandbox(sandboxes);
      for (let at = 0; at < allowing.length; at += 2)
        response.setHeader(allowing[at] ?? '', allowing[at + 1] ?? '');
    }
    fail(error, response);
  };
  /** Returns the result. If it fails, sends an error response and returns null. */
  const attempt = <T>(response: DirectResponse, act: () => T): T | null => {
    try {
      return act();
    } catch (error) {
      failed(error, response);
      return null;
    }
  };
  const loadPage = onceOnDemand(async () => (await import('./problem-pages.ts')).operationPage);
  const unmatched = (request: DirectRequest, response: DirectResponse, explain: Explain): void => {
    request.resume();
    if (!isBrowser(request)) return refuseAs(request, response, explain, null);
    loadPage().then(
      (toPage) => refuseAs(request, response, explain, toPage),
      (error: unknown) => failed(error, response),
    );
  };
  const refuseAs = (
    request: DirectRequest,
    response: DirectResponse,
    explain: Explain,
    toPage: ToPage | null,
  ): void => {
    const sent = { ...unmatchedRequest(request), toPage };
    const act = (): null =>
      attempt(response, () => {
        const allowed = preflightReply(sent, sandboxes);
        if (allowed !== null) sendEmpty(response, allowed, date, isStopping());
        else response.sendWhole(refuseUnmatched(sent, explain, sandboxes, witness), date, isStopping());
        return null;
      });
    ready(request, response, 0, act, namedKey(sent));
  };
  const arrived = new ArrivedCalls(reading);
  const ready = (
    request: DirectRequest,
    response: DirectResponse,
    bodyChars: number,
    process: () => SendReply,
    key = request.header('service-api-key'),
  ): void => {
    const act = (): SendReply => releasing(request, process);
    /** Continues when the sandbox of the request's key is in memory: usually at once. */
    const begin = (): SendReply => {
      const loading = sandboxes.loadFor(key);
      if (loading === null) return act();
      const memory = new Share(sandboxes.waitingCalls);
      if (!memory.take(waitingBytes(request, bodyChars))) {
        const { message, headers } = noRoom('waitingCallsBytes', memory.shortage);
        return () =>
          refuse(request, response, { status: 503, title: 'Server busy', detail: message }, headers);
      }
      // Many calls can wait for the same sandbox.
      const goOn = (proceed: () => SendReply): void =>
        arrived.add(bodyChars, () => {
          memory.end();
          return proceed();
        });
      loading.then(
        (release) =>
          goOn(() => {
            release();
            return act();
          }),
        (error: unknown) => goOn(() => () => notFound(request, response, error)),
      );
      return null;
    };
    // Pipelined requests behind another one already take turns.
    const isBehind = request.previous !== null;
    pipelined.take(request, bodyChars, () => (isBehind ? begin()?.() : arrived.add(bodyChars, begin)));
  };
  const notFound = (request: DirectRequest, response: DirectResponse, error: unknown): void => {
    if (error instanceof BusyError) refuse(request, response, notLoaded(error), retrySoon);
    else failed(error, response);
  };
  const proceed = (response: DirectResponse, call: Call): SendReply => {
    const answered = attempt(response, () => answer(call, sandboxes, witness, isGone(response)));
    if (answered === null) return null;
    const sending = (): void =>
      void attempt(response, () =>
        send(answered, response, { date, unread, isStopping, isCutOff: call.bodyCutOff, failed }),
      );
    // Large replies do not wait in memory for others.
    if ('resume' in answered || answered.body.length <= largeChars) return sending;
    sending();
    return null;
  };
  const bodies = {
    inFlight: sandboxes.largeBodies,
    slow: new SlowBodies(sandboxes.caps.bodiesInFlightBytes * slowPart),
  };
  const calls: Handler = (request, response) => {
    const { path, query } = splitTarget(request.url ?? '');
    const name = path.slice(callPrefix.length);
    if (!isOperationName(name)) return unmatched(request, response, unknownOperation);
    if (request.method !== 'POST') return unmatched(request, response, (_, sent) => wrongMethod(name, sent));
    if (request.awaitsContinue()) response.writeContinue();
    request.takeBody(bodies, (body) => {
      const called = {
        name,
        query,
        body,
        shortage: body.isUnwelcome ? sandboxes.largeBodies.shortage : null,
      };
      if (body.cutOff) lingerAtClose(request.socket);
      // Now, because the client may have disconnected before it is answered.
      const call = callFrom(request, called, originOf);
      ready(request, response, body.text.length, () => proceed(response, call));
    });
  };
  return { calls, unmatched };
}

/** Processes a request, for which its sandbox was kept in memory. */
function releasing(request: DirectRequest, process: () => SendReply): SendReply {
  try {
    return process();
  } finally {
    DirectRequest.release(request);
  }
}

const retrySoon = ['Retry-After', '1'];

/** Sends the answer to a preflight request, which has no body. */
function sendEmpty(
  response: DirectResponse,
  { headers, at }: Preflight,
  date: DateText,
  isLast: boolean,
): void {
  response.writeHead(204, [...headers, 'Date', date.of(at), ...(isLast ? ['Connection', 'close'] : [])]);
  response.end();
}
