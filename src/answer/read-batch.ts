import { notUtf8 } from '../base/utf8.ts';
import { deepest, findExcess, isWithinAll } from '../base/json-depth.ts';
import { defaultLimits, type ServerLimits } from '../base/server-limits.ts';
import { jsonErrorIn } from '../base/json-syntax.ts';
import { parseInPieces } from '../base/parse-in-pieces.ts';
import { isSliced, type MaybeSliced, type SlicedWork } from '../base/sliced-work.ts';
import { maskUrls } from '../sandbox/secrets.ts';
import { isLarge } from './body-size.ts';
import type { Call } from './call.ts';
import { envelope, longEnvelope, malformed, sample, type MalformedBody, type ReadBody } from './envelope.ts';

/** Messages for limits that the text of a body exceeds. */
const excessMessages = {
  jsonValues: (max: number) => `The body has more than ${max} values.`,
  objectFields: (max: number) => `An object in the body has more than ${max} fields.`,
} as const;

/** Bodies longer than this are read in a new slice, because many can arrive at once. */
const longChars = 16_384;

/** A body that is too large to read. */
export const unreadBody: MalformedBody = Object.freeze({ kind: 'malformed', violations: [], unlisted: 0 });

/** Returns the number of elements of a body, or 0 if they cannot be counted. */
export function sizeOf(body: ReadBody): number {
  return 'elements' in body ? body.elements.length : 0;
}

/** Reads the request envelope (specification, Common conventions 2 and 3), with hints for common mistakes. */
export function readBatch(call: BatchCall, caps: ServerLimits = defaultLimits): MaybeSliced<ReadBody> {
  const encoding = call.header('content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    return notJson(
      `is encoded as ${JSON.stringify(maskUrls(encoding))}. Send it uncompressed, without Content-Encoding.`,
    );
  }
  const type = call.header('content-type');
  if (!isJson(type)) {
    const sent =
      type === undefined ? 'has no Content-Type' : `is declared as ${JSON.stringify(maskUrls(type))}`;
    return notJson(`${sent}. Send JSON in UTF-8, with the header Content-Type: application/json.`);
  }
  if (call.invalidByte !== null) return malformed([{ pointer: '', message: notUtf8(call.invalidByte) }]);
  if (call.body === '')
    return malformed([{ pointer: '', message: `is empty. Send ${sample(call.operation)}.` }]);
  return isWithinAll(call.body, caps) ? parse(call, caps) : readLong(call, caps);
}

/** The parts of a call that its batch is read from. */
type BatchCall = Pick<Call, 'operation' | 'body' | 'invalidByte' | 'header'>;

/** Reads a body that may exceed a limit. */
function* readLong(call: BatchCall, caps: ServerLimits): SlicedWork<ReadBody> {
  if (call.body.length > longChars) yield;
  const excess = yield* findExcess(call.body, caps);
  if (excess === 'depth') {
    return malformed([
      { pointer: '', message: `is nested more than ${deepest} levels deep. Send ${sample(call.operation)}.` },
    ]);
  }
  if (excess !== null)
    return { kind: 'server-limit', limit: excess, what: excessMessages[excess](caps[excess]) };
  if (isLarge(call)) return yield* parseLarge(call, caps);
  const read = parse(call, caps);
  return isSliced(read) ? yield* read : read;
}

function* parseLarge(call: BatchCall, caps: ServerLimits): SlicedWork<ReadBody> {
  let parsed: unknown;
  try {
    parsed = yield* parseInPieces(call.body);
  } catch {
    return yield* notParsed(call);
  }
  return yield* longEnvelope(parsed, call.operation, caps);
}

function parse(call: BatchCall, caps: ServerLimits): MaybeSliced<ReadBody> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(call.body);
  } catch {
    return notParsed(call);
  }
  return envelope(parsed, call.operation, caps);
}

function* notParsed({ body, operation }: BatchCall): SlicedWork<ReadBody> {
  const problem = (yield* jsonErrorIn(body)) ?? 'is not JSON.';
  return malformed([{ pointer: '', message: `${problem} Send ${sample(operation)}.` }]);
}

/** Accepts `application/json` with or without parameters. JSON is UTF-8 (RFC 8259), so no other charset is. */
function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) return false;
  const charset = /;\s*charset\s*=\s*("[^"]*"|[^\s;]*)/i.exec(type)?.[1];
  return charset === undefined || /^"?utf-?8"?$/i.test(charset);
}

function notJson(message: string): MalformedBody {
  return { kind: 'not-json', violations: [{ pointer: '', message }], unlisted: 0 };
}
