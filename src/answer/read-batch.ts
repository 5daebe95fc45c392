import type { OperationName } from '../contract/operation-types.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { describe, pointerTo, quoted, type Violation } from '../base/violation.ts';
import { closest } from '../base/did-you-mean.ts';
import { firstUnknown } from '../contract/level-hints.ts';
import { isObject } from '../base/is-object.ts';
import { notUtf8 } from '../base/utf8.ts';
import { deepest, findExcess, isWithinAll } from '../base/json-depth.ts';
import { defaultLimits, type ServerLimits } from '../base/server-limits.ts';
import { jsonErrorIn } from '../base/json-syntax.ts';
import { isSliced, type MaybeSliced, type SlicedWork } from '../base/sliced-work.ts';
import { maskUrls } from '../sandbox/secrets.ts';
import type { Call } from './call.ts';

/** The elements of a call: the parameters of each, not yet validated. */
export interface Batch {
  readonly elements: readonly unknown[];
  /** A violation for each field of the envelope that the specification does not have. */
  readonly extra: readonly Violation[];
}

/** A body that is not the request envelope. */
export interface MalformedBody {
  readonly kind: 'malformed' | 'not-json';
  readonly violations: readonly Violation[];
  /** The number of violations that are not listed. */
  readonly unlisted: number;
}

/** Messages for limits that the text of a body exceeds. */
const excessMessages = {
  jsonValues: (max: number) => `The body has more than ${max} values.`,
  objectFields: (max: number) => `An object in the body has more than ${max} fields.`,
} as const;

/** A body that exceeds a limit of this server. */
interface OversizedBody {
  readonly kind: 'server-limit';
  readonly limit: 'batchElements' | keyof typeof excessMessages;
  /** A sentence about what was received. */
  readonly what: string;
}

/** The result of reading the body of a call. */
export type ReadBody = Batch | MalformedBody | OversizedBody;

/** Each step of reading a body of this size takes some milliseconds. */
const largeChars = 1_048_576;

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
  const isLarge = call.body.length > largeChars;
  if (call.body.length > longChars) yield;
  const excess = yield* findExcess(call.body, caps);
  if (excess === 'depth') {
    return malformed([
      { pointer: '', message: `is nested more than ${deepest} levels deep. Send ${sample(call.operation)}.` },
    ]);
  }
  if (excess !== null)
    return { kind: 'server-limit', limit: excess, what: excessMessages[excess](caps[excess]) };
  if (isLarge) yield;
  const read = parse(call, caps);
  return isSliced(read) ? yield* read : read;
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

function envelope(body: unknown, operation: OperationName, caps: ServerLimits): ReadBody {
  if (!isObject(body)) {
    return malformed([
      {
        pointer: '',
        message: `must be an object with an array "data", but is ${describe(body)}. Send ${sample(operation)}.`,
      },
    ]);
  }
  const { data } = body;
  if (data === undefined) {
    const hint = looksLikeParameters(body, operation)
      ? ' The parameters were sent without the envelope.'
      : slipHint(body);
    return malformed([
      { pointer: '/data', message: `is required, but missing.${hint} Send ${sample(operation)}.` },
    ]);
  }
  if (!Array.isArray(data)) {
    return malformed([
      {
        pointer: '/data',
        message: `must be an array of elements, but is ${describe(data)}. Send ${sample(operation)}.`,
      },
    ]);
  }
  if (data.length > caps.batchElements) {
    const what = `The batch has ${data.length} elements; this server processes at most ${caps.batchElements} in one call.`;
    return { kind: 'server-limit', limit: 'batchElements', what };
  }
  const elements: unknown[] = [];
  const violations: Violation[] = [];
  let unlisted = 0;
  const extra = new ExtraFields(caps.violations);
  extra.add(body, '');
  for (const [index, element] of data.entries()) {
    if (isElement(element)) {
      elements.push(element.data);
      extra.add(element, `/data/${index}`);
    } else if (violations.length < caps.violations) violations.push(wrongElement(element, index, operation));
    else unlisted += 1;
  }
  return violations.length > 0 ? malformed(violations, unlisted) : { elements, extra: extra.violations };
}

/** Collects the fields of the envelope that the specification does not have. */
class ExtraFields {
  readonly violations: Violation[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(part: Readonly<Record<string, unknown>>, pointer: string): void {
    for (const name in part)
      if (name !== 'data' && this.violations.length < this.#max)
        this.violations.push({
          pointer: pointerTo(pointer, name),
          message: 'is not a known field. Known here: data.',
        });
  }
}

function isElement(value: unknown): value is { readonly data: Readonly<Record<string, unknown>> } {
  return isObject(value) && isObject(value['data']);
}

function wrongElement(element: unknown, index: number, operation: OperationName): Violation {
  const pointer = `/data/${index}`;
  if (!isObject(element))
    return { pointer, message: `must be an object with an object "data", but is ${describe(element)}.` };
  const { data } = element;
  if (data !== undefined)
    return { pointer: `${pointer}/data`, message: `must be an object, but is ${describe(data)}.` };
  const hint = looksLikeParameters(element, operation)
    ? ' The parameters were sent without the inner "data": wrap them as { "data": { … } }.'
    : slipHint(element) || strayHint(element);
  return { pointer: `${pointer}/data`, message: `is required, but missing.${hint}` };
}

/** Returns a hint if an object without "data" has a field that is likely meant for it. */
function slipHint(part: Readonly<Record<string, unknown>>): string {
  const slip = firstUnknown(part, []).find((name) => closest(name, ['data']) !== undefined);
  return slip === undefined ? '' : ` You sent ${quoted(slip)}: did you mean "data"?`;
}

/** Returns what to do about an element without "data", which may have other fields. */
function strayHint(element: Readonly<Record<string, unknown>>): string {
  const [first] = Object.keys(element);
  return first === undefined
    ? ' If there are no parameters, send { "data": {} }.'
    : ` It has ${quoted(first)}: parameters belong in "data".`;
}

function looksLikeParameters(value: Readonly<Record<string, unknown>>, operation: OperationName): boolean {
  const known = operationFacts[operation].parameters;
  return Object.keys(value).some((name) => Object.hasOwn(known, name));
}

function sample(operation: OperationName): string {
  const [first] = Object.keys(operationFacts[operation].parameters);
  return first === undefined ? '{"data":[{"data":{}}]}' : `{"data":[{"data":{"${first}":…}}]}`;
}

/** Accepts `application/json` with or without parameters. JSON is UTF-8 (RFC 8259), so no other charset is. */
function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) return false;
  const charset = /;\s*charset\s*=\s*("[^"]*"|[^\s;]*)/i.exec(type)?.[1];
  return charset === undefined || /^"?utf-?8"?$/i.test(charset);
}

function malformed(violations: readonly Violation[], unlisted = 0): MalformedBody {
  return { kind: 'malformed', violations, unlisted };
}

function notJson(message: string): MalformedBody {
  return { kind: 'not-json', violations: [{ pointer: '', message }], unlisted: 0 };
}
