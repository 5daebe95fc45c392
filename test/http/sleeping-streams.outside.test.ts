import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxHandle } from '../../src/index.ts';
import { serve } from '../support/serve.ts';
import { callText, openWire, settled, stopRealTime } from '../support/wire.ts';

interface Event {
  readonly id: string | null;
  readonly event: string;
  readonly data: { readonly skipped?: number; readonly evicted?: number };
}

/** A client of a journal's stream that decides when it reads. It is gone after the test. */
interface Sleeper {
  readonly events: readonly Event[];
  readonly comments: () => number;
  wake(): void;
  sleep(): void;
  hangUp(): void;
  /** Waits until what has come is enough. */
  until(enough: (events: readonly Event[]) => boolean): Promise<readonly Event[]>;
  readonly closed: Promise<void>;
}

/** Opens a stream, reads the first comment, and sleeps. */
async function openSleeper({ baseUrl, id }: SandboxHandle, lastEventId?: string): Promise<Sleeper> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.setEncoding('utf8').on('error', () => {});
  const events: Event[] = [];
  let comments = 0;
  let rest = '';
  let onMore: (() => void) | null = null;
  socket.on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.includes('event: ')) events.push(eventFrom(block));
      else comments += 1;
    }
    onMore?.();
  });
  const closed = new Promise<void>((done) => {
    socket.once('close', () => done());
  });
  // HTTP/1.0 has no chunks, so what comes is the stream itself.
  const last = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
  socket.write(`GET /control/sandboxes/${id}/journal/stream HTTP/1.0\r\nHost: localhost\r\n${last}\r\n`);
  const wait = (enough: () => boolean): Promise<void> =>
    new Promise((done) => {
      onMore = () => {
        if (enough()) done();
      };
      onMore();
    });
  await wait(() => comments > 0);
  socket.pause();
  return {
    events,
    comments: () => comments,
    wake: () => void socket.resume(),
    sleep: () => void socket.pause(),
    hangUp: () => void socket.destroy(),
    until: async (enough) => {
      await wait(() => enough(events));
      return events;
    },
    closed,
  };
}

function eventFrom(block: string): Event {
  const [, id = null] = /^id: (.*)$/m.exec(block) ?? [];
  const [, event = ''] = /^event: (.*)$/m.exec(block) ?? [];
  const [, data = '{}'] = /^data: (.*)$/m.exec(block) ?? [];
  // As openapi/control.yaml has it.
  return { id, event, data: JSON.parse(data) as Event['data'] };
}

const idsIn = (events: readonly Event[]): readonly (string | null)[] =>
  events.flatMap(({ id }) => (id === null ? [] : [id]));

function idsOf({ id }: SandboxHandle, from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${id}-${from + index}`);
}

/** Much more than two sockets hold for a client that does not read. */
const many = 150;

/** Calls of 60 kB, one behind the other. */
async function callOften(sandbox: SandboxHandle, times = many): Promise<void> {
  await sandbox.limits.set({ scale: null });
  const wire = await openWire(sandbox);
  const text = callText(sandbox, {
    operation: 'get-quiz-details',
    elements: [{ quizId: 'x'.repeat(60_000) }],
  });
  for (let sent = 0; sent < times; sent += 1) wire.send(text);
  let seen = 0;
  let replies = 0;
  await wire.hear((heard) => {
    for (let at = heard.indexOf('HTTP/1.1 200', seen); at >= 0; at = heard.indexOf('HTTP/1.1 200', seen)) {
      seen = at + 1;
      replies += 1;
    }
    return replies >= times;
  });
  await settled(sandbox);
}

/** From here to the end of the test, the stopwatch goes on only if the test says so. */
function holdStopwatch(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

const streamPath = (id: string): string => `/control/sandboxes/${id}/journal/stream`;

describe('a client that follows a journal but does not read', () => {
  it('misses what is more than streamBytes, is told how much, and disturbs nobody', async () => {
    const sandbox = await (await serve({ max: { streamBytes: 300_000 } })).createSandbox();
    holdStopwatch();
    const sleeper = await openSleeper(sandbox);
    const reader = await openSleeper(sandbox);
    reader.wake();
    await callOften(sandbox);
    expect(idsIn(await reader.until((events) => events.length >= many))).toEqual(idsOf(sandbox, 1, many));
    vi.advanceTimersByTime(1000);

    sleeper.wake();
    const events = await sleeper.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many}`);
    const gaps = events.filter(({ event }) => event === 'gap');
    expect(gaps).toHaveLength(1);
    const before = events.slice(
      0,
      events.findIndex(({ event }) => event === 'gap'),
    );
    const skipped = gaps[0]?.data.skipped ?? 0;
    const after = many - before.length - skipped;
    // Each takes a little more than 60 kB.
    expect(after).toBe(4);
    expect(idsIn(before)).toEqual(idsOf(sandbox, 1, before.length));
    expect(idsIn(events.slice(before.length))).toEqual(idsOf(sandbox, before.length + skipped + 1, many));
  });

  it.each([
    ['it is no more than streamBytes', 20_000_000, 60_000],
    ['it slept for less than a second', 300_000, 999],
  ])('gets all of it later where %s', async (_, streamBytes, milliseconds) => {
    const sandbox = await (await serve({ max: { streamBytes } })).createSandbox();
    holdStopwatch();
    const sleeper = await openSleeper(sandbox);
    await callOften(sandbox);
    vi.advanceTimersByTime(milliseconds);
    sleeper.wake();
    const events = await sleeper.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many}`);
    expect(idsIn(events)).toEqual(idsOf(sandbox, 1, many));
    expect(events.filter(({ event }) => event !== 'exchange')).toEqual([]);
  });

  it('is told of a gap where the journal has let go of what comes next', async () => {
    const sandbox = await (
      await serve({ max: { streamBytes: 20_000_000, journalEntries: 10 } })
    ).createSandbox();
    const sleeper = await openSleeper(sandbox);
    await callOften(sandbox);
    sleeper.wake();
    const events = await sleeper.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many}`);
    const skipped = events.reduce((sum, { data }) => sum + (data.skipped ?? 0), 0);
    expect(skipped).toBeGreaterThan(0);
    expect(skipped + idsIn(events).length).toBe(many);
    // How much the connection took before it was full depends on the machine.
    const evicted = events.findLast(({ event }) => event === 'gap')?.data.evicted ?? 0;
    expect(evicted).toBeGreaterThanOrEqual(skipped);
    expect(evicted).toBeLessThanOrEqual(many - 10);
    expect(idsIn(events).slice(-10)).toEqual(idsOf(sandbox, many - 9, many));
  });

  it('gets what it missed from the journal when it comes back', async () => {
    const sandbox = await (await serve({ max: { streamBytes: 300_000 } })).createSandbox();
    const sleeper = await openSleeper(sandbox);
    await callOften(sandbox);
    sleeper.hangUp();
    const again = await openSleeper(sandbox, `${sandbox.id}-1`);
    again.wake();
    const events = await again.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many}`);
    expect(idsIn(events)).toEqual(idsOf(sandbox, 2, many));
    expect(events.filter(({ event }) => event !== 'exchange')).toEqual([]);
  });

  it('is told that the journal was emptied meanwhile, and of no gap', async () => {
    const sandbox = await (await serve({ max: { streamBytes: 300_000 } })).createSandbox();
    const sleeper = await openSleeper(sandbox);
    await callOften(sandbox);
    await sandbox.journal.clear();
    await callOften(sandbox, 1);
    sleeper.wake();
    const events = await sleeper.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many + 1}`);
    expect(events.slice(-2).map(({ event, id }) => id ?? event)).toEqual([
      'emptied',
      `${sandbox.id}-${many + 1}`,
    ]);
    expect(events.filter(({ event }) => event === 'gap')).toEqual([]);
  });

  it('for five minutes is let go, unlike one that reads', async () => {
    const { url, createSandbox } = await serve({ max: { journalStreams: 2 } });
    const sandbox = await createSandbox();
    stopRealTime();
    const sleeper = await openSleeper(sandbox);
    const reader = await openSleeper(sandbox);
    reader.wake();
    await callOften(sandbox);
    const another = async (): Promise<number> =>
      (await fetch(`${url}${streamPath(sandbox.id)}`, { method: 'HEAD' })).status;
    for (let beat = 1; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      await settled(sandbox);
    }
    expect(await another()).toBe(503);
    // The first heartbeats are sent if the connection is not yet full.
    for (let more = 1; more <= 3 && (await another()) === 503; more += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      await settled(sandbox);
    }
    expect(await another()).toBe(200);
    expect(reader.comments()).toBeGreaterThan(15);
    sleeper.wake();
    await sleeper.closed;
    // What was on its way when it slept, and no heartbeats.
    expect(sleeper.comments()).toBeLessThanOrEqual(1);
    expect(sleeper.events.length).toBeLessThan(many);
  });

  it('and reads again in time stays', async () => {
    const sandbox = await (await serve()).createSandbox();
    stopRealTime();
    const sleeper = await openSleeper(sandbox);
    for (let round = 1; round <= 2; round += 1) {
      sleeper.sleep();
      await callOften(sandbox);
      await vi.advanceTimersByTimeAsync(200_000);
      sleeper.wake();
      await sleeper.until((seen) => seen.at(-1)?.id === `${sandbox.id}-${many * round}`);
    }
  });
});

describe('the number of journal streams', () => {
  it('has an end over all sandboxes: another is a problem before any event, until one ends', async () => {
    const server = await serve({ max: { journalStreams: 2 } });
    const other = await server.createSandbox({ id: 'other' });
    const first = await openSleeper(server.default);
    await openSleeper(other);
    const ask = (): Promise<Response> => fetch(`${server.url}${streamPath('other')}`);
    const refused = await ask();
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    const detail =
      'There are already 2 journal streams, the maximum. Close one. This is a limit of this server, not of the platform; --max journalStreams=N changes it.';
    expect(await refused.json()).toMatchObject({ status: 503, detail });
    first.hangUp();
    await first.closed;
    await settled(other);
    expect((await fetch(`${server.url}${streamPath('other')}`, { method: 'HEAD' })).status).toBe(200);
    await openSleeper(other);
    expect((await ask()).status).toBe(503);
  });

  it('is shared fairly: the sandbox that has most loses its oldest to one that has fewer', async () => {
    const server = await serve({ max: { journalStreams: 3 } });
    const other = await server.createSandbox({ id: 'other' });
    const [oldest] = [
      await openSleeper(server.default),
      await openSleeper(server.default),
      await openSleeper(server.default),
    ];
    await openSleeper(other);
    oldest.wake();
    await oldest.closed;
    // Both have as many as they can have now.
    expect((await fetch(`${server.url}${streamPath('default')}`)).status).toBe(503);
  });

  it('counts no stream whose sandbox is gone', async () => {
    const server = await serve({ max: { journalStreams: 1 } });
    const sandbox = await server.createSandbox({ id: 'brief' });
    const sleeper = await openSleeper(sandbox);
    await sandbox.remove();
    sleeper.wake();
    await sleeper.closed;
    await openSleeper(server.default);
  });
});
