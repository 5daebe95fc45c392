import { stopwatch } from '../sandbox/clock.ts';
import type { KeptExchange } from '../sandbox/journal.ts';
import type { Reply } from './call.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

const none: readonly never[] = Object.freeze([]);

/** What most calls come to; thousands of exchanges are kept, so it is worth sharing. */
const oneOk: KeptExchange['elements'] = Object.freeze([Object.freeze({ ok: true })]);

/** Writes the exchange into its sandbox's journal, before its reply leaves. `started` is when the answering began. */
export function record(exchange: Exchange, answer: Refusal | readonly Outcome[], reply: Reply, started: number): KeptExchange {
  const { call, sandbox, school } = exchange;
  const refused = answer instanceof Refusal;
  const kept = {
    sandboxId: sandbox.id,
    number: exchange.number,
    at: exchange.now,
    durationUs: Math.round((stopwatch() - started) * 1000),
    operation: call.operation,
    school: school === null ? null : school.slug,
    key: exchange.shownKey,
    address: call.address,
    status: reply.status,
    refusal: refused ? answer.kind : null,
    elements: refused ? none : answer.length === 1 && answer[0]?.ok === true ? oneOk : answer.map(({ ok }) => ({ ok })),
    assumed: exchange.assumed.length === 0 ? none : exchange.assumed,
    request: call.body,
    response: reply.body,
  };
  sandbox.journal.record(kept);
  return kept;
}
