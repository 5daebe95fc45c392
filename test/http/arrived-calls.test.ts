import { describe, expect, it } from 'vitest';
import { ArrivedCalls } from '../../src/http/server/arrived-calls.ts';
import { inNextTurn } from '../../src/sandbox/clock.ts';

/** Adds calls, and returns what has happened to them when all were added, and one turn later. */
async function processed(count: number, bodyChars: number) {
  const events: string[] = [];
  const arrived = new ArrivedCalls();
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

  it('never wait for another turn, however many there are', async () => {
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
    const arrived = new ArrivedCalls();
    const sent = new Promise<string>((done) => {
      arrived.add(0, () => null);
      arrived.add(0, () => () => done('sent'));
    });
    expect(await sent).toBe('sent');
  });
});
