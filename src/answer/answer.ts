import { stopwatch } from '../sandbox/clock.ts';
import type { KeptExchange } from '../sandbox/journal.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { authenticate } from './authenticate.ts';
import type { Call, Reply } from './call.ts';
import { Exchange } from './exchange.ts';
import { readBatch, type Batch, type MalformedBody } from './read-batch.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';
import { respond } from './respond.ts';
import { run, type Outcome } from './run.ts';
import { throttle } from './throttle.ts';
import { validate } from './validate.ts';

/** Who is told of each exchange after it was recorded, such as the log. */
export type Observer = (exchange: KeptExchange, error: unknown) => void;

/** Answers one call, from its key to its place in the journal. */
export function answer(call: Call, sandboxes: Sandboxes, observe: Observer): Reply {
  const started = stopwatch();
  const exchange = new Exchange(call, sandboxes.identify(call.header('service-api-key')));
  const batch = readBatch(call);
  const elements = 'elements' in batch ? batch.elements.length : 0;
  const { answered, headers, error } = decide(exchange, batch, elements);
  const reply = respond(exchange, answered, headers, elements);
  observe(record(exchange, answered, reply, started), error);
  return reply;
}

interface Decision {
  readonly answered: Refusal | readonly Outcome[];
  /** What the limits add to the reply. */
  readonly headers: readonly string[];
  /** Something of ours that went wrong, for the log. */
  readonly error?: unknown;
}

function decide(exchange: Exchange, batch: Batch | MalformedBody, elements: number): Decision {
  try {
    const school = authenticate(exchange);
    if (school instanceof Refusal) return { answered: school, headers: [] };
    const headers = throttle(exchange, elements);
    if (headers instanceof Refusal) return { answered: headers, headers: [] };
    const valid = validate(exchange, batch);
    return { answered: valid instanceof Refusal ? valid : run(exchange, school, valid), headers };
  } catch (error) {
    const message = `The sandbox failed at this call; it is a defect of the sandbox. Report it with the request id ${exchange.requestId}.`;
    return { answered: new Refusal('internal-error', 500, message), headers: [], error };
  }
}
