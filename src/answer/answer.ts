import { operationFacts } from '../contract/generated/facts.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { School } from '../sandbox/sandbox.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { authenticate } from './authenticate.ts';
import { maxBodyBytes } from './body-size.ts';
import type { Call, Held, Reply } from './call.ts';
import { Exchange } from './exchange.ts';
import { injectFault } from './inject-fault.ts';
import { noInjection, spoil, type Injection } from './injection.ts';
import { lastResort } from './last-resort.ts';
import { GivenUpError, heldUp, inSlices, nextSlice, pause, turnOf, undisturbed, type Course, type Resumption } from './pause.ts';
import { readBatch, sizeOf, unreadBody, type ReadBody } from './read-batch.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';
import { noReply, respond } from './respond.ts';
import { run, type Decision } from './run.ts';
import { throttle } from './throttle.ts';
import { validate } from './validate.ts';
import { tell, type Witness } from './witness.ts';

/** Answers one call, from its key to its place in the journal. Never throws: what fails inside the sandbox is answered as well. */
export function answer(call: Call, sandboxes: Sandboxes, witness: Witness): Reply | Held {
  const exchange = new Exchange(call, sandboxes);
  exchange.sandbox.callsInFlight += 1;
  return proceed(exchange, courseOf(exchange, witness));
}

/** Takes a call on to its next pause, or to its reply. */
function proceed(exchange: Exchange, course: Course<Reply>, resumption?: Resumption): Reply | Held {
  const step = course.next(resumption);
  if (step.done === true) return settled(exchange, step.value);
  const { wait, movesOn, isAbandonable } = step.value;
  const resume = (): Reply | Held => {
    if (movesOn) exchange.goOn();
    return proceed(exchange, course);
  };
  return { wait, resume, abandon: isAbandonable ? () => void proceed(exchange, course, 'client gone') : null };
}

/** A reply that holds much memory says when it holds it no more. */
function settled(exchange: Exchange, reply: Reply): Reply {
  exchange.sandbox.callsInFlight -= 1;
  if (exchange.reservedBytes === 0) return reply;
  if (reply.body.length >= exchange.reservedBytes) return { ...reply, release: () => exchange.releaseReserved() };
  exchange.releaseReserved();
  return reply;
}

/** Replies of more bytes take some milliseconds to store, and to send. */
const largeBytes = 4 * 1024 * 1024;

/** The life of one call. */
function* courseOf(exchange: Exchange, witness: Witness): Course<Reply> {
  const started = stopwatch();
  let injection = noInjection;
  try {
    const batch = yield* inSlices(exchange, readBody(exchange));
    const entry = yield* inSlices(exchange, enter(exchange, batch));
    injection = entry.injection;
    const { before, after } = injection.waits;
    if (before > 0) yield* pause(heldUp(exchange, before));
    const { answered, ran } = entry.school === null ? entry : yield* work(exchange, entry, batch);
    const whole = respond(exchange, answered, entry.headers, sizeOf(batch));
    const reply = injection === noInjection ? whole : yield* inSlices(exchange, spoil(exchange, injection, answered, whole));
    // Storing and sending so much text take a slice each. What took effect is stored, even if its client goes away.
    const isLarge = reply.body.length > largeBytes;
    if (isLarge) yield nextSlice(exchange, false);
    tell(witness, exchange, record(exchange, { answered, ran, injection, started }, reply));
    if (isLarge) yield nextSlice(exchange, false);
    if (after > 0) yield heldUp(exchange, after);
    return reply;
  } catch (error) {
    if (!(error instanceof GivenUpError)) return lastResort(exchange, error, { started, witness });
    const reply = noReply(exchange);
    tell(witness, exchange, record(exchange, { answered: 'client-gone', ran: 'client-gone', injection, started }, reply));
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
function* readBody({ call, options, sandbox }: Exchange): SlicedWork<ReadBody> {
  const isTooLarge = call.bodyCutOff || call.bodyBytes > maxBodyBytes(options);
  return isTooLarge ? unreadBody : yield* readBatch(call, sandbox.caps);
}

/** The door: a call is let in or turned away. */
function* enter(exchange: Exchange, batch: ReadBody): SlicedWork<Entry> {
  const school = authenticate(exchange);
  if (school instanceof Refusal) return turnedAway(school, none);
  const headers = throttle(exchange, sizeOf(batch));
  if (headers instanceof Refusal) return turnedAway(headers, none);
  const injection = yield* injectFault(exchange, school, batch);
  return injection instanceof Refusal ? turnedAway(injection, headers) : { school, headers, injection };
}

function turnedAway(answered: Refusal, headers: readonly string[]): TurnedAway {
  return { school: null, headers, injection: noInjection, answered, ran: answered };
}

/** Validates and runs a call that was let in. */
function* work(exchange: Exchange, { school, injection }: Admitted, batch: ReadBody): Course<Decision> {
  if (injection.prevents) {
    const answered = injection.refusal ?? [];
    return { answered, ran: answered };
  }
  const valid = yield* inSlices(exchange, validate(exchange, batch, injection));
  yield* turnOf(exchange);
  if (valid instanceof Refusal) return { answered: injection.refusal ?? valid, ran: valid };
  const { answered, ran } = yield* runOf(exchange, run(exchange, school, valid, injection));
  return { answered: injection.refusal ?? answered, ran };
}

function runOf<T>(exchange: Exchange, running: SlicedWork<T>): Course<T> {
  return operationFacts[exchange.call.operation].writes ? undisturbed(exchange, running) : inSlices(exchange, running);
}
