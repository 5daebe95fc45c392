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

/** What became of a call, for the journal. */
export interface Recorded {
  readonly answered: Refusal | readonly Outcome[] | 'client-gone';
  /** What the operation came to, whatever was answered. */
  readonly ran: Recorded['answered'];
  readonly injection: Injection;
  /** When the answering began. */
  readonly started: number;
}

/** Writes the exchange into its sandbox's journal, before its reply leaves. */
export function appendToJournal(context: CallContext, { answered, ran, injection, started }: Recorded, reply: Reply): StoredEntry {
  const { call, sandbox, school } = context;
  const refusal = answered instanceof Refusal ? answered.kind : answered === 'client-gone' ? answered : null;
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
      context.violations.length === 0 ? none : context.violations.map((one) => ({ ...one, message: secretless(one.message, context) })),
    query: call.query === '' ? '' : secretless(maskQuery(call.query), context),
    requestHeaders: sandbox.headers.keep(call.headers, call.header('service-api-key'), (name, value) =>
      isSecretHeader(name) ? maskedHeader(name, value) : secretless(maskUrls(value), context),
    ),
    request: keptPart(body.text),
    // A body that is longer than is ever read is not kept at all.
    requestCut: call.bodyCutOff ? call.bodyBytes : Math.max(0, call.body.length - maxKeptChars),
    // All of them are the sandbox's own: none is secret.
    responseHeaders: reply.headers,
    // Looking for keys in it would cost every call a copy of its reply; whoever shows it does.
    response: keptWire(reply.body),
    responseCut: Math.max(0, reply.body.length - maxKeptChars),
  };
  sandbox.journal.append(kept);
  return kept;
}

/** No key is as long as this. In characters. */
const longerThanKeys = 256;

/** The body without keys, and whether it held any. Of a long body only the beginning is looked at more closely, as only that is stored. */
function shownBody(context: CallContext): { readonly text: string; readonly heldKey: boolean } {
  const { body, header } = context.call;
  const key = header('service-api-key') ?? '';
  const looked = maxKeptChars + Math.max(longerThanKeys, key.length);
  const beginning = body.length <= looked ? body : body.slice(0, looked);
  const text = secretless(beginning, context);
  const rest = body.length <= looked || text !== beginning ? '' : body.slice(maxKeptChars);
  return { text, heldKey: text !== beginning || isKeyIn(rest, key) || holdsKey(rest) };
}

/** Only what held a key is another text without it. */
function keyPlaces(context: CallContext, inBody: boolean): readonly KeyPlace[] {
  const { query } = context.call;
  const inUrl = query !== '' && secretless(query, context) !== query;
  if (!inUrl && !inBody) return none;
  return [...(inUrl ? (['url'] as const) : []), ...(inBody ? (['body'] as const) : [])];
}

function elementsOf(ran: Recorded['ran'], { undoes }: Injection): StoredEntry['elements'] {
  if (ran instanceof Refusal || ran === 'client-gone' || undoes) return none;
  return keptOutcomes(ran.map((one) => (one.ok ? null : one.failure.kind)));
}

/** A text with keys shortened, wherever they stand: those of their form, and whatever the client sent for one. */
function secretless(text: string, { call, shownKey }: CallContext): string {
  const key = call.header('service-api-key');
  return withoutKeys(key !== undefined && isKeyIn(text, key) ? text.replaceAll(key, shownKey ?? '') : text);
}

/** What is very short is no secret, and would be found in any text. */
function isKeyIn(text: string, key: string): boolean {
  return key.length >= 8 && text.includes(key);
}
