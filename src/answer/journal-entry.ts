import { stopwatch } from '../sandbox/clock.ts';
import type { Journal } from '../sandbox/journal.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import { keptOutcomes } from '../sandbox/kept-outcomes.ts';
import { keptPart, keptWire, maxKeptChars } from '../sandbox/kept-text.ts';
import { maxKeyChars } from '../sandbox/encoded-keys.ts';
import { scopeIn } from '../sandbox/scope.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import type { Call, Reply } from './call.ts';
import type { CallContext } from './call-context.ts';
import { shownHints } from './hints.ts';
import type { Injection } from './injection.ts';
import { hasKey, keptHeaders, keptTrailers, keyPlaces, shownQuery, type ShownPart } from './kept-parts.ts';
import {
  hasPlainKey,
  hasPlainKeyIn,
  secretless,
  sentKey,
  withoutKeysInBody,
  type ShownKey,
} from './masking.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

const none: readonly never[] = Object.freeze([]);

/** The outcome of a call, for the journal. */
interface CallOutcome {
  readonly answered: Refusal | readonly Outcome[] | 'client-gone';
  /** The outcome of the operation, even if a fault replaced the reply. */
  readonly ran: CallOutcome['answered'];
  readonly injection: Injection;
  /** When processing started. */
  readonly started: number;
}

function refusalIn(answered: CallOutcome['answered']): StoredEntry['refusal'] {
  if (answered instanceof Refusal) return answered.kind;
  return answered === 'client-gone' ? answered : null;
}

/** Appends the call to the journal of its sandbox, before the reply is sent. */
export function appendToJournal(
  context: CallContext,
  { answered, ran, injection, started }: CallOutcome,
  reply: Reply,
): StoredEntry {
  const { call, sandbox, school } = context;
  const refusal = refusalIn(answered);
  const body = shownBody(context);
  const url = shownQuery(call.query, context);
  const requestHeaders = keptHeaders(context);
  const trailers = call.trailers.length === 0 ? null : keptTrailers(context);
  const usual: StoredEntry = {
    sandboxId: sandbox.id,
    number: context.number,
    at: context.arrivedAt,
    receivedMs: started,
    durationUs: Math.round((stopwatch() - started) * 1000),
    delivery: null,
    method: 'POST',
    operation: call.operation,
    scope: scopeOf(context, context.label, sandbox.journal),
    page: pageOf(call),
    school: school === null ? null : school.slug,
    key: context.shownKey,
    keyElsewhere: keyPlaces({
      url: url.heldKey || hasKey(call.authority, context),
      body: body.heldKey,
      header: sandbox.headers.haveKey,
      trailer: trailers?.heldKey,
    }),
    address: call.address,
    port: call.port,
    connection: call.connection,
    pipelined: call.pipelined,
    status: reply.status,
    refusal,
    elements: elementsOf(ran, injection),
    faults: injection.faults,
    ruleChanges: sandbox.faults.changes,
    assumed: context.assumed.length === 0 ? none : context.assumed,
    violations:
      context.violations.length === 0
        ? none
        : context.violations.map((one) => ({ ...one, message: secretless(one.message, context) })),
    path: null,
    query: url.text,
    requestHeaders,
    request: keptPart(body.text),
    // A body that exceeds the read limit is not stored.
    requestCut: call.bodyCutOff ? call.bodyBytes : Math.max(0, call.body.length - maxKeptChars),
    // The sandbox sets all of them, so none is secret.
    responseHeaders: reply.headers,
    // Keys are removed when it is shown: doing it here would copy the reply of every call.
    response: keptWire(reply.body),
    responseCut: Math.max(0, reply.body.length - maxKeptChars),
  };
  // Spreading within the object above would cost every call a microsecond.
  const hinted = context.hints.length === 0 ? usual : { ...usual, hints: shownHints(context) };
  const kept = trailers === null ? hinted : { ...hinted, requestTrailers: trailers.list };
  sandbox.journal.append(kept);
  context.journaled = kept;
  return kept;
}

/** Searches the part of a large body that the journal does not store for keys, before the call has any effect. */
export function* searchForKey(context: CallContext): SlicedWork<void> {
  const { body } = context.call;
  context.hasDistantKey =
    body.length > searchedChars(context) && (yield* hasPlainKeyIn(body.slice(maxKeptChars), context));
}

/** Returns the stored part of the body without keys, and whether the whole body contained any. */
function shownBody(context: CallContext): ShownPart {
  const { body } = context.call;
  const maxSearched = searchedChars(context);
  const beginning = body.length <= maxSearched ? body : body.slice(0, maxSearched);
  const text = withoutKeysInBody(beginning, context);
  if (body.length <= maxSearched || text !== beginning) return { text, heldKey: text !== beginning };
  return { text, heldKey: context.hasDistantKey ?? hasPlainKey(body.slice(maxKeptChars), context) };
}

/** The length of the beginning of a body whose keys are masked. A key may extend beyond the stored part. */
function searchedChars({ call }: ShownKey): number {
  return maxKeptChars + Math.max(maxKeyChars, call.header('service-api-key')?.length ?? 0);
}

/** Returns the scope of a request: from its header, its key, or the journal. */
export function scopeOf(
  shown: ShownKey,
  label: string | null,
  { scope }: Pick<Journal, 'scope'>,
): string | null {
  return scopeIn(shown.call.header('sandbox-scope'), sentKey(shown)) ?? label ?? scope;
}

const pages: ReadonlySet<string> = new Set(['console', 'player', 'docs', 'demo']);

/** Returns which of our own pages sent a request, or null. */
export function pageOf({ header }: Pick<Call, 'header'>): string | null {
  const page = header('sandbox-page');
  return page !== undefined && pages.has(page) ? page : null;
}

function elementsOf(ran: CallOutcome['ran'], { undoes }: Injection): StoredEntry['elements'] {
  if (ran instanceof Refusal || ran === 'client-gone' || undoes) return none;
  return keptOutcomes(ran.map((one) => (one.ok ? null : one.failure.kind)));
}
