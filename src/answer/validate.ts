import { bodyStatuses, invalidParameterStatuses, malformedStatuses } from './statuses.ts';
import { fieldUse } from '../contract/field-use.ts';
import { isTypeOpen } from '../contract/variants.ts';
import { paragraph, type Violation } from '../base/violation.ts';
import type { CallContext } from './call-context.ts';
import { batchProcessing } from './batch-processing.ts';
import { inContractForms, inWordsOfOptions, noteForms } from './sent-forms.ts';
import type { Injection } from './injection.ts';
import { OperationFailed } from '../operations/shared/operation.ts';
import type { Batch, MalformedBody, ReadBody } from './envelope.ts';
import { Refusal } from './refusal.ts';
import { addHints, ignoredFields, withPlace } from './hints.ts';
import { beyondLimit } from './server-limit.ts';
import type { MaybeSliced, SlicedWork } from '../base/sliced-work.ts';
import { exceededSize, smallBodyBytes } from './body-size.ts';

const none: readonly Violation[] = Object.freeze([]);

/** One element to process, with the violations of its parameters. */
export interface Element {
  readonly parameters: unknown;
  /** JSON Pointer to the parameters in the body. */
  readonly pointer: string;
  readonly violations: readonly Violation[];
}

/** Valid elements, or the refusal of the call. */
type Validated = readonly Element[] | Refusal;

/**
 * Validates the envelope, then the parameters of each element that no fault prevents from being processed.
 */
export function validate(context: CallContext, read: ReadBody, injection: Injection): MaybeSliced<Validated> {
  const { caps } = context.sandbox;
  const exceeded = exceededSize(context);
  if (exceeded !== null) return refuseSize(context, exceeded);
  if ('limit' in read) return beyondLimit(caps, read.limit, read.what, 'Split it into several calls.');
  if ('violations' in read) return refuseBody(context, read.kind, read.violations, read.unlisted);
  if (read.extra.length > 0 && context.assume('unknownFields') === 'refuse')
    return refuseBody(context, 'malformed', read.extra);
  const wrongCount = checkCount(context, read.elements.length);
  if (wrongCount !== null) return wrongCount;

  const processed =
    batchProcessing(context, read.elements.length) === 'first-only'
      ? read.elements.slice(0, 1)
      : read.elements;
  if (processed.length > 1) return validateEach(context, read, processed.length, injection);
  return conclude(
    context,
    processed.map((_, index) => check(context, read, index, injection)),
  );
}

function* validateEach(
  context: CallContext,
  batch: Batch,
  count: number,
  injection: Injection,
): SlicedWork<Validated> {
  const elements: Element[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index > 0) yield;
    elements.push(check(context, batch, index, injection));
  }
  return conclude(context, elements);
}

/** Returns the elements, or the refusal for their violations. */
function conclude(context: CallContext, elements: readonly Element[]): Validated {
  if (elements.every((element) => element.violations.length === 0)) return elements;
  const violations = elements.flatMap((element) => element.violations);
  context.violations = violations.slice(0, context.sandbox.caps.violations);
  const answer = context.assume('invalidParameters');
  if (answer === 'element-error') return elements;
  return new Refusal('invalid-parameters', invalidParameterStatuses[answer], invalidParameters(violations), {
    violations: context.violations,
  });
}

/** Returns the message for invalid parameters. */
export function invalidParameters(violations: readonly Violation[]): string {
  return `The parameters are invalid. ${paragraph(violations)}`;
}

function refuseSize(context: CallContext, maxBytes: number): Refusal {
  // The server does not read such a body, so it does not know the number of elements.
  const message = `The body is larger than ${maxBytes} bytes. Send less per call: shorter values, or a part of the batch.`;
  return new Refusal('too-large', statusOf(context, bodyStatuses['too-large']), message);
}

function checkCount(context: CallContext, count: number): Refusal | null {
  const { assume } = context;
  if (count === 0 && assume('emptyBatch') === 'refuse') {
    return refuseBody(context, 'malformed', [
      { pointer: '/data', message: 'must have at least one element, but is empty.' },
    ]);
  }
  // Every option allows one element.
  const max = count > 1 ? assume('maxBatchSize') : 'none';
  if (max === 'none' || count <= Number(max)) return null;
  return refuseBody(context, 'malformed', [
    {
      pointer: '/data',
      message: `must have at most ${max} element${max === '1' ? '' : 's'}, but has ${count}.`,
    },
  ]);
}

/** Returns the status of a refused body. `own` replaces the status of a malformed one. */
function statusOf({ assume }: CallContext, own: number | null): Refusal['status'] {
  const status = malformedStatuses[assume('malformedBody')];
  return status === 'inside-body' ? status : (own ?? status);
}

function refuseBody(
  context: CallContext,
  kind: MalformedBody['kind'],
  violations: readonly Violation[],
  unlisted = 0,
): Refusal {
  context.violations = violations;
  const status = statusOf(context, kind === 'not-json' ? bodyStatuses[kind] : null);
  return new Refusal(kind, status, paragraph(violations, unlisted), { violations });
}

/** Adds a hint about a field of the element that runs and is not stored, or throws OperationFailed if it is refused. */
export function dropField(context: CallContext, pointer: string, why: string): void {
  if (context.assume('unknownFields') === 'refuse')
    throw new OperationFailed('invalid', pointer, `is ${why}`);
  const place = `${context.pointer}${pointer}`;
  const isKnown = context.hints.some((hint) => hint.pointer === place);
  if (!isKnown) addHints(context, () => [{ pointer: place, message: `was not stored: it is ${why}` }]);
}

function check(
  context: CallContext,
  { elements, extra }: Batch,
  index: number,
  { failures }: Injection,
): Element {
  const { call, checks, assume, options, sandbox } = context;
  const sent = elements[index];
  const pointer = `/data/${index}/data`;
  if (failures.get(index)?.phase === 'before') return { parameters: sent, pointer, violations: none };
  const parameters = inContractForms(context, sent);
  const thoroughness = call.bodyBytes > smallBodyBytes ? 'first' : 'every';
  const { violations: maxListed } = sandbox.caps;
  const wrong = checks[call.operation](parameters, pointer, thoroughness, maxListed);
  const found = inWordsOfOptions(context, wrong);
  noteForms(context, parameters, found);
  const violations = extra.length === 0 ? found : found.map((one) => withPlace(one, extra, pointer));
  const use = fieldUse(call.operation, parameters, isTypeOpen(options));
  if (use.omits) assume('requiredFields');
  const isIgnored = (use.adds && assume('unknownFields') === 'ignore') || extra.length > 0;
  if (isIgnored && violations.length === 0)
    addHints(context, () => ignoredFields(context, parameters, extra, pointer));
  return { parameters, pointer, violations };
}
