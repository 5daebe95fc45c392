import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Defect } from '../answer/witness.ts';
import { dispatch, type ControlAnswer } from '../control/dispatch.ts';
import type { ServerParts } from '../control/server-parts.ts';
import { WrongMethodError } from '../control/find-route.ts';
import { requirePermission } from '../control/require-permission.ts';
import type { TokenHolder } from '../control/token-holder.ts';
import { AbandonedError } from '../control/work.ts';
import {
  BusyError,
  ConflictError,
  CapacityError,
  ForbiddenError,
  SandboxError,
  NotFoundError,
  NotLoadedError,
  PreconditionError,
  ShortageError,
  UnauthorizedError,
  ValidationError,
} from '../base/errors.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { StoppedError } from '../sandbox/slices.ts';
import { mayCompress, wantsGzip } from './compressed.ts';
import { ControlChanges, type ControlChange } from './control-changes.ts';
import { admit, challenge, isProblem, type ControlAccess } from './control-guard.ts';
import { answerFailure } from './not-available.ts';
import { JournalStreams } from './journal-streams.ts';
import type { Problem } from '../base/problem.ts';
import { shortageHeader } from '../base/shortage.ts';
import { forProxy } from '../pages/page.ts';
import type { Handler } from './public-app.ts';
import { BodyTooLargeError, ControlBodies, jsonTypes } from './control-body.ts';
import { PieceSender } from './send-in-pieces.ts';
import { isGone } from './server/when-gone.ts';
import { sendProblemTo } from './problem-pages.ts';
import { sendProblem } from './send-problem.ts';

export interface ControlOptions {
  readonly parts: ServerParts;
  readonly access: ControlAccess;
  /** Returns the origin of the operations, for a request to the control plane. */
  readonly baseUrlOf: (request: Request) => string;
  readonly defect: Defect;
  /** Called for each request that changes something; null if nobody wants to know. */
  readonly changed: ((change: ControlChange) => void) | null;
  /** Whether its port also serves the pages for people, which the page of an error needs. */
  readonly hasPages: boolean;
}

/** The control plane over HTTP. It is loaded with express on first use. */
export function controlApp({ parts, access, baseUrlOf, defect, changed, hasPages }: ControlOptions): Handler {
  const finish = parts.sandboxes.default.faults.upstream === null ? undefined : forProxy;
  const refuse: Refuse = (request, response, problem) => {
    if (problem.status === 401) response.set('WWW-Authenticate', challenge);
    if (hasPages) sendProblemTo(request, response, problem, 'control', finish);
    else sendProblem(response, problem);
  };
  const { slices, caps, largeReplies } = parts.sandboxes;
  const sender = new PieceSender(slices, largeReplies);
  const bodies = new ControlBodies(caps, slices);
  const app = express();
  const holders = new WeakMap<Request, TokenHolder>();
  const changes = new ControlChanges(changed);
  const streams = new JournalStreams(parts.sandboxes);
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    response.set('Cache-Control', 'no-store');
    if (!response.hasHeader('Sandbox-Request-Id'))
      response.set('Sandbox-Request-Id', parts.sandboxes.default.nextRequestId());
    const holder = admit(request, access);
    if (isProblem(holder)) return refuse(request, response, holder);
    changes.by(request, holder, access.token === null);
    requirePermission(holder, methodOf(request), request.originalUrl);
    holders.set(request, holder);
    next();
  });
  const ask = (
    request: Request,
    response: Response,
    target: string,
    body?: unknown,
  ): Promise<ControlAnswer> => {
    const holder = holders.get(request);
    if (holder === undefined) throw new Error('Every request has a holder before it is handled.');
    const isClientGone = (): boolean => isGone(response);
    const surroundings = {
      parts,
      baseUrl: baseUrlOf(request),
      pathPolicy: 'names-only',
      lists: 'lazy',
      holder,
      conditions: { ifMatch: request.get('If-Match'), ifNoneMatch: request.get('If-None-Match') },
      isGone: isClientGone,
    } as const;
    return dispatch(surroundings, methodOf(request), target, body);
  };
  const send = async (answer: ControlAnswer, request: Request, response: Response): Promise<void> => {
    if (answer.sends === 'journal stream') return streams.open(answer.content, request, response);
    // A record is never compressed.
    if (mayCompress(request) && (answer.sends === 'text' || answer.tag === undefined))
      response.vary('Accept-Encoding');
    if (answer.sends === 'text') {
      response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
      return sender.text(response, answer.content, wantsGzip(request));
    }
    const { revision, tag } = answer;
    if (revision !== null && revision !== undefined)
      response.set('Sandbox-Revision', JSON.stringify(revision));
    if (tag !== undefined) response.set('ETag', tag);
    if (answer.status === 204) response.status(204).end();
    else await sender.json(response, answer.status, answer.content, wantsGzip(request));
  };
  app.use(jsonOnly);
  app.use(bodies.receive);
  app.use(async (request, response) => {
    // The server stopped before the body arrived, or the body was late: the server has already responded.
    if (response.writableEnded || request.socket.writableEnded) return;
    const answer = await bodies.use(request, response, async (body) => {
      await slices.ownTurns.taken();
      return ask(request, response, request.originalUrl, body);
    });
    if (answer === null) return;
    changes.answered(request, answer);
    await send(answer, request, response);
  });
  app.use(failureHandler(defect, refuse));
  return changes.before(app);
}

function methodOf({ method }: Request): string {
  return method === 'HEAD' ? 'GET' : method;
}

const jsonOnly: RequestHandler = (request, response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody || request.is(jsonTypes) !== false) return next();
  const sent = request.headers['content-type'];
  const detail = `The body must be JSON, with the header Content-Type: application/json, but is declared as ${JSON.stringify(sent ?? 'nothing')}.`;
  sendProblem(response, { status: 415, title: 'Unsupported media type', detail });
};

/** Express recognizes an error handler by its four parameters. */
function failureHandler(defect: Defect, refuse: Refuse): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    // The client disconnected, or the stopping server has already responded.
    if (error instanceof AbandonedError || error instanceof StoppedError || response.writableEnded) return;
    // Until its stack is read, an error references the data of its functions, such as a whole import; and a
    // connection references its last error.
    if (error instanceof Error) void error.stack;
    const problem = problemOf(error);
    if (problem === null || response.headersSent) return answerFailure(response, error, defect);
    if (error instanceof WrongMethodError) response.set('Allow', error.allowed.join(', '));
    if (error instanceof BusyError) response.set('Retry-After', '1');
    if (error instanceof ShortageError)
      response.set('Sandbox-Limit', shortageHeader(error.limit, error.shortage));
    refuse(request, response, problem);
  };
}

/** Responds with a problem, in a form for the sender of the request. */
type Refuse = (request: Request, response: Response, problem: Problem) => void;

/** Returns what is wrong with the request, or null if the server failed. */
function problemOf(error: unknown): Problem | null {
  if (error instanceof SandboxError) {
    const status = statusOf(error);
    const violations = error instanceof ValidationError ? { violations: error.violations } : {};
    return { status, title: titleOf(error), detail: error.message, ...violations };
  }
  if (error instanceof BodyTooLargeError)
    return { status: 413, title: 'Too large', detail: tooLarge(error.limit) };
  if (isHttpError(error) && error.status < 500) {
    return {
      status: error.status,
      title: httpTitles.get(error.status) ?? 'Bad Request',
      detail: detailOf(error),
    };
  }
  return null;
}

function detailOf({ type, message, limit }: HttpError): string {
  if (type === 'encoding.unsupported')
    return 'The body is compressed (Content-Encoding). Send it uncompressed.';
  return type !== 'entity.too.large' || limit === undefined ? message : tooLarge(limit);
}

function tooLarge(limit: number): string {
  return `The body has more than ${limit} bytes, the limit of this server for this request. See importBytes and recordBytes among its limits.`;
}

const titles = {
  400: 'Invalid input',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Wrong method',
  409: 'Conflict',
  412: 'Precondition failed',
  503: 'No room',
} as const;

const httpTitles: ReadonlyMap<number, string> = new Map([
  [413, 'Too large'],
  [415, 'Unsupported media type'],
]);

function titleOf(error: SandboxError): string {
  if (error instanceof NotLoadedError) return 'Sandbox not loaded';
  return error instanceof StorageError ? 'Not stored' : titles[statusOf(error)];
}

function statusOf(error: SandboxError): keyof typeof titles {
  if (error instanceof WrongMethodError) return 405;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof ForbiddenError) return 403;
  if (error instanceof ConflictError) return 409;
  if (error instanceof PreconditionError) return 412;
  return error instanceof CapacityError ? 503 : 400;
}

/** An error of express's body parser. */
interface HttpError {
  readonly status: number;
  readonly type?: string;
  /** The limit that the body exceeds, in bytes. */
  readonly limit?: number;
  readonly message: string;
}

function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}
