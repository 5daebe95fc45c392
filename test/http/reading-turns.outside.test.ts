import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadingTurns } from '../../src/http/server/reading-turns.ts';
import { inNextTurn } from '../../src/sandbox/clock.ts';
import { firstStatus } from '../support/first-status.ts';
import { world } from '../support/world.ts';

const nextTurn = (): Promise<void> => new Promise((done) => void inNextTurn(done));

/** Connections that are read, in a turn after that in which they were opened, and a time that the test sets. */
async function watched(count: number) {
  const time = { now: 0 };
  const reading = new ReadingTurns(() => time.now);
  const sockets = Array.from({ length: count }, () => new Socket());
  for (const socket of sockets) reading.watch(socket);
  reading.isOver();
  await nextTurn();
  const [first = new Socket(), ...others] = sockets;
  const paused = (): number => sockets.filter((socket) => socket.isPaused()).length;
  return { time, reading, first, others, paused };
}

/** Reads from a connection for some milliseconds; a turn ends after 20. */
const readFor = (
  { time, reading }: Awaited<ReturnType<typeof watched>>,
  socket: Socket,
  ms: number,
): void => {
  reading.read(socket);
  time.now += ms;
};

describe('reading', () => {
  it('of all connections pauses when the time of a turn is used up', async () => {
    const { time, reading, first, paused } = await watched(3);
    reading.read(first);
    expect(paused()).toBe(0);
    time.now += 20;
    reading.read(first);
    expect(paused()).toBe(3);
  });

  it('continues with a few connections in each turn: with those of which little was read, and one of the others', async () => {
    const all = await watched(40);
    const { reading, first, others, paused } = all;
    const [second = new Socket(), third = new Socket()] = others;
    readFor(all, second, 1);
    readFor(all, first, 10);
    readFor(all, third, 10);
    reading.read(third);
    expect(paused()).toBe(40);
    await nextTurn();
    expect([first, second, third].map((socket) => socket.isPaused())).toEqual([false, false, true]);
    expect(paused()).toBe(40 - 17);
    await nextTurn();
    expect(paused()).toBe(0);
  });

  it('continues first with those that it has not reached', async () => {
    const all = await watched(60);
    const { reading, first, others } = all;
    readFor(all, first, 20);
    reading.read(first);
    await nextTurn();
    const [second = new Socket()] = others;
    readFor(all, second, 20);
    reading.read(second);
    await nextTurn();
    // The first one was not reached, and the second one is now one of those of which much was read.
    expect(others.filter((socket) => !socket.isPaused())).toEqual(others.slice(1, 17));
    expect(first.isPaused()).toBe(false);
  });

  it('takes less time in a turn after one in which a connection was opened, because others may wait for that', async () => {
    const { time, reading, first, paused } = await watched(3);
    reading.watch(new Socket());
    reading.read(first);
    time.now += 2;
    reading.read(first);
    expect(paused()).toBe(3);
  });

  it('continues with those that took little before, and with at least one of the others', async () => {
    const all = await watched(60);
    const { reading, others, first } = all;
    const quick = others.slice(-1);
    for (const socket of quick) readFor(all, socket, 1);
    await nextTurn();
    readFor(all, first, 20);
    reading.read(first);
    await nextTurn();
    expect([...quick, first].map((socket) => socket.isPaused())).toEqual([false, false]);
  });

  it('gives clients as much more time as it was paused in the last half minute, but at most twice as much', async () => {
    const { time, reading, first } = await watched(1);
    const pauseFor = async (ms: number): Promise<void> => {
      await nextTurn();
      reading.read(first);
      time.now += 20;
      reading.read(first);
      time.now += ms;
      await nextTurn();
    };
    expect(reading.withPauses(10_000)).toBe(10_000);
    await pauseFor(500);
    await pauseFor(700);
    expect(reading.withPauses(10_000)).toBe(11_200);
    time.now += 20_000;
    await pauseFor(300);
    expect(reading.withPauses(10_000)).toBe(11_500);
    time.now += 10_000;
    expect(reading.withPauses(10_000)).toBe(10_300);
    await pauseFor(19_000);
    expect(reading.withPauses(10_000)).toBe(20_000);
    time.now += 30_000;
    expect(reading.withPauses(10_000)).toBe(10_000);
  });

  it('continues with a connection that was paused for another reason when both are over', async () => {
    const { time, reading, first } = await watched(1);
    reading.read(first);
    time.now += 20;
    reading.read(first);
    reading.hold(first);
    await nextTurn();
    await nextTurn();
    expect(first.isPaused()).toBe(true);
    reading.letGo(first);
    expect(first.isPaused()).toBe(false);
    reading.hold(first);
    reading.block();
    reading.letGo(first);
    expect(first.isPaused()).toBe(true);
  });

  it('does not continue because Node resumes a connection, as it does after each complete request', async () => {
    const all = await watched(2);
    const { reading, first, others } = all;
    reading.hold(first);
    for (const socket of others) {
      readFor(all, socket, 20);
      reading.read(socket);
    }
    const [second = new Socket()] = others;
    for (const socket of [first, second]) socket.resume();
    await new Promise<void>((done) => process.nextTick(done));
    expect([first, second].map((socket) => socket.isPaused())).toEqual([true, true]);
  });

  it('does not continue because a connection reports later that it continued before it was paused', async () => {
    const { reading, first } = await watched(1);
    const events: string[] = [];
    // Node starts and stops reading at these events.
    for (const name of ['pause', 'resume']) first.prependListener(name, () => events.push(name));
    reading.hold(first);
    reading.letGo(first);
    reading.hold(first);
    await nextTurn();
    expect(first.isPaused()).toBe(true);
    expect(events.at(-1)).toBe('pause');
  });

  it('of new connections waits, too, while calls wait that were read', async () => {
    const { reading, first, paused } = await watched(1);
    reading.block();
    const late = new Socket();
    reading.watch(late);
    await nextTurn();
    expect([first.isPaused(), late.isPaused()]).toEqual([true, true]);
    reading.unblock();
    await nextTurn();
    expect([paused(), late.isPaused()]).toEqual([0, false]);
  });
});

describe('a server in the process of a test', () => {
  it('answers while the test fakes all timers, and afterwards', async () => {
    const { url } = await world();
    onTestFinished(() => void vi.useRealTimers());
    for (const change of [vi.useFakeTimers, vi.useRealTimers]) {
      change();
      const call = 'POST /public/list-assignments HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
      const status = await firstStatus(url, call);
      expect(status).toBe('401');
    }
  });
});

describe('many large calls that arrive at once', () => {
  it('are all answered, because what cannot be processed yet is not read', async () => {
    const { url, sandbox } = await world();
    await sandbox.limits.set({ scale: null });
    const body = JSON.stringify({ data: [{ data: { filterTerm: 'a'.repeat(990_000) } }] });
    const head = `POST /public/get-video-library HTTP/1.1\r\nHost: a\r\nSERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const statuses = await Promise.all(Array.from({ length: 60 }, () => firstStatus(url, head + body)));
    expect(new Set(statuses)).toEqual(new Set(['200']));
  });
});
