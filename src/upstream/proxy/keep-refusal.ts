import { headersByName } from '../../base/headers.ts';
import { problemBody, problemType, type Problem } from '../../base/problem.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { joined, toWire } from '../../base/wire-text.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import type { ConnectionTimes, StoredEntry } from '../../sandbox/journal-entry.ts';
import { scopeIn } from '../../sandbox/scope.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { maskPath, maskQuery } from '../../sandbox/secrets.ts';
import { Secrets, type KnownSecrets } from './secrets.ts';
import { shownKey } from './shown-key.ts';

/** A request that was not forwarded, because the whole of it never arrived, or it is not valid HTTP. */
export interface RefusedRequest {
  readonly method: string;
  readonly path: string;
  /** The query with its question mark, or an empty string. */
  readonly query: string;
  /** Name, value, name, value … as far as they are readable. */
  readonly headers: readonly string[];
  /** The declared size of the body. */
  readonly bodyBytes: number;
  readonly address: string;
  readonly port: number;
  readonly connection: ConnectionTimes;
}

/** Methods that are not secret, even if a key has the same word. */
const commonMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** Longer paths are cut. In characters. */
const maxPathChars = 500;

/**
 * Returns work that writes a request that the proxy refused with a problem into the sandbox's journal, without secrets;
 * or one whose client has gone, if `reply` is null. The work can begin again.
 */
export function keepRefusal(
  request: RefusedRequest,
  reply: Problem | null,
  sandbox: Sandbox,
  known: KnownSecrets,
): () => SlicedWork<StoredEntry> {
  const arrived = { number: sandbox.nextNumber(), at: sandbox.clock.now(), receivedMs: stopwatch() };
  return () => keeping({ request, reply, arrived }, sandbox, known);
}

interface Refused {
  readonly request: RefusedRequest;
  readonly reply: Problem | null;
  readonly arrived: Pick<StoredEntry, 'number' | 'at' | 'receivedMs'>;
}

function* keeping(
  { request, reply, arrived }: Refused,
  sandbox: Sandbox,
  known: KnownSecrets,
): SlicedWork<StoredEntry> {
  const headers = headersByName(request.headers);
  const secrets = new Secrets(headers, request.query, known);
  const key = headers['service-api-key'];
  // Masked before it is cut: a part of a secret is a secret, too.
  const path = (yield* secrets.masking(maskPath(request.path))).slice(0, maxPathChars);
  yield;
  const isInUrl = secrets.isIn(request.path) || secrets.isIn(request.query);
  const kept: StoredEntry = {
    sandboxId: sandbox.id,
    ...arrived,
    durationUs: Math.round((stopwatch() - arrived.receivedMs) * 1000),
    delivery: null,
    method: commonMethod.test(request.method) ? request.method : yield* secrets.masking(request.method),
    operation: path.split('/').findLast((part) => part !== '') ?? path,
    scope: scopeIn(yield* secrets.masking(headers['sandbox-scope'] ?? '')) ?? sandbox.journal.scope,
    page: null,
    // The key belongs to the upstream and to no school here.
    school: null,
    key: key === undefined ? null : shownKey(key),
    keyElsewhere: isInUrl ? ['url'] : [],
    address: request.address,
    port: request.port,
    connection: request.connection,
    status: reply?.status ?? 0,
    refusal: reply === null ? 'client-gone' : 'unmatched',
    elements: [],
    faults: [],
    assumed: [],
    violations: reply === null ? [] : secrets.maskViolations([{ pointer: '', message: reply.detail }]),
    path: reply === null ? null : path,
    query: yield* secrets.masking(maskQuery(request.query)),
    requestHeaders: yield* secrets.maskingHeaders(request.headers),
    request: '',
    requestCut: request.bodyBytes,
    responseHeaders: reply === null ? [] : ['Content-Type', problemType, 'Connection', 'close'],
    response: reply === null ? joined('') : toWire(yield* secrets.masking(problemBody(reply))),
    responseCut: 0,
  };
  sandbox.journal.append(kept);
  return kept;
}
