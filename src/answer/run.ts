import { unknownIdStatuses } from './statuses.ts';
import { operationFacts } from '../contract/generated/facts.ts';
import { missingParameterHint } from '../contract/near-misses.ts';
import type { OperationName } from '../contract/operation-types.ts';
import { operations } from '../operations/index.ts';
import type { InjectedFailure } from '../faults/fault.ts';
import { BeyondLimitError } from '../operations/shared/beyond-limit.ts';
import { missingMessage, OperationFailed, type Services } from '../operations/shared/operation.ts';
import { ListTooLongError, type Views } from '../sandbox/views.ts';
import { isSliced, type SlicedWork } from '../base/sliced-work.ts';
import { sentence, type Violation } from '../base/violation.ts';
import type { WireText } from '../base/wire-text.ts';
import type { School } from '../sandbox/sandbox.ts';
import { StorageError } from '../sandbox/ledger.ts';
import { keepChanges, notStored } from './keep.ts';
import { StateCapacityError } from '../sandbox/state-memory.ts';
import { onUnknownId } from '../sandbox/unknown-id.ts';
import { batchProcessing } from './batch-processing.ts';
import type { CallContext } from './call-context.ts';
import type { ElementFailure, Injection } from './injection.ts';
import { Refusal } from './refusal.ts';
import { servicesFor } from './services.ts';
import { ReplySize } from './reply-size.ts';
import { beyondFixedLimit, noRoom, NoRoomError, noStateRoom } from './server-limit.ts';
import { UnknownIds } from './unknown-ids.ts';
import { invalidParameters, type Element } from './validate.ts';

/** The outcome of one element: the JSON of its result, or its failure. */
export type Outcome =
  { readonly ok: true; readonly text: WireText } | { readonly ok: false; readonly failure: ElementError };

/** The failure of one element. `violation` says where in the body an operation found its cause. */
export interface ElementError extends InjectedFailure {
  readonly violation?: Violation;
}

/** The reply to a call, and the outcome of its operation, which faults may hide from the client. */
export interface Decision {
  readonly answered: Refusal | readonly Outcome[];
  readonly ran: Refusal | readonly Outcome[];
}

/**
 * Runs the operation for each element, in order. Rolls back changes, if an assumption or a fault requires it,
 * before other calls see them.
 */
export function* run(
  context: CallContext,
  school: School,
  elements: readonly Element[],
  injection: Injection,
): SlicedWork<Decision> {
  const views = context.sandbox.views.from(context.call.origin, context.options.responseFields);
  const unknownIds = UnknownIds.of(context, school);
  const size = new ReplySize(
    context,
    injection.changes.some((change) => change.of === 'outputs') ? 'editedReplyBytes' : 'replyBytes',
    elements.length,
  );
  const services = servicesFor(context, school, { views, grow: size.grow }, unknownIds);
  const batch: BatchRun = {
    context,
    elements,
    injection,
    size,
    tools: { services, views, unknownIds },
    outcomes: [],
    refusal: null,
    isKept: true,
  };
  // Reads need no rollback, and other calls may change the state while a read is interrupted.
  try {
    yield* operationFacts[context.call.operation].writes
      ? context.state.attempt(runElements(batch), (changes) => keepChanges(context, changes))
      : runElements(batch);
  } catch (error) {
    if (error instanceof ListTooLongError) batch.refusal = size.refusal();
    else if (error instanceof NoRoomError)
      batch.refusal = noRoom(error.limit, context.shortageOf(error.limit));
    else if (error instanceof StateCapacityError) batch.refusal = noStateRoom(context.sandbox.caps, error);
    else if (error instanceof StorageError) batch.refusal = notStored(error);
    else if (error instanceof BeyondLimitError) batch.refusal = beyondFixedLimit(error.message);
    else throw error;
  }
  const { outcomes, refusal, isKept } = batch;
  if (refusal !== null) return { answered: refusal, ran: refusal };
  const reported = isKept ? outcomes : outcomes.map((outcome) => (outcome.ok ? undone : outcome));
  if (injection.failures.size === 0) return { answered: reported, ran: reported };
  const answered = failedAfter(context, reported, injection);
  // A refusal that a fault causes afterwards does not roll anything back.
  return { answered, ran: answered instanceof Refusal ? reported : answered };
}

/** The elements of a call, and their outcomes so far. */
interface BatchRun {
  readonly context: CallContext;
  readonly elements: readonly Element[];
  readonly injection: Injection;
  readonly size: ReplySize;
  readonly tools: ElementTools;
  readonly outcomes: Outcome[];
  refusal: Refusal | null;
  /** Whether the successful elements of the batch keep their changes. */
  isKept: boolean;
}

/**
 * Runs the elements. Returns false if their changes must be rolled back.
 *
 * Not a closure of `run`: V8 creates a hidden class, which outlives the call, for each closure that is a
 * generator function.
 */
function* runElements(batch: BatchRun): SlicedWork<boolean> {
  const { context, elements, injection, size, tools, outcomes } = batch;
  const processing = batchProcessing(context, elements.length);
  for (const element of elements) {
    if (outcomes.length > 0) yield;
    const failure = injection.failures.get(outcomes.length);
    const outcome =
      failure?.phase === 'before' ? failed(failure) : yield* runElement(context, tools, element);
    outcomes.push(outcome);
    batch.refusal = unknownIdentifier(context, outcome) ?? size.add(outcome);
    if (batch.refusal !== null) return false;
    if (!outcome.ok && processing === 'stop-at-first-error') return !injection.undoes;
  }
  batch.isKept = processing !== 'all-or-nothing' || outcomes.every(({ ok }) => ok);
  return batch.isKept && !injection.undoes;
}

/** Returns the outcomes after applying the faults with phase `after`. */
function failedAfter(
  context: CallContext,
  outcomes: readonly Outcome[],
  { failures }: Injection,
): readonly Outcome[] | Refusal {
  const reported: Outcome[] = [];
  for (const [number, outcome] of outcomes.entries()) {
    const failure = failures.get(number);
    const last = failure?.phase === 'after' ? failed(failure) : outcome;
    const refusal = unknownIdentifier(context, last);
    if (refusal !== null) return refusal;
    reported.push(last);
  }
  return reported;
}

function failed({ failure }: ElementFailure): Outcome {
  return { ok: false, failure };
}

const undone: Outcome = {
  ok: false,
  failure: {
    kind: 'conflict',
    message: 'Another element of the batch failed, so no element takes effect.',
  },
};

interface ElementTools {
  readonly services: Services;
  readonly views: Views;
  readonly unknownIds: UnknownIds | null;
}

function* runElement(
  context: CallContext,
  { services, views, unknownIds }: ElementTools,
  { parameters, pointer, violations }: Element,
): SlicedWork<Outcome> {
  if (violations.length > 0)
    return { ok: false, failure: { kind: 'invalid', message: invalidParameters(violations) } };
  context.pointer = pointer;
  try {
    unknownIds?.begin();
    const running = operations[context.call.operation](parameters, services);
    const result = isSliced(running) ? yield* running : running;
    unknownIds?.store();
    noteFields(context);
    return { ok: true, text: yield* views.writing(result) };
  } catch (error) {
    if (error instanceof OperationFailed)
      return { ok: false, failure: located(context.call.operation, error, { parameters, pointer }) };
    throw error;
  }
}

/** Lists the assumption about fields, unless the reply has all of them. */
function noteFields({ call, options, assume }: CallContext): void {
  if (options.responseFields !== 'all' && !operationFacts[call.operation].writes) assume('responseFields');
}

/** Puts the place of a failure in front of its message, and names the field that may be meant by a missing one. */
function located(
  operation: OperationName,
  { kind, pointer, message }: OperationFailed,
  { parameters, pointer: base }: Pick<Element, 'parameters' | 'pointer'>,
): ElementError {
  const hint = message === missingMessage ? missingParameterHint(operation, parameters, pointer) : '';
  const violation = { pointer: `${base}${pointer}`, message: `${message}${hint}` };
  return { kind, message: sentence(violation), violation };
}

function unknownIdentifier({ assume }: CallContext, outcome: Outcome): Refusal | null {
  if (outcome.ok || outcome.failure.kind !== 'not-found') return null;
  if (onUnknownId(assume) !== 'http-404') return null;
  const { message, violation } = outcome.failure;
  return new Refusal('unknown-id', unknownIdStatuses['http-404'], message, {
    violations: violation === undefined ? [] : [violation],
  });
}
