import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ArrivedCalls } from '../../src/http/server/arrived-calls.ts';
import { ReadingTurns } from '../../src/http/server/reading-turns.ts';
import { inNextTurn } from '../../src/sandbox/clock.ts';

/** Adds calls, and returns what has happened to them when all were added, and one turn later. */
async function processed(count: number, bodyChars: number) {
  const events: string[] = [];
  const arrived = new ArrivedCalls(new ReadingTurns(() => 0));
  for (let call = 1; call <= count; call += 1)
    arrived.add(bodyChars, () => {
      events.push(`answer ${call}`);
      return () => void events.push(`send ${call}`);
    });
  const atOnce = [...events];
  await new Promise<void>((done) => void inNextTurn(done));
  return { atOnce, events };
}

describe('calls that arrive in one turn of the event loop', () => {
  it('are all answered before the first reply is sent, both in order', async () => {
    const { atOnce, events } = await processed(3, 10);
    expect(atOnce).toEqual([]);
    expect(events).toEqual(['answer 1', 'answer 2', 'answer 3', 'send 1', 'send 2', 'send 3']);
  });

  it('never wait for another turn if there is time, however many there are', async () => {
    const { events } = await processed(1000, 10);
    expect(events).toHaveLength(2000);
  });

  it('wait for at most 63 others', async () => {
    const { atOnce } = await processed(65, 10);
    expect(atOnce).toHaveLength(128);
    expect(atOnce.slice(63, 65)).toEqual(['answer 64', 'send 1']);
  });

  it('do not wait if their bodies are long, because each occupies memory', async () => {
    const { atOnce } = await processed(3, 600_000);
    expect(atOnce).toEqual(['answer 1', 'answer 2', 'send 1', 'send 2']);
  });

  it('are sent also if one of them has been answered already', async () => {
    const arrived = new ArrivedCalls(new ReadingTurns(() => 0));
    const sent = new Promise<string>((done) => {
      arrived.add(0, () => null);
      arrived.add(0, () => () => done('sent'));
    });
    expect(await sent).toBe('sent');
  });

  it('wait for the next turns if the time of this one is used up, in order, and nothing is read meanwhile', async () => {
    let now = 0;
    const reading = new ReadingTurns(() => now);
    const arrived = new ArrivedCalls(reading);
    const socket = new Socket();
    reading.watch(socket);
    // The turn after a connection was accepted is shorter.
    reading.isOver();
    await new Promise<void>((done) => void inNextTurn(done));
    reading.read(socket);
    const answered: number[] = [];
    for (let call = 1; call <= 130; call += 1)
      arrived.add(10, () => {
        now += 11;
        answered.push(call);
        return null;
      });
    const turns = [{ answered: answered.length, isPaused: socket.isPaused() }];
    while (answered.length < 130) {
      await new Promise<void>((done) => void inNextTurn(done));
      turns.push({ answered: answered.length, isPaused: socket.isPaused() });
    }
    expect(turns.slice(0, 3)).toEqual([
      { answered: 2, isPaused: true },
      { answered: 4, isPaused: true },
      { answered: 6, isPaused: true },
    ]);
    expect(answered).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
    await expect.poll(() => socket.isPaused()).toBe(false);
  });
});
