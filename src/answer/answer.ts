import { stopwatch } from '../sandbox/clock.ts';
import type { KeptExchange } from '../sandbox/journal-entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { School } from '../sandbox/sandbox.ts';
import { authenticate } from './authenticate.ts';
import type { Call, Held, Reply } from './call.ts';
import { Exchange } from './exchange.ts';
import { injectFault } from './inject-fault.ts';
import { noInjection, spoil, type Injection } from './injection.ts';
import { readBatch, type Batch, type MalformedBody } from './read-batch.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';
import { noReply, respond } from './respond.ts';
import { run, type Outcome } from './run.ts';
import { throttle } from './throttle.ts';
import { validate } from './validate.ts';

/** Who is told of each exchange after it was recorded, such as the log. */
export type Observer = (exchange: KeptExchange, error: unknown) => void;

/** Answers one call, from its key to its place in the journal. A fault may hold it up before its operation runs, or hold up its reply. */
export function answer(call: Call, sandboxes: Sandboxes, observe: Observer): Reply | Held {
  const started = stopwatch();
  const exchange = new Exchange(call, sandboxes.identify(call.header('service-api-key')));
  const batch = readBatch(call);
  const entry = guarded(exchange, () => enter(exchange, batch));
  const injection = 'school' in entry ? entry.injection : noInjection;
  const { before, after } = injection.waits;

  const finish = (): Reply => {
    const decision = 'school' in entry ? guarded(exchange, () => work(exchange, entry, batch)) : entry;
    const { answered, headers, ran, error } = decision;
    const whole = respond(exchange, answered, headers, sizeOf(batch));
    const spoilt = injection === noInjection ? whole : guarded(exchange, () => spoil(exchange, injection, answered, whole));
    const reply = 'answered' in spoilt ? respond(exchange, spoilt.answered, headers, sizeOf(batch)) : spoilt;
    const failure = 'answered' in spoilt ? spoilt.error : error;
    observe(record(exchange, { answered, ran: ran ?? answered, injection, started }, reply), failure);
    return reply;
  };
  const finishLate = (): Reply | Held => {
    const reply = finish();
    return after > 0 ? heldUp(exchange, after, () => reply) : reply;
  };
  if (before === 0) return after === 0 ? finish() : finishLate();
  const giveUp = (): void =>
    observe(record(exchange, { answered: 'client-gone', ran: 'client-gone', injection, started }, noReply(exchange)), undefined);
  return heldUp(exchange, before, finishLate, giveUp);
}

/** A call that was let in. */
interface Admitted {
  readonly school: School;
  /** What the limits add to the reply. */
  readonly headers: readonly string[];
  readonly injection: Injection;
}

/** What a call is answered with. */
interface Decision {
  readonly answered: Refusal | readonly Outcome[];
  readonly headers: readonly string[];
  /** What the operation came to, where a fault answers in its place. */
  readonly ran?: Refusal | readonly Outcome[];
  /** Something of ours that went wrong, for the log. */
  readonly error?: unknown;
}

const none: readonly string[] = Object.freeze([]);

/** The door: a call comes in, or is turned away. */
function enter(exchange: Exchange, batch: Batch | MalformedBody): Admitted | Decision {
  const school = authenticate(exchange);
  if (school instanceof Refusal) return { answered: school, headers: none };
  const headers = throttle(exchange, sizeOf(batch));
  if (headers instanceof Refusal) return { answered: headers, headers: none };
  const injection = injectFault(exchange, school, batch);
  if (injection instanceof Refusal) return { answered: injection, headers };
  return { school, headers, injection };
}

/** What comes of a call that was let in. */
function work(exchange: Exchange, { school, headers, injection }: Admitted, batch: Batch | MalformedBody): Decision {
  if (injection.prevents) return { answered: injection.refusal ?? [], headers };
  const valid = validate(exchange, batch, injection);
  const ran = valid instanceof Refusal ? valid : run(exchange, school, valid, injection);
  return { answered: injection.refusal ?? ran, headers, ran };
}

/** Whatever goes wrong inside the sandbox is answered too. */
function guarded<T>(exchange: Exchange, step: () => T): T | Decision {
  try {
    return step();
  } catch (error) {
    const message = `The sandbox failed at this call; it is a defect of the sandbox. Report it with the request id ${exchange.requestId}.`;
    return { answered: new Refusal('internal-error', 500, message), headers: none, error };
  }
}

function sizeOf(batch: Batch | MalformedBody): number {
  return 'elements' in batch ? batch.elements.length : 0;
}

function heldUp(exchange: Exchange, waitMs: number, next: () => Reply | Held, abandon = (): void => {}): Held {
  const resume = (): Reply | Held => {
    exchange.goOn();
    return next();
  };
  return { wait: (callback) => exchange.sandbox.clock.wait(waitMs, callback), resume, abandon };
}
