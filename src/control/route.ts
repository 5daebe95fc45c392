import type { components } from '../contract/generated/control.ts';
import type { ControlSchema } from '../contract/control-check.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { PathPolicy } from '../store/read-seed.ts';
import type { TokenHolder } from './token-holder.ts';
import type { ServerParts } from './server-parts.ts';
import { fitting } from './fitting.ts';
import { isSummaryForm, type ListForm } from './journal.ts';
import type { RecordConditions } from './record-conditions.ts';
import { alone, inSlices, whenFree } from './work.ts';
import { didYouMean } from '../base/did-you-mean.ts';
import { NotFoundError, ValidationError } from '../base/errors.ts';
import { pointerTo } from '../base/violation.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

type Schemas = components['schemas'];

/** A request to the control plane, over HTTP or in process. */
export interface ControlRequest {
  readonly parts: ServerParts;
  /** The URL at which clients reach this server, without a trailing slash. */
  readonly baseUrl: string;
  readonly pathPolicy: PathPolicy;
  /** The form of long lists in the response. */
  readonly lists: ListForm;
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The conditions in its headers, for records. */
  readonly conditions?: RecordConditions;
  /** Who sends it: in process, always the operator. */
  readonly holder: TokenHolder;
  /** Whether the client has disconnected, so that long work can stop; missing if that cannot be known. */
  readonly isGone?: () => boolean;
}

/**
 * A route: its method, its path in `openapi/control.yaml`, its function, and the kind of response that the
 * function returns.
 */
export type ControlRoute = JsonRoute | TextRoute | StreamRoute;

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Which tokens permit it: only that of the server; also that of its sandbox; or that of any sandbox. */
  readonly access: 'operator' | 'sandbox' | 'any token';
  /** The schema of the body; null if there is none. */
  readonly body: ControlSchema | null;
}

export interface JsonRoute extends RouteBase {
  readonly sends: 'json';
  /** Status of a response with content; without content it is 204. */
  readonly status: number;
  readonly run: (request: ControlRequest) => unknown;
  /** Whether the response is a record, with an entity tag. */
  readonly isRecord?: boolean;
  /** What it does instead if its sandbox is stored, but cannot be loaded; if missing, it fails. */
  readonly ifNotLoaded?: (request: ControlRequest) => Promise<void>;
}

/** A response that is text, such as a page. */
export interface TextContent {
  /** The media type. */
  readonly type: string;
  readonly text: string;
}

interface TextRoute extends RouteBase {
  readonly sends: 'text';
  readonly run: (request: ControlRequest) => TextContent | Promise<TextContent>;
}

/** Sends the journal entries of a sandbox as server-sent events. */
interface StreamRoute extends RouteBase {
  readonly sends: 'journal stream';
  readonly run: (request: ControlRequest) => FollowedJournal;
}

/** A journal to follow. */
export interface FollowedJournal {
  readonly sandbox: Sandbox;
  /** Whether the events have entries without bodies and headers. */
  readonly isSummary: boolean;
}

type Method = RouteBase['method'];

type Access = RouteBase['access'];

/** A route without a body. */
export function plain(access: Access, method: Method, path: string, run: JsonRoute['run']): JsonRoute {
  return { access, method, path, body: null, sends: 'json', status: 200, run };
}

/** A route that reads a text. */
export function text(access: Access, path: string, run: TextRoute['run']): TextRoute {
  return { access, method: 'GET', path, body: null, sends: 'text', run };
}

/** A route that follows the journal of a sandbox. */
export function journalStream(): StreamRoute {
  const path = `${sandboxPath}/journal/stream`;
  return { access: 'sandbox', method: 'GET', path, body: null, sends: 'journal stream', run: followed };
}

function followed(request: ControlRequest): FollowedJournal {
  const { form, ...others } = request.query;
  const unknown = Object.keys(others).map((name) => ({
    pointer: pointerTo('', name),
    message: 'is unknown: a journal stream accepts only the query parameter form.',
  }));
  if (unknown.length > 0) throw new ValidationError('The query is invalid.', unknown.slice(0, 1));
  return { sandbox: sandboxOf(request), isSummary: isSummaryForm(form) };
}

/** The path of a sandbox, before that of a route for it. */
export const sandboxPath = '/control/sandboxes/{sandboxId}';

type Run = (sandbox: Sandbox, request: ControlRequest) => unknown;

/**
 * A route for one sandbox, without a body. It waits while a batch or another request has exclusive access to
 * the state.
 */
export function about(method: Method, path: string, run: Run): JsonRoute {
  return plain('sandbox', method, `${sandboxPath}${path}`, (request) => {
    // The sandbox may be deleted during the wait.
    return whenFree(request, sandboxOf(request), () => run(sandboxOf(request), request));
  });
}

/** A route for one sandbox with long work that does not depend on concurrent changes of the state. */
export function working(
  method: Method,
  path: string,
  work: (sandbox: Sandbox, request: ControlRequest) => SlicedWork<unknown>,
): JsonRoute {
  return about(method, path, (sandbox, request) => inSlices(request, work(sandbox, request)));
}

/** A route for one sandbox with long work that needs exclusive access to the state. */
export function workingAlone(
  method: Method,
  path: string,
  work: (sandbox: Sandbox, request: ControlRequest) => SlicedWork<unknown>,
): JsonRoute {
  return about(method, path, (sandbox, request) => alone(request, sandbox, work(sandbox, request)));
}

/** A route for one sandbox with a body that matches a schema. */
export function given<N extends ControlSchema>(
  method: Method,
  path: string,
  body: N,
  run: (sandbox: Sandbox, body: Schemas[N], request: ControlRequest) => unknown,
): JsonRoute {
  const checked: Run = (sandbox, request) => run(sandbox, fitting(body, request.body, sandbox.caps), request);
  return { ...about(method, path, checked), body };
}

export function sandboxOf({ parts, params, holder }: ControlRequest): Sandbox {
  return findSandbox(parts.sandboxes, param(params, 'sandboxId'), holder);
}

export function param(params: ControlRequest['params'], name: string): string {
  return params[name] ?? '';
}

/** Returns the sandbox with an id, and counts the request as a use of it. Throws NotFoundError. */
function findSandbox(sandboxes: Sandboxes, id: string, holder: TokenHolder): Sandbox {
  const sandbox = sandboxes.get(id);
  if (sandbox === undefined) {
    // The ids of other sandboxes are for the operator.
    const hint =
      holder === 'operator'
        ? `${didYouMean(id, sandboxes.ids)} GET /control/sandboxes lists them.`
        : ' It was deleted.';
    throw new NotFoundError(`There is no sandbox ${JSON.stringify(id)}.${hint}`);
  }
  sandbox.touch();
  return sandbox;
}
