import { stopwatch } from '../sandbox/clock.ts';
import { holdsKey, withoutKeys } from '../sandbox/keys.ts';
import type { StoredEntry, KeyPlace } from '../sandbox/journal-entry.ts';
import { keptOutcomes } from '../sandbox/kept-outcomes.ts';
import { keptPart, keptWire, maxKeptChars } from '../sandbox/kept-text.ts';
import { isSecretHeader, maskedHeader, maskQuery, maskUrls } from '../sandbox/secrets.ts';
import type { Reply } from './call.ts';
import type { CallContext } from './call-context.ts';
import type { Injection } from './injection.ts';
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
  const kept: StoredEntry = {
    sandboxId: sandbox.id,
    number: context.number,
    at: context.arrivedAt,
    receivedMs: started,
    durationUs: Math.round((stopwatch() - started) * 1000),
    operation: call.operation,
    school: school === null ? null : school.slug,
    key: context.shownKey,
    keyElsewhere: keyPlaces(context, body.heldKey),
    address: call.address,
    port: call.port,
    status: reply.status,
    refusal,
    elements: elementsOf(ran, injection),
    faults: injection.faults,
    assumed: context.assumed.length === 0 ? none : context.assumed,
    violations:
      context.violations.length === 0
        ? none
        : context.violations.map((one) => ({ ...one, message: secretless(one.message, context) })),
    query: call.query === '' ? '' : secretless(maskQuery(call.query), context),
    requestHeaders: sandbox.headers.keep(call.headers, call.header('service-api-key'), (name, value) =>
      isSecretHeader(name) ? maskedHeader(name, value) : secretless(maskUrls(value), context),
    ),
    request: keptPart(body.text),
    // A body that exceeds the read limit is not stored.
    requestCut: call.bodyCutOff ? call.bodyBytes : Math.max(0, call.body.length - maxKeptChars),
    // The sandbox sets all of them, so none is secret.
    responseHeaders: reply.headers,
    // Keys are removed when it is shown: doing it here would copy the reply of every call.
    response: keptWire(reply.body),
    responseCut: Math.max(0, reply.body.length - maxKeptChars),
  };
  sandbox.journal.append(kept);
  return kept;
}

/** All keys are shorter. */
const maxKeyChars = 256;

/** Returns the stored part of the body without keys, and whether the whole body contained any. */
function shownBody(context: CallContext): { readonly text: string; readonly heldKey: boolean } {
  const { body, header } = context.call;
  const key = header('service-api-key') ?? '';
  // A key may extend beyond the stored part.
  const maxSearched = maxKeptChars + Math.max(maxKeyChars, key.length);
  const beginning = body.length <= maxSearched ? body : body.slice(0, maxSearched);
  const text = secretless(beginning, context);
  const rest = body.length <= maxSearched || text !== beginning ? '' : body.slice(maxKeptChars);
  return { text, heldKey: text !== beginning || isKeyIn(rest, key) || holdsKey(rest) };
}

/** Returns the wrong places in which a key was sent. */
function keyPlaces(context: CallContext, inBody: boolean): readonly KeyPlace[] {
  const { query } = context.call;
  const inUrl = query !== '' && secretless(query, context) !== query;
  if (!inUrl && !inBody) return none;
  return [...(inUrl ? (['url'] as const) : []), ...(inBody ? (['body'] as const) : [])];
}

function elementsOf(ran: CallOutcome['ran'], { undoes }: Injection): StoredEntry['elements'] {
  if (ran instanceof Refusal || ran === 'client-gone' || undoes) return none;
  return keptOutcomes(ran.map((one) => (one.ok ? null : one.failure.kind)));
}

/**
 * Returns the text with masked keys: everything that has the form of a key, and the key that the client sent.
 */
function secretless(text: string, { call, shownKey }: CallContext): string {
  const key = call.header('service-api-key');
  return withoutKeys(key !== undefined && isKeyIn(text, key) ? text.replaceAll(key, shownKey ?? '') : text);
}

/** Ignores very short keys: they are not secret and occur in any text. */
function isKeyIn(text: string, key: string): boolean {
  return key.length >= 8 && text.includes(key);
}
