import { outputsIn, type SeenOutput } from '../../contract/envelope.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import type { StoredEntry, KeyPlace } from '../../sandbox/journal-entry.ts';
import { scopeIn } from '../../sandbox/scope.ts';
import { maskQuery } from '../../sandbox/secrets.ts';
import { keptOutcomes } from '../../sandbox/kept-outcomes.ts';
import { keptWire, maxKeptChars } from '../../sandbox/kept-text.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { joined, toWire } from '../../base/wire-text.ts';
import type { BodyText } from './body-text.ts';
import { isKeyElsewhereIn } from './key-in-headers.ts';
import { type ProxiedCall, type ProxiedReply, type UpstreamFailure } from './messages.ts';
import type { ToldFindings } from './replies.ts';
import type { Secrets } from './secrets.ts';
import { shownKey } from './shown-key.ts';

/** The result of a call: forwarded, or the reason why the client got another response. */
export type Fate = 'passed' | 'request-violation' | 'response-violation' | UpstreamFailure['kind'];

/** The data of a call through the proxy. */
interface Passed {
  readonly call: ProxiedCall;
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: BodyText;
  /** The response to the client; null if it was gone. */
  readonly given: ProxiedReply | null;
  /** The body of the upstream's response, if the client got it; null for a response of the proxy itself. */
  readonly read: BodyText | null;
  /** The same body as JSON. Undefined if it is not. */
  readonly json: unknown;
  readonly fate: Fate;
  /** How long the upstream took, in milliseconds. Undefined without its response. */
  readonly upstreamMs: number | undefined;
  readonly told: ToldFindings;
  readonly secrets: Secrets;
  /** Whether the body of the request contains the key. */
  readonly isKeyInBody: boolean;
  /** The number of the entry, and the sandbox's time when the call arrived. */
  readonly number: number;
  readonly at: number;
  /** The same time from `stopwatch`. */
  readonly started: number;
}

/** Writes the call into the sandbox's journal, without secrets. Writes nothing before it ends. */
export function* keepingExchange(passed: Passed, sandbox: Sandbox): SlicedWork<StoredEntry> {
  const { call, headers, given, json, fate, told, secrets, number, at, started } = passed;
  const reply = given === null ? null : (passed.read ?? { text: given.body.bytes.toString('utf8') });
  const outputs = outputsIn(json);
  const key = headers['service-api-key'];
  const kept: StoredEntry = {
    sandboxId: sandbox.id,
    number,
    at,
    receivedMs: started,
    durationUs: Math.round((stopwatch() - started) * 1000),
    delivery: null,
    method: call.method,
    operation: call.operation,
    scope: scopeIn(secrets.mask(headers['sandbox-scope'] ?? '')) ?? sandbox.journal.scope,
    page: null,
    // The key belongs to the upstream and to no school here.
    school: null,
    key: key === undefined ? null : shownKey(key),
    address: call.address,
    port: call.port,
    connection: call.connection,
    status: given?.status ?? 0,
    refusal: refusalOf(passed, reply, outputs),
    elements: fate !== 'passed' || given === null ? [] : elementsOf(given.status, outputs),
    faults: [],
    assumed: [],
    violations: told.request,
    responseViolations: told.response,
    responseDifferences: told.differences,
    upstreamMs: passed.upstreamMs,
    path: null,
    requestHeaders: yield* secrets.maskingHeaders(call.headers),
    ...(yield* requestParts(passed)),
    responseHeaders: yield* secrets.maskingHeaders(given?.headers ?? []),
    ...(yield* responseParts(passed, reply)),
  };
  sandbox.journal.append(kept);
  return kept;
}

type RequestParts = Pick<
  StoredEntry,
  'query' | 'request' | 'requestCut' | 'requestTrailers' | 'keyElsewhere'
>;

/** Returns the request, and where it has the key outside the header. Unread bodies are not stored. */
function* requestParts({ call, request, secrets, isKeyInBody }: Passed): SlicedWork<RequestParts> {
  const text = 'text' in request ? request.text : '';
  const { shown, cut } = yield* secrets.maskingStart(text, maxKeptChars);
  const trailers = call.trailers();
  const found: readonly (readonly [KeyPlace, boolean])[] = [
    ['url', secrets.isIn(call.query) || secrets.isIn(call.authority)],
    ['body', isKeyInBody],
    ['header', yield* isKeyElsewhereIn(call.headers, secrets)],
    ['trailer', trailers.length > 0 && (yield* secrets.findingKey(trailers.join('\n')))],
  ];
  const places = found.flatMap(([place, isThere]) => (isThere ? [place] : []));
  const requestCut = 'text' in request ? cut : call.body.bytes.length;
  const query = yield* secrets.masking(maskQuery(call.query));
  const parts = { query, request: shown, requestCut, keyElsewhere: places };
  return trailers.length === 0
    ? parts
    : { ...parts, requestTrailers: yield* secrets.maskingHeaders(trailers) };
}

/** Returns the response to the client. */
function* responseParts(
  { given, secrets }: Passed,
  reply: BodyText | null,
): SlicedWork<Pick<StoredEntry, 'response' | 'responseCut'>> {
  if (given === null || reply === null) return { response: joined(''), responseCut: 0 };
  if (!('text' in reply)) return { response: joined(''), responseCut: given.body.bytes.length };
  const { shown, cut } = yield* secrets.maskingStart(reply.text, maxKeptChars);
  const wire = toWire(shown);
  const response = keptWire(wire);
  return { response, responseCut: wire.length - response.length + cut };
}

/** Returns the kind of refusal according to the status, or null if the operation ran. */
function refusalOf(
  { fate, given, headers }: Passed,
  reply: BodyText | null,
  outputs: readonly SeenOutput[] | null,
): string | null {
  if (fate !== 'passed') return fate;
  const { status = 0 } = given ?? {};
  if (status === 401 || status === 403)
    return headers['service-api-key'] === undefined ? 'missing-key' : 'invalid-key';
  if (status === 429) return 'throttled';
  if (status < 200 || status >= 300) return `http-${status}`;
  return reply !== null && 'text' in reply && outputs === null ? 'unreadable' : null;
}

function elementsOf(status: number, outputs: readonly SeenOutput[] | null): StoredEntry['elements'] {
  if (status < 200 || status >= 300 || outputs === null) return [];
  return keptOutcomes(outputs.map(({ status }) => (status === 'ok' ? null : 'unknown')));
}
