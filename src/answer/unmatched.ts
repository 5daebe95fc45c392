import { stopwatch } from '../sandbox/clock.ts';
import { requestIdOf, type StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { storeUse } from '../sandbox/facts.ts';
import { problemBody, problemType, type Problem } from '../base/problem.ts';
import { toWire } from '../base/wire-text.ts';
import { assumedHeader, noting, type Noting } from './assumed.ts';
import type { Call, Reply } from './call.ts';
import { allowsOtherOrigins, corsHeaders, isPreflight } from './cors.ts';
import { pageOf, scopeOf } from './journal-entry.ts';
import { hasKey, keptHeaders, keyPlaces, shownQuery } from './kept-parts.ts';
import { shownPath } from './masking.ts';
import { namedKey } from './misplaced-key.ts';
import { failureMessage, type UnmatchedKind } from './messages.ts';
import { refusalBody, type Body } from './refusal-body.ts';
import { unknownPathStatuses, wrongMethodStatuses } from './statuses.ts';
import type { Witness } from './witness.ts';

/** A request that is not a call of an operation: its path or its method is wrong. */
export interface UnmatchedRequest extends Pick<
  Call,
  'query' | 'header' | 'headers' | 'authority' | 'address' | 'port' | 'connection'
> {
  readonly method: string;
  readonly path: string;
  /** The declared size of the body, which is not read. */
  readonly bodyBytes: number;
  /** Renders the reply as a page, for a person who opened the address in a browser; null for clients. */
  readonly toPage: ToPage | null;
}

/** Renders a problem as a page, for a request in the journal of a sandbox. */
export type ToPage = (
  problem: Problem,
  request: { readonly sandboxId: string; readonly requestId: string },
) => { readonly headers: readonly string[]; readonly body: string };

/** What is wrong with a request. */
export interface Explanation {
  readonly kind: UnmatchedKind;
  readonly title: string;
  readonly detail: string;
  /** The reply, if the server sends one without a sandbox. */
  readonly sent?: Pick<Reply, 'status' | 'headers' | 'body'>;
}

/** Explains what is wrong with a request. Messages show this path. */
export type Explain = (path: string, request: UnmatchedRequest) => Explanation;

/** Longer paths are cut. In characters. */
const maxPathChars = 500;

/**
 * Writes a request into the journal of the sandbox that its key names, wherever the client sent it, or else of the
 * default one, and returns the reply. The client violated the contract, as `explain` says, which receives the path
 * without secrets.
 */
export function refuseUnmatched(
  request: UnmatchedRequest,
  explain: Explain,
  sandboxes: Sandboxes,
  { observe, defect }: Witness,
): Reply {
  const started = stopwatch();
  const { sandbox, school, label, ...caller } = sandboxes.identify(namedKey(request));
  const shownKey = request.header('service-api-key') === undefined ? null : caller.shownKey;
  const number = sandbox.nextNumber();
  const at = sandbox.clock.now();
  const requestId = requestIdOf(sandbox.id, number);
  const shown = { call: request, shownKey };
  // Masked before it is cut: a part of a secret is a secret, too.
  const path = shownPath(request.path, shown).slice(0, maxPathChars);
  const explained = explain(path, request);
  const context = noting(sandbox);
  const { status, headers, body } =
    explained.sent ?? refusalOf(context, request, explained, { path, requestId, sandboxId: sandbox.id });
  const reply: Reply = { status, headers, body, at };
  const query = shownQuery(request.query, shown);
  const requestHeaders = keptHeaders({ call: request, sandbox, shownKey });
  const url = query.heldKey || [request.path, request.authority].some((text) => hasKey(text, shown));
  const kept: StoredEntry = {
    sandboxId: sandbox.id,
    number,
    at,
    receivedMs: started,
    durationUs: Math.round((stopwatch() - started) * 1000),
    delivery: null,
    method: request.method,
    operation: path.split('/').findLast((part) => part !== '') ?? path,
    scope: scopeOf(shown, label ?? null, sandbox.journal),
    // A person who opens an address in a browser is not a client.
    page: pageOf(request) ?? (request.toPage === null ? null : 'browser'),
    school: school === null ? null : school.slug,
    key: shownKey,
    keyElsewhere: keyPlaces({ url, header: sandbox.headers.haveKey }),
    address: request.address,
    port: request.port,
    connection: request.connection,
    status,
    refusal: 'unmatched',
    elements: [],
    faults: [],
    assumed: context.assumed,
    violations: [{ pointer: '', message: explained.detail }],
    path,
    query: query.text,
    requestHeaders,
    request: '',
    requestCut: request.bodyBytes,
    responseHeaders: headers,
    response: reply.body,
    responseCut: 0,
  };
  sandbox.journal.append(kept);
  storeUse(sandbox);
  try {
    observe(kept, undefined);
  } catch (error) {
    defect(error, requestId);
  }
  return reply;
}

/** Returns the refusal of a request whose shown path and id are given. */
function refusalOf(
  context: Noting,
  request: UnmatchedRequest,
  explained: Explanation,
  shown: { readonly path: string; readonly requestId: string; readonly sandboxId: string },
): Pick<Reply, 'status' | 'headers' | 'body'> {
  const status = statusOf(context, explained.kind);
  const { title, detail } = explained;
  const page = request.toPage?.({ status, title, detail }, shown) ?? null;
  const { type, body } =
    page === null
      ? bodyOf(context, explained, { status, ...shown })
      : { type: null, body: toWire(page.body) };
  const opened = allowsOtherOrigins(context, isPreflight(request));
  const headers = [
    ...(type === null ? [] : ['Content-Type', type]),
    ...(page?.headers ?? []),
    'Sandbox-Request-Id',
    shown.requestId,
    ...(status === wrongMethodStatuses['http-405'] ? ['Allow', 'POST'] : []),
    ...(opened ? corsHeaders : []),
    'Sandbox-Assumed',
    assumedHeader(context),
  ];
  return { status, headers, body };
}

function bodyOf(
  context: Noting,
  { kind, title, detail }: Explanation,
  shown: { readonly status: number; readonly path: string; readonly requestId: string },
): Body {
  const isProblem = context.assume('unmatchedBody') === 'problem-json';
  const message = failureMessage(context, { kind, message: detail });
  if (isProblem)
    return { type: problemType, body: toWire(problemBody({ status: shown.status, title, detail: message })) };
  return refusalBody(context, { kind, message, ...shown, violations: [] });
}

function statusOf({ assume }: Noting, kind: UnmatchedKind): number {
  return kind === 'wrong-method'
    ? wrongMethodStatuses[assume('wrongMethod')]
    : unknownPathStatuses[assume('unknownPath')];
}
