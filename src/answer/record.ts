import { stopwatch } from '../sandbox/clock.ts';
import type { KeptExchange } from '../sandbox/journal.ts';
import type { Reply } from './call.ts';
import type { Exchange } from './exchange.ts';
import type { Injection } from './injection.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

const none: readonly never[] = Object.freeze([]);

/** What most calls come to; thousands of exchanges are kept, so it is worth sharing. */
const oneOk: KeptExchange['elements'] = Object.freeze([Object.freeze({ ok: true })]);

/** What became of a call, for the journal. */
export interface Recorded {
  readonly answered: Refusal | readonly Outcome[] | 'client-gone';
  /** What the operation came to, whatever was answered. */
  readonly ran: Recorded['answered'];
  readonly injection: Injection;
  /** When the answering began. */
  readonly started: number;
}

/** Writes the exchange into its sandbox's journal, before its reply leaves. */
export function record(exchange: Exchange, { answered, ran, injection, started }: Recorded, reply: Reply): KeptExchange {
  const { call, sandbox, school } = exchange;
  const refusal = answered instanceof Refusal ? answered.kind : answered === 'client-gone' ? answered : null;
  const kept = {
    sandboxId: sandbox.id,
    number: exchange.number,
    at: exchange.arrivedAt,
    durationUs: Math.round((stopwatch() - started) * 1000),
    operation: call.operation,
    school: school === null ? null : school.slug,
    key: exchange.shownKey,
    address: call.address,
    status: reply.status,
    refusal,
    elements: elementsOf(ran, injection),
    faults: injection.faults,
    assumed: exchange.assumed.length === 0 ? none : exchange.assumed,
    request: call.body,
    response: reply.body,
  };
  sandbox.journal.record(kept);
  return kept;
}

function elementsOf(ran: Recorded['ran'], { undoes }: Injection): KeptExchange['elements'] {
  if (ran instanceof Refusal || ran === 'client-gone' || undoes) return none;
  return ran.length === 1 && ran[0]?.ok === true ? oneOk : ran.map(({ ok }) => ({ ok }));
}
