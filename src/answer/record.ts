import { shortened } from '../sandbox/keys.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import type { Reply } from './call.ts';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import type { Outcome } from './run.ts';

/** Writes the exchange into its sandbox's journal. Returns the entry, which is put together only when somebody reads it. */
export function record(exchange: Exchange, answer: Refusal | readonly Outcome[], reply: Reply, started: number): () => JournalEntry {
  const { call, sandbox, school, now, requestId, assumed } = exchange;
  const durationMs = stopwatch() - started;
  const key = call.header('service-api-key');
  const { operation, address, body: request } = call;
  const { status, body: response } = reply;
  const outcomes = answer instanceof Refusal ? [] : answer.map(({ ok }) => (ok ? 'ok' : 'error'));
  const entry = (): JournalEntry => ({
    requestId,
    at: new Date(now).toISOString(),
    durationMs,
    operation,
    school: school?.slug ?? null,
    key: key === undefined ? null : shortened(key),
    address,
    status,
    outcome: answer instanceof Refusal ? answer.kind : outcomes.includes('error') ? 'element-error' : 'ok',
    outcomes,
    assumed,
    request,
    response,
  });
  sandbox.journal.record(entry, request.length + response.length);
  return entry;
}
