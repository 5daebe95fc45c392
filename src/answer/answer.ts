import { operationFacts } from '../contract/generated/facts.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { authenticate } from './authenticate.ts';
import { maxBodyBytes } from './body-size.ts';
import type { Call, Held, Reply } from './call.ts';
import { CallContext } from './call-context.ts';
import { injectFault } from './inject-fault.ts';
import { noInjection, applyFaults, type Injection } from './injection.ts';
import { lastResort } from './last-resort.ts';
import {
  GivenUpError,
  heldUp,
  inSlices,
  nextSlice,
  NoRoomError,
  pause,
  turnOf,
  undisturbed,
  type Course,
  type Resumption,
} from './hold-up.ts';
import { readBatch, sizeOf, unreadBody, type ReadBody } from './read-batch.ts';
import { appendToJournal } from './journal-entry.ts';
import { Refusal } from './refusal.ts';
import { noReply, respond } from './respond.ts';
import { run, type Decision } from './run.ts';
import { noRoom } from './server-limit.ts';
import { throttle } from './throttle.ts';
import { validate } from './validate.ts';
import { tell, type Witness } from './witness.ts';

/** Answers one call, from its key to its place in the journal. Never throws: what fails inside the sandbox is answered as well. */
export function answer(call: Call, sandboxes: Sandboxes, witness: Witness): Reply | Held {
  const context = new CallContext(call, sandboxes);
  context.sandbox.callsInFlight += 1;
  return proceed(context, courseOf(context, witness));
}

/** Takes a call on to its next pause, or to its reply. */
function proceed(context: CallContext, course: Course<Reply>, resumption?: Resumption): Reply | Held {
  const step = course.next(resumption);
  if (step.done === true) return settled(context, step.value);
  const { wait, movesOn, isAbandonable } = step.value;
  if (!context.reserveWaiting({ isRequired: !isAbandonable })) return proceed(context, course, 'no room');
  const resume = (): Reply | Held => {
    if (movesOn) context.goOn();
    return proceed(context, course);
  };
  return { wait, resume, abandon: isAbandonable ? () => void proceed(context, course, 'client gone') : null };
}

/** A reply that holds much memory says when it holds it no more. */
function settled(context: CallContext, reply: Reply): Reply {
  context.releaseWaiting();
  context.sandbox.callsInFlight -= 1;
  if (context.reservedBytes === 0) return reply;
  if (reply.body.length >= context.reservedBytes) return { ...reply, release: () => context.releaseReserved() };
  context.releaseReserved();
  return reply;
}

/** Replies of more bytes take some milliseconds to store, and to send. */
const largeBytes = 4 * 1024 * 1024;

/** The life of one call. */
function* courseOf(context: CallContext, witness: Witness): Course<Reply> {
  const started = stopwatch();
  let injection = noInjection;
  try {
    const batch = yield* inSlices(context, readBody(context));
    const entry = yield* inSlices(context, enter(context, batch));
    injection = entry.injection;
    const { before, after } = injection.waits;
    if (before > 0) yield* pause(heldUp(context, before));
    const { answered, ran } = entry.school === null ? entry : yield* work(context, entry, batch);
    const whole = respond(context, answered, entry.headers, sizeOf(batch));
    const reply = injection === noInjection ? whole : yield* inSlices(context, applyFaults(context, injection, answered, whole));
    // Storing and sending so much text take a slice each. What took effect is stored, even if its client goes away.
    const isLarge = reply.body.length > largeBytes;
    if (isLarge) yield nextSlice(context, false);
    tell(witness, context, appendToJournal(context, { answered, ran, injection, started }, reply));
    if (isLarge) yield nextSlice(context, false);
    if (after > 0) yield heldUp(context, after);
    return reply;
  } catch (error) {
    if (error instanceof NoRoomError) {
      const refusal = noRoom(context.sandbox.caps, 'waitingCallsBytes');
      const reply = respond(context, refusal, none, 0);
      tell(witness, context, appendToJournal(context, { answered: refusal, ran: refusal, injection: noInjection, started }, reply));
      return reply;
    }
    if (!(error instanceof GivenUpError)) return lastResort(context, error, { started, witness });
    const reply = noReply(context);
    tell(witness, context, appendToJournal(context, { answered: 'client-gone', ran: 'client-gone', injection, started }, reply));
    return reply;
  }
}

/** What became of a call at the door: it was let in, or, without a school, turned away. */
type Entry = Admitted | TurnedAway;

/** A call that was let in. */
interface Admitted {
  readonly school: School;
  /** What the limits add to the reply. */
  readonly headers: readonly string[];
  readonly injection: Injection;
}

/** A call that was turned away. */
interface TurnedAway {
  readonly school: null;
  readonly headers: readonly string[];
  readonly injection: Injection;
  readonly answered: Refusal;
  readonly ran: Refusal;
}

const none: readonly string[] = Object.freeze([]);

/** A body that is too large for its sandbox is not even parsed. */
function* readBody({ call, options, sandbox }: CallContext): SlicedWork<ReadBody> {
  const isTooLarge = call.bodyCutOff || call.bodyBytes > maxBodyBytes(options);
  return isTooLarge ? unreadBody : yield* readBatch(call, sandbox.caps);
}

/** The door: a call is let in or turned away. */
function* enter(context: CallContext, batch: ReadBody): SlicedWork<Entry> {
  const school = authenticate(context);
  if (school instanceof Refusal) return turnedAway(school, none);
  const headers = throttle(context, sizeOf(batch));
  if (headers instanceof Refusal) return turnedAway(headers, none);
  const injection = yield* injectFault(context, school, batch);
  return injection instanceof Refusal ? turnedAway(injection, headers) : { school, headers, injection };
}

function turnedAway(answered: Refusal, headers: readonly string[]): TurnedAway {
  return { school: null, headers, injection: noInjection, answered, ran: answered };
}

/** Validates and runs a call that was let in. */
function* work(context: CallContext, { school, injection }: Admitted, batch: ReadBody): Course<Decision> {
  if (injection.prevents) {
    const answered = injection.refusal ?? [];
    return { answered, ran: answered };
  }
  const valid = yield* inSlices(context, validate(context, batch, injection));
  yield* turnOf(context);
  if (valid instanceof Refusal) return { answered: injection.refusal ?? valid, ran: valid };
  const { answered, ran } = yield* runOf(context, run(context, school, valid, injection));
  return { answered: injection.refusal ?? answered, ran };
}

function runOf<T>(context: CallContext, running: SlicedWork<T>): Course<T> {
  return operationFacts[context.call.operation].writes ? undisturbed(context, running) : inSlices(context, running);
}
