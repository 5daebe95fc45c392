import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { pause } from '../support/crash-load.ts';
import { quiz } from '../support/demo.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { unassignedPort } from '../support/ports.ts';
import { Postgres } from '../support/postgres.ts';
import { supertest } from '../support/supertest.ts';
import { startReplica } from './replica.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await Postgres.start();
});
afterAll(() => postgres.end());

interface Seen {
  readonly ids: string[];
  /** The events that are not calls. */
  readonly others: string[];
  connections: number;
}

/** Follows a journal as browsers do: after an interruption, it continues after the last event. */
function follow(url: string, id: string): { readonly seen: Seen; stop(): void } {
  const seen: Seen = { ids: [], others: [], connections: 0 };
  const over = new AbortController();
  const read = async (): Promise<void> => {
    const last = seen.ids.at(-1);
    const headers = { Accept: 'text/event-stream', ...(last === undefined ? {} : { 'Last-Event-ID': last }) };
    const response = await fetch(`${url}/control/sandboxes/${id}/journal/stream`, {
      headers,
      signal: over.signal,
    });
    if (response.status !== 200 || response.body === null) return;
    seen.connections += 1;
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, eventId] = /^id: (.*)$/m.exec(event) ?? [];
        if (eventId !== undefined) seen.ids.push(eventId);
        else if (/^event: /m.test(event)) seen.others.push(event);
      }
    }
  };
  void (async () => {
    while (!over.signal.aborted) {
      await read().catch(() => {});
      await pause(20);
    }
  })();
  const stop = (): void => over.abort();
  onTestFinished(stop);
  return { seen, stop };
}

/** Sends calls one after another until it is stopped. */
function call(url: string, key: string): () => Promise<number> {
  const over = new AbortController();
  let count = 0;
  const isAnswered = async (): Promise<boolean> => {
    try {
      const reply = await fetch(`${url}/public/get-quiz-details`, {
        method: 'POST',
        headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ data: [{ data: { quizId: quiz.id } }] }),
      });
      await reply.text();
      return reply.ok;
    } catch {
      return false;
    }
  };
  const calling = (async () => {
    while (!over.signal.aborted) {
      if (await isAnswered()) count += 1;
      await pause(3);
    }
  })();
  return async () => {
    over.abort();
    await calling;
    return count;
  };
}

describe('who follows a journal', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'gets each entry once, in order and without a gap, while owners end by %s',
    { timeout: 180_000 },
    async (signal) => {
      const data = await postgres.database();
      const ports = [await unassignedPort(), await unassignedPort(), await unassignedPort()];
      const start = (port: number) => startReplica(data, ['--limits', 'off'], port);
      const programs = await Promise.all(ports.map(start));
      const url = `http://127.0.0.1:${await startHaproxy(ports)}`;
      await supertest(url).post('/control/sandboxes').send({ id: 'followed' }).expect(201);
      const { seen, stop } = follow(url, 'followed');
      const stopCalls = call(url, 'sbx_followed_riverside');
      for (let round = 0; round < 6; round += 1) {
        const before = seen.ids.length;
        await expect.poll(() => seen.ids.length, { timeout: 30_000 }).toBeGreaterThan(before + 30);
        await pause(Math.random() * 200);
        const at = round % ports.length;
        await programs[at]?.stop(signal);
        programs[at] = await start(ports[at] ?? 0);
      }
      const count = await stopCalls();
      const { body } = await supertest(url).get('/control/sandboxes/followed/journal?limit=2000').expect(200);
      const { entries } = body as { readonly entries: readonly { readonly requestId: string }[] };
      const journal = entries.map(({ requestId }) => requestId);
      await expect.poll(() => seen.ids.at(-1), { timeout: 10_000 }).toBe(journal.at(-1));
      stop();

      expect(seen.others).toEqual([]);
      // What was stored is in the journal of each later owner, so nobody has seen what is lost.
      expect(seen.ids.slice(-journal.length)).toEqual(journal.slice(-seen.ids.length));
      expect(seen.ids).toEqual([...new Set(seen.ids)]);
      process.stdout.write(`${count} calls, ${seen.ids.length} events on ${seen.connections} connections\n`);
    },
  );
});
