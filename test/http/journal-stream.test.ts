import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox, type JournalEntry, type SandboxHandle } from '../../src/index.ts';
import { quiz } from '../support/demo.ts';
import { aQuiz, callText, openPlace, openWire, settled, stopRealTime } from '../support/wire.ts';
import { world } from '../support/world.ts';

interface Event {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
}

/** A listener to a sandbox's journal, as an EventSource is one. It is gone after the test. */
interface Listener {
  readonly response: Response;
  readonly events: readonly Event[];
  readonly comments: readonly string[];
  /** Waits until so many events have come. Rejects where the stream ends before. */
  until(events: number): Promise<readonly Event[]>;
  /** Waits until so many comments have come. */
  untilComments(comments: number): Promise<void>;
  /** Settles when the server ends the stream: whether in order. */
  readonly ended: Promise<'in order' | 'broken'>;
  hangUp(): void;
}

async function listen({ baseUrl, id }: SandboxHandle, lastEventId?: string): Promise<Listener> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(`${baseUrl}/control/sandboxes/${id}/journal/stream`, {
    headers: {
      Accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal: gone.signal,
  });
  const events: Event[] = [];
  const comments: string[] = [];
  let onMore: (() => void) | null = null;
  let isOver = false;
  const read = async (): Promise<'in order' | 'broken'> => {
    let text = '';
    try {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += piece;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const block = text.slice(0, end);
          if (block.startsWith(':')) comments.push(block.slice(1).trim());
          else events.push(eventFrom(block));
          text = text.slice(end + 2);
        }
        onMore?.();
      }
      return 'in order';
    } catch {
      return 'broken';
    } finally {
      isOver = true;
      onMore?.();
    }
  };
  const ended = read();
  const wait = (enough: () => boolean): Promise<void> =>
    new Promise((done, fail) => {
      onMore = () => {
        if (enough()) done();
        else if (isOver) fail(new Error(`The stream ended after ${events.length} events`));
      };
      onMore();
    });
  return {
    response,
    events,
    comments,
    until: async (number) => {
      await wait(() => events.length >= number);
      return events;
    },
    untilComments: (number) => wait(() => comments.length >= number),
    ended,
    hangUp: () => gone.abort(),
  };
}

/** The WHATWG's form: a field and its value per line. */
function eventFrom(block: string): Event {
  const fields = new Map(
    block
      .split('\n')
      .map(
        (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()] as const,
      ),
  );
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? null,
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}

const idsIn = (events: readonly Event[]): readonly (string | null)[] => events.map(({ id }) => id);

/** The ids that a sandbox gives to exchanges of these numbers. */
function idsOf({ id }: SandboxHandle, from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${id}-${from + index}`);
}

/** Lets everything that is on its way arrive. */
async function turns(number = 20): Promise<void> {
  for (let turn = 0; turn < number; turn += 1) await new Promise(setImmediate);
}

describe('the stream of the journal', () => {
  it('is one of server-sent events that nobody keeps or transforms', async () => {
    const { sandbox } = await world();
    const { response, untilComments } = await listen(sandbox);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    // A client knows at once that it is through, before anything has happened.
    await untilComments(1);
  });

  it('has one event per exchange as it happens: the request id, and the entry', async () => {
    const { sandbox, call } = await world();
    const { events, until } = await listen(sandbox);
    for (let number = 1; number <= 3; number += 1) {
      await call('get-quiz-details', { quizId: number === 2 ? 'größer\n\ndata: \u2028 than' : quiz.id });
      await until(number);
      expect(idsIn(events)).toEqual(idsOf(sandbox, 1, number));
    }
    expect(events.map(({ event, data }) => ({ event, data }))).toEqual(
      (await sandbox.journal.list()).map((data) => ({ event: 'exchange', data })),
    );
  });

  it('has refusals and faults too, those without a reply included', async () => {
    const { sandbox, wire, send } = await openPlace();
    const { until } = await listen(sandbox);
    const other = await openWire(sandbox);
    other.send(callText(sandbox, aQuiz).replace('_riverside', '_nowhere'));
    await until(1);
    send({ ...aQuiz, fault: 'reset' });
    await wire.ended;
    const events = await until(2);
    // As openapi/control.yaml has it.
    expect(events.map(({ data }) => (data as JournalEntry).outcome)).toEqual(['invalid-key', 'fault']);
  });

  it('begins with what happens, not with what has happened, where no event is named', async () => {
    const { sandbox, call } = await world();
    await call('get-quiz-details', { quizId: quiz.id });
    const { until } = await listen(sandbox);
    await call('get-quiz-details', { quizId: quiz.id });
    expect(idsIn(await until(1))).toEqual([`${sandbox.id}-2`]);
  });

  it('has nothing of other sandboxes', async () => {
    const { sandbox, call } = await world();
    const other = await world();
    const { until } = await listen(sandbox);
    await other.call('get-quiz-details', { quizId: quiz.id });
    await call('get-quiz-details', { quizId: quiz.id });
    expect(idsIn(await until(1))).toEqual([`${sandbox.id}-1`]);
  });

  it('is no exchange itself', async () => {
    const { sandbox } = await world();
    await listen(sandbox);
    expect(await sandbox.journal.list()).toEqual([]);
  });

  it('is the same for several listeners; one that hangs up does not disturb the others', async () => {
    const { sandbox, call } = await world();
    const listeners = await Promise.all(Array.from({ length: 5 }, () => listen(sandbox)));
    await call('get-quiz-details', { quizId: quiz.id });
    await Promise.all(listeners.map(({ until }) => until(1)));
    const [first, ...others] = listeners;
    first?.hangUp();
    expect(await first?.ended).toBe('broken');
    await call('get-quiz-details', { quizId: quiz.id });
    for (const { until } of others) expect(idsIn(await until(2))).toEqual(idsOf(sandbox, 1, 2));
    expect(idsIn(first?.events ?? [])).toEqual(idsOf(sandbox, 1, 1));
  });

  it('is a problem for a sandbox that is not there, and is there for no other method', async () => {
    const { url, sandbox } = await world();
    const missing = await fetch(`${url}/control/sandboxes/nowhere-at-all/journal/stream`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toContain('application/problem+json');
    expect(await missing.json()).toMatchObject({
      status: 404,
      title: 'Not Found',
      detail: expect.stringContaining('"nowhere-at-all"'),
    });
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const wrong = await fetch(`${url}/control/sandboxes/${sandbox.id}/journal/stream`, { method });
      expect([wrong.status, wrong.headers.get('allow')], method).toEqual([405, 'GET']);
    }
  });

  it('needs what the rest of the control plane needs', async () => {
    const server = await startSandbox({ port: 0, controlToken: 'open-sesame' });
    onTestFinished(() => server.close());
    const path = `${server.url}/control/sandboxes/default/journal/stream`;
    expect((await fetch(path)).status).toBe(401);
    expect((await fetch(path, { headers: { Origin: 'https://stranger.example' } })).status).toBe(403);
    const gone = new AbortController();
    const opened = await fetch(path, {
      headers: { Authorization: 'Bearer open-sesame' },
      signal: gone.signal,
    });
    expect(opened.status).toBe(200);
    gone.abort();
  });
});

describe('a listener that comes back', () => {
  it('gets what it missed, then what happens', async () => {
    const { sandbox, call } = await world();
    for (let number = 0; number < 5; number += 1) await call('get-quiz-details', { quizId: quiz.id });
    const { events, until } = await listen(sandbox, `${sandbox.id}-2`);
    expect(idsIn(await until(3))).toEqual(idsOf(sandbox, 3, 5));
    await call('get-quiz-details', { quizId: quiz.id });
    await until(4);
    expect(idsIn(events)).toEqual(idsOf(sandbox, 3, 6));
    expect(events.map(({ event }) => event)).toEqual(Array(4).fill('exchange'));
  });

  it('gets nothing twice where it has missed nothing', async () => {
    const { sandbox, call } = await world();
    await call('get-quiz-details', { quizId: quiz.id });
    const { until } = await listen(sandbox, `${sandbox.id}-1`);
    await call('get-quiz-details', { quizId: quiz.id });
    expect(idsIn(await until(1))).toEqual(idsOf(sandbox, 2, 2));
  });

  it(
    'again and again in the middle of many parallel calls sees each once, in the journal’s order',
    { tags: ['slow'] },
    async () => {
      const { sandbox, call } = await world();
      await sandbox.limits.set({ scale: null });
      await call('get-quiz-details', { quizId: quiz.id });
      const all = 150;
      const calls = Promise.all(
        Array.from({ length: 10 }, async (_, lane) => {
          // Some are held up, so that they are written down in another order than they came in.
          const fault = lane % 3 === 0 ? 'delay; ms=2' : '';
          for (let number = 0; number < all / 10; number += 1) {
            const sent = call('get-quiz-details', { quizId: quiz.id });
            await (fault === '' ? sent : sent.set('Sandbox-Fault', fault));
          }
        }),
      );
      const seen: string[] = [];
      let last = `${sandbox.id}-1`;
      let connections = 0;
      while (seen.length < all) {
        const { events, until, hangUp, ended } = await listen(sandbox, last);
        connections += 1;
        await until(Math.min(7, all - seen.length));
        hangUp();
        await ended;
        for (const { id, event } of events) {
          expect(event).toBe('exchange');
          seen.push(String(id));
        }
        last = seen.at(-1) ?? last;
      }
      await calls;
      expect(connections).toBeGreaterThan(1);
      expect(seen).toEqual((await sandbox.journal.list()).slice(1).map(({ requestId }) => requestId));
    },
  );

  it(
    'for something that had to make room is told of the gap, and gets all that is kept',
    { tags: ['slow'] },
    async () => {
      const { sandbox, wire } = await openPlace();
      await sandbox.limits.set({ scale: null });
      const text = callText(sandbox, { operation: 'get-all-instructors', elements: [] });
      for (let sent = 0; sent < 2010; sent += 201) {
        const before = wire.heard().length;
        wire.send(text.repeat(201));
        await wire.hear((heard) => heard.slice(before).split('HTTP/1.1 200').length === 202);
      }
      const { until } = await listen(sandbox, `${sandbox.id}-3`);
      const [gap, ...events] = await until(2001);
      expect(gap).toEqual({ id: null, event: 'gap', data: { evicted: 10 } });
      expect(idsIn(events)).toEqual(idsOf(sandbox, 11, 2010));
      const kept = await listen(sandbox, `${sandbox.id}-11`);
      expect((await kept.until(1999))[0]).toMatchObject({ id: `${sandbox.id}-12`, event: 'exchange' });
    },
  );

  it('is told that the journal was emptied, after what was in it and before what comes then', async () => {
    const { sandbox, call } = await world();
    await call('get-all-instructors');
    const { until } = await listen(sandbox, 'nobody-knows');
    await until(2);
    await sandbox.journal.clear();
    await call('get-all-instructors');
    const [, first, emptied, second] = await until(4);
    expect(emptied).toEqual({ id: null, event: 'emptied', data: {} });
    expect([first, second].map((event) => event?.id)).toEqual([`${sandbox.id}-1`, `${sandbox.id}-2`]);
  });

  it('gets all entries again after a clearing was undone', async () => {
    const { sandbox, call } = await world();
    await call('get-all-instructors');
    const { until } = await listen(sandbox);
    await sandbox.journal.clear();
    await call('get-all-instructors');
    await until(2);
    await sandbox.journal.restore();
    const told = await until(5);
    expect(told.map(({ id, event }) => id ?? event)).toEqual([
      'emptied',
      `${sandbox.id}-2`,
      'emptied',
      `${sandbox.id}-1`,
      `${sandbox.id}-2`,
    ]);
  });

  it('ends with the event that its sandbox was removed, after what was in its journal', async () => {
    const { sandbox, call } = await world();
    const { until } = await listen(sandbox);
    await call('get-all-instructors');
    await sandbox.remove();
    const [, last] = await until(2);
    expect(last).toEqual({ id: null, event: 'removed', data: {} });
  });

  it('gets it all even where that is very much', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await world();
    await sandbox.limits.set({ scale: null });
    for (let number = 0; number < 80; number += 1)
      await call('get-quiz-details', { quizId: 'x'.repeat(60_000) });
    const seen: (string | null)[] = [];
    // A server may let go of who reads slowly, if it comes further with each connection.
    for (let connection = 0; connection < 40 && seen.length < 79; connection += 1) {
      const listener = await listen(sandbox, seen.at(-1) ?? `${sandbox.id}-1`).catch(() => null);
      if (listener === null) continue;
      await listener.until(79 - seen.length).catch(() => []);
      seen.push(...idsIn(listener.events));
      listener.hangUp();
    }
    expect(seen).toEqual(idsOf(sandbox, 2, 80));
  });
});

describe('a listener that is gone', () => {
  it('leaves nothing behind, however often that happens', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await world();
    stopRealTime();
    const before = vi.getTimerCount();
    for (let round = 0; round < 20; round += 1) {
      const wires = await Promise.all(Array.from({ length: 10 }, () => openWire(sandbox)));
      for (const { send } of wires)
        send(`GET /control/sandboxes/${sandbox.id}/journal/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await Promise.all(wires.map(({ hear }) => hear((heard) => heard.includes(': exchanges'))));
      // Each listener has a heartbeat of its own while it is there, and stops listening together with it.
      expect(vi.getTimerCount()).toBeGreaterThanOrEqual(before + 10);
      for (const { hangUp } of wires) hangUp();
      // Something else in the process may have set one meanwhile.
      for (let look = 0; vi.getTimerCount() >= before + 10 && look < 1000; look += 1) await settled(sandbox);
      expect(vi.getTimerCount()).toBeLessThan(before + 10);
    }
    expect((await call('get-quiz-details', { quizId: quiz.id })).status).toBe(200);
    const { until } = await listen(sandbox, 'none');
    expect(idsIn((await until(2)).slice(1))).toEqual(idsOf(sandbox, 1, 1));
  });
});

describe('where nothing happens', () => {
  it('a comment shows every 15 seconds that the connection lives', async () => {
    stopRealTime();
    const { sandbox, call } = await world();
    const { comments, events, untilComments, until } = await listen(sandbox);
    await untilComments(1);
    await vi.advanceTimersByTimeAsync(14_999);
    await turns();
    expect(comments).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await untilComments(2);
    await vi.advanceTimersByTimeAsync(45_000);
    await untilComments(5);
    expect(comments).toHaveLength(5);
    expect(events).toEqual([]);
    await call('get-quiz-details', { quizId: quiz.id });
    await until(1);
  });
});

describe('a server that is closed', () => {
  it('ends open streams at once, without waiting for its grace period to be over', async () => {
    // Loaded by the first request to the control plane, which real timers may be needed for.
    const server = await startSandbox({ port: 0 });
    await server.default.clock.now();
    const listener = await listen(server.default);
    await listener.untilComments(1);
    stopRealTime();
    const closing = server.close().then(() => true);
    // No timer ends meanwhile.
    const inTime = await Promise.race([closing, turns(5_000).then(() => false)]);
    // Where it was not: the grace period, so that nothing is left open behind the test.
    await vi.advanceTimersByTimeAsync(5_000);
    await closing;
    await listener.ended;
    expect(inTime).toBe(true);
  });
});
