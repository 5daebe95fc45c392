import { stopwatch } from '../sandbox/clock.ts';
import type { KeptExchange } from '../sandbox/journal.ts';
import type { Reply } from './call.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

const none: readonly never[] = Object.freeze([]);

/** Writes the exchange into its sandbox's journal, before its reply leaves. `started` is when the answering began. */
export function record(exchange: Exchange, answer: Refusal | readonly Outcome[], reply: Reply, started: number): KeptExchange {
  const { call, sandbox, school } = exchange;
  const refused = answer instanceof Refusal;
  const kept = {
    requestId: exchange.requestId,
    at: exchange.now,
    durationMs: stopwatch() - started,
    operation: call.operation,
    school: school === null ? null : school.slug,
    key: exchange.shownKey,
    address: call.address,
    status: reply.status,
    refusal: refused ? answer.kind : null,
    elements: refused ? none : answer,
    assumed: exchange.assumed,
    request: call.body,
    response: reply.body,
  };
  sandbox.journal.record(kept);
  return kept;
}
