import { describe, expect, it } from 'vitest';
import { ArrivedCalls } from '../../src/http/server/arrived-calls.ts';
import { inNextTurn } from '../../src/sandbox/clock.ts';

/** Adds calls, and returns what happens to them, in order, when all of it has happened. */
async function processed(count: number, turnMs: number): Promise<readonly string[]> {
  const events: string[] = [];
  const arrived = new ArrivedCalls({ turnMs });
  await new Promise<void>((done) => {
    for (let call = 1; call <= count; call += 1)
      arrived.add(() => {
        events.push(`answer ${call}`);
        if (call === 1) inNextTurn(() => events.push('another request'));
        return () => {
          events.push(`send ${call}`);
          if (call === count) done();
        };
      });
  });
  return events;
}

describe('calls that arrive in one turn of the event loop', () => {
  it('are all answered before the first reply is sent, both in order', async () => {
    expect(await processed(3, 1000)).toEqual([
      'answer 1',
      'answer 2',
      'answer 3',
      'send 1',
      'send 2',
      'send 3',
    ]);
  });

  it('have at most 64 replies that wait', async () => {
    const events = await processed(65, 1000);
    expect(events.indexOf('answer 65')).toBeGreaterThan(events.indexOf('send 64'));
    expect(events.indexOf('answer 64')).toBeLessThan(events.indexOf('send 1'));
  });

  it('leave a turn to other requests if they take long', async () => {
    expect(await processed(2, 0)).toEqual(['answer 1', 'send 1', 'another request', 'answer 2', 'send 2']);
  });

  it('are sent also if one of them has been answered already', async () => {
    const arrived = new ArrivedCalls({ turnMs: 1000 });
    const sent = new Promise<string>((done) => {
      arrived.add(() => null);
      arrived.add(() => () => done('sent'));
    });
    expect(await sent).toBe('sent');
  });
});
