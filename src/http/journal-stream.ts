import type { IncomingMessage, ServerResponse } from 'node:http';
import { after } from '../sandbox/clock.ts';
import { toEntry, type JournalEntry } from '../sandbox/journal-entry.ts';
import type { Journal } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A silent connection is taken for a dead one by some proxies. In milliseconds. */
const heartbeatMs = 15_000;

/** How many exchanges may wait for a client that reads slowly; then it is let go, and takes up where it left when it comes back. */
const mostWaiting = 4000;

/**
 * Sends a sandbox's exchanges as server-sent events, as they happen, beginning behind the one that `Last-Event-ID` names. Ends
 * where the client hangs up, or the server stops: `atStop` is what it does then.
 */
export function streamJournal(sandbox: Sandbox, request: IncomingMessage, response: ServerResponse, atStop: Set<() => void>): void {
  const { journal } = sandbox;
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') return void response.end();
  response.write(': exchanges, one event each\n\n');
  const waiting: string[] = missedSince(journal, request.headers['last-event-id']);
  const pump = (): void => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) if (!response.write(event)) return;
  };
  const end = (): void => void response.end();
  const tell = (event: string): void => {
    waiting.push(event);
    if (waiting.length > mostWaiting) response.destroy();
    else if (!response.writableNeedDrain) pump();
  };
  const stop = journal.listen({
    exchange: (kept) => tell(eventOf(toEntry(kept))),
    emptied: () => tell('event: emptied\ndata: {}\n\n'),
    ended: end,
  });
  let heartbeat = after(heartbeatMs, beat);
  function beat(): void {
    // Whoever watches a sandbox uses it.
    sandbox.touch();
    response.write(': still here\n\n');
    heartbeat = after(heartbeatMs, beat);
  }
  atStop.add(end);
  response.on('drain', pump);
  response.once('close', () => {
    atStop.delete(end);
    heartbeat.cancel();
    stop();
  });
  pump();
}

function eventOf(entry: JournalEntry): string {
  return `id: ${entry.requestId}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
}

/** What a client that was away has missed; whoever was away for too long is told that there was more than is left. */
function missedSince(journal: Journal, since: string | string[] | undefined): string[] {
  if (typeof since !== 'string' || since === '') return [];
  const { entries, evicted } = journal.page({ since });
  const gap = journal.get(since) === undefined ? [`event: gap\ndata: ${JSON.stringify({ evicted })}\n\n`] : [];
  return [...gap, ...entries.map(eventOf)];
}
