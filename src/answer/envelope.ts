import type { OperationName } from '../contract/operation-types.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { describe, pointerTo, quoted, type Violation } from '../base/violation.ts';
import { closest } from '../base/did-you-mean.ts';
import { firstUnknown } from '../contract/level-hints.ts';
import { isObject } from '../base/is-object.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import type { SlicedWork } from '../base/sliced-work.ts';

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

/** A body that exceeds a limit of this server. */
interface OversizedBody {
  readonly kind: 'server-limit';
  readonly limit: 'batchElements' | 'jsonValues' | 'objectFields';
  /** A sentence about what was received. */
  readonly what: string;
}

/** The result of reading the body of a call. */
export type ReadBody = Batch | MalformedBody | OversizedBody;

/** Reads the parsed envelope of a call. */
export function envelope(body: unknown, operation: OperationName, caps: ServerLimits): ReadBody {
  const data = elementsIn(body, operation, caps);
  if ('kind' in data) return data;
  const envelopes = new Envelopes(operation, caps.violations, body);
  for (const [index, element] of data.entries()) envelopes.open(element, index);
  return envelopes.opened;
}

/** As `envelope`: thousands of fields in each element take some milliseconds. */
export function* longEnvelope(
  body: unknown,
  operation: OperationName,
  caps: ServerLimits,
): SlicedWork<ReadBody> {
  const data = elementsIn(body, operation, caps);
  if ('kind' in data) return data;
  const envelopes = new Envelopes(operation, caps.violations, body);
  for (const [index, element] of data.entries()) {
    yield;
    envelopes.open(element, index);
  }
  return envelopes.opened;
}

/** Returns the members of the outer `data`, or why there are none. */
function elementsIn(
  body: unknown,
  operation: OperationName,
  caps: ServerLimits,
): readonly unknown[] | MalformedBody | OversizedBody {
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
  return data;
}

/** Opens the envelopes of the elements. */
class Envelopes {
  readonly #operation: OperationName;
  readonly #max: number;
  readonly #elements: unknown[] = [];
  readonly #violations: Violation[] = [];
  readonly #extra: ExtraFields;
  #unlisted = 0;

  constructor(operation: OperationName, max: number, body: unknown) {
    this.#operation = operation;
    this.#max = max;
    this.#extra = new ExtraFields(max);
    if (isObject(body)) this.#extra.add(body, '');
  }

  open(element: unknown, index: number): void {
    if (isElement(element)) {
      this.#elements.push(element.data);
      this.#extra.add(element, `/data/${index}`);
    } else if (this.#violations.length < this.#max)
      this.#violations.push(wrongElement(element, index, this.#operation));
    else this.#unlisted += 1;
  }

  get opened(): ReadBody {
    return this.#violations.length > 0
      ? malformed(this.#violations, this.#unlisted)
      : { elements: this.#elements, extra: this.#extra.violations };
  }
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

/** Returns an example of a body of an operation. */
export function sample(operation: OperationName): string {
  const [first] = Object.keys(operationFacts[operation].parameters);
  return first === undefined ? '{"data":[{"data":{}}]}' : `{"data":[{"data":{"${first}":…}}]}`;
}

/** Returns a body whose JSON is not the envelope. */
export function malformed(violations: readonly Violation[], unlisted = 0): MalformedBody {
  return { kind: 'malformed', violations, unlisted };
}
