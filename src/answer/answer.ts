import { operationFacts } from '../contract/generated/facts.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { School } from '../sandbox/sandbox.ts';
import { isSliced, type MaybeSliced, type SlicedWork } from '../base/sliced-work.ts';
import { authenticate } from './authenticate.ts';
import { isLarge } from './body-size.ts';
import type { Call, Held, Reply } from './call.ts';
import { CallContext } from './call-context.ts';
import { injectFault, mayInject } from './inject-fault.ts';
import { noInjection, applyFaults, type Injection } from './injection.ts';
import { lastResort } from './last-resort.ts';
import {
  delaysOf,
  endStep,
  GivenUpError,
  heldUp,
  inSlices,
  nextSlice,
  pause,
  turnOf,
  undisturbed,
  type Course,
  type Resumption,
} from './hold-up.ts';
import type { ReadBody } from './envelope.ts';
import { sizeOf } from './read-batch.ts';
import { readBody } from './read-body.ts';
import { appendToJournal, searchForKey } from './journal-entry.ts';
import { Refusal } from './refusal.ts';
import { isSafe, keepCounts, unsafe } from './keep.ts';
import { noReply, respond } from './respond.ts';
import { run, type Decision } from './run.ts';
import { noRoom, NoRoomError, tooManyCalls } from './server-limit.ts';
import { throttle } from './throttle.ts';
import { validate } from './validate.ts';
import { notify, type Witness } from './witness.ts';

/**
 * Processes one call, from its key to its journal entry. It has no effect if `isLeft`: its client has disconnected.
 * Never throws: if the sandbox fails, it returns a reply with status 500.
 */
export function answer(call: Call, sandboxes: Sandboxes, witness: Witness, isLeft = false): Reply | Held {
  const context = new CallContext(call, sandboxes);
  context.sandbox.begin();
  return proceed(context, courseOf(context, witness, isLeft));
}

/** Continues a call until its next pause or its reply. */
function proceed(context: CallContext, course: Course<Reply>, resumption?: Resumption): Reply | Held {
  const step = course.next(resumption);
  if (step.done === true) return settle(context, step.value);
  const { wait, updatesTime, isAbandonable } = step.value;
  context.isInterrupted = true;
  if (!context.reserveWaiting({ isRequired: !isAbandonable })) return proceed(context, course, 'no room');
  const resume = (): Reply | Held => {
    if (updatesTime) context.updateTime();
    return proceed(context, course);
  };
  return {
    wait,
    resume,
    abandon: isAbandonable ? () => drop(proceed(context, course, 'client gone')) : null,
  };
}

/** Frees what a reply holds if nobody receives it. */
function drop(answered: Reply | Held): void {
  if ('resume' in answered) return;
  answered.release?.();
  answered.faultyDelivery?.finish();
  answered.delivered?.(true);
}

/**
 * Returns the finished reply. `release` frees the memory reserved for it, if any. If a fault delivers the reply slowly,
 * the sandbox counts as in use until the end.
 */
function settle(context: CallContext, reply: Reply): Reply {
  if (reply.faultyDelivery !== undefined) {
    const faultyDelivery = held(context, reply.faultyDelivery, reply.body.length);
    return { ...reply, ...releasing(context, reply), faultyDelivery, delivered: deliveryOf(context) };
  }
  context.releaseWaiting();
  context.sandbox.finish();
  if (context.reservedBytes === 0 && !context.isInterrupted) return reply;
  return { ...reply, ...releasing(context, reply), delivered: deliveryOf(context) };
}

/** Counts a call as in progress until a slow delivery ends. */
function held(
  context: CallContext,
  faulty: NonNullable<Reply['faultyDelivery']>,
  bytes: number,
): NonNullable<Reply['faultyDelivery']> {
  context.holdReply(bytes);
  return {
    ...faulty,
    finish: () => {
      faulty.finish();
      context.releaseWaiting();
    },
  };
}

/**
 * Returns a function that frees the memory of a large reply. Frees the reservation of a small one at once.
 */
function releasing(context: CallContext, reply: Reply): Pick<Reply, 'release'> {
  if (context.reservedBytes > 0 && reply.body.length >= context.reservedBytes)
    return { release: () => context.releaseReserved() };
  context.releaseReserved();
  return {};
}

/** Replies larger than this take some milliseconds to store and to send. */
const largeBytes = 4 * 1024 * 1024;

/** Returns a function that records in the journal how the delivery of a reply ended. */
function deliveryOf({ journaled }: CallContext): (isLeft: boolean) => void {
  return (isLeft) => {
    // A call that ended before it had an effect is recorded with its own outcome.
    if (journaled !== null && journaled.refusal !== 'client-gone')
      journaled.delivery = { endedMs: stopwatch(), isLeft };
  };
}

/** The life cycle of one call. */
function* courseOf(context: CallContext, witness: Witness, isLeft: boolean): Course<Reply> {
  const started = stopwatch();
  let injection = noInjection;
  try {
    if (isLeft) throw new GivenUpError();
    const reading = readBody(context);
    const batch = isSliced(reading) ? yield* inSlices(context, reading) : reading;
    if (isLarge(context.call)) yield* inSlices(context, searchForKey(context));
    const entering = enter(context, batch);
    const entry = isSliced(entering) ? yield* inSlices(context, entering) : entering;
    injection = entry.injection;
    yield* endStep(context);
    const { before, after } = delaysOf(context, injection);
    // It may hold the reply back for a long time.
    if (injection.changes.length > 0 && !context.reserveWaiting({ isRequired: false }))
      throw new NoRoomError('waitingCallsBytes');
    if (before > 0) yield* pause(heldUp(context, before));
    const decided: Decision = entry.school === null ? entry : yield* work(context, entry, batch);
    const waits = keepCounts(context);
    const { ran } = decided;
    const answered = waits && !(yield* isSafe(context)) ? unsafe(context) : decided.answered;
    const whole = respond(context, answered, entry.headers, sizeOf(batch));
    const reply =
      injection === noInjection
        ? whole
        : yield* inSlices(context, applyFaults(context, injection, answered, whole));
    // Storing and sending a large reply take a slice each. Changes are stored even if the client disconnects.
    const isLargeReply = reply.body.length > largeBytes;
    if (isLargeReply) yield nextSlice(context, false);
    notify(witness, context, appendToJournal(context, { answered, ran, injection, started }, reply));
    if (isLargeReply) yield nextSlice(context, false);
    if (after > 0) yield heldUp(context, after);
    return reply;
  } catch (error) {
    const early = endedEarly(context, error, injection);
    if (early === null) return lastResort(context, error, { started, witness });
    const outcome = { ...early, ran: early.answered, started };
    notify(witness, context, appendToJournal(context, outcome, early.reply));
    keepCounts(context);
    return early.reply;
  }
}

/** The outcome of a call that ended before it had an effect. Null for any other error. */
function endedEarly(context: CallContext, error: unknown, injection: Injection) {
  if (error instanceof GivenUpError)
    return { answered: 'client-gone', injection, reply: noReply(context) } as const;
  if (!(error instanceof NoRoomError)) return null;
  const answered = noRoom(error.limit, context.shortageOf(error.limit));
  return { answered, injection: noInjection, reply: respond(context, answered, none, 0) };
}

/** Whether a call may run. */
type Entry = Admitted | Refused;

/** A call that may run. */
interface Admitted {
  readonly school: School;
  /** The rate-limit headers of the reply. */
  readonly headers: readonly string[];
  readonly injection: Injection;
}

/** A call that was refused before its operation. */
interface Refused {
  readonly school: null;
  readonly headers: readonly string[];
  readonly injection: Injection;
  readonly answered: Refusal;
  readonly ran: Refusal;
}

const none: readonly string[] = Object.freeze([]);

/** Checks the key, the rate limit and the faults of a call. */
function enter(context: CallContext, batch: ReadBody): MaybeSliced<Entry> {
  const school = authenticate(context);
  if (school instanceof Refusal) return refused(school, none);
  const { quotas } = context.sandbox;
  if (!quotas.calls.admit()) return refused(tooManyCalls(quotas.caps), none);
  const headers = throttle(context, sizeOf(batch));
  if (headers instanceof Refusal) return refused(headers, none);
  return mayInject(context)
    ? enterInjected(context, { school, headers, batch })
    : { school, headers, injection: noInjection };
}

/** Selects the faults of a call that has a key and is within its rate limit. */
function* enterInjected(
  context: CallContext,
  { school, headers, batch }: Pick<Admitted, 'school' | 'headers'> & { readonly batch: ReadBody },
): SlicedWork<Entry> {
  const injection = yield* injectFault(context, school, batch);
  return injection instanceof Refusal ? refused(injection, headers) : { school, headers, injection };
}

function refused(answered: Refusal, headers: readonly string[]): Refused {
  return { school: null, headers, injection: noInjection, answered, ran: answered };
}

/** Validates and runs an admitted call. */
function* work(context: CallContext, { school, injection }: Admitted, batch: ReadBody): Course<Decision> {
  if (injection.prevents) {
    const answered = injection.refusal ?? [];
    return { answered, ran: answered };
  }
  const validating = validate(context, batch, injection);
  const valid = isSliced(validating) ? yield* inSlices(context, validating) : validating;
  yield* endStep(context);
  yield* turnOf(context);
  if (valid instanceof Refusal) return { answered: injection.refusal ?? valid, ran: valid };
  const { answered, ran } = yield* isolate(context, run(context, school, valid, injection));
  return { answered: injection.refusal ?? answered, ran };
}

/** Writing operations need exclusive access to the state. */
function isolate<T>(context: CallContext, running: SlicedWork<T>): Course<T> {
  return operationFacts[context.call.operation].writes
    ? undisturbed(context, running)
    : inSlices(context, running);
}
