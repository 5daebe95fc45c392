import { describe, expect, it } from 'vitest';
import { Clock } from '../../src/sandbox/clock.ts';

/** What ended, in order. */
function watched() {
  const clock = new Clock();
  const ended: string[] = [];
  const wait = (name: string, seconds: number, next = (): void => {}) =>
    clock.wait(seconds * 1000, () => {
      ended.push(name);
      next();
    });
  return { clock, ended, wait };
}

describe('a wait on a sandbox’s clock', () => {
  it('is over at once when the clock is advanced past its end, frozen or not', () => {
    const { clock, ended, wait } = watched();
    wait('short', 60);
    wait('long', 600);
    clock.advance(60);
    expect(ended).toEqual(['short']);
    clock.freeze();
    clock.advance(600);
    expect(ended).toEqual(['short', 'long']);
  });

  it('is over when the clock is set to its end or beyond, and not when it is set back', () => {
    const { clock, ended, wait } = watched();
    clock.freeze(Date.parse('2026-02-11T09:30:00.000Z'));
    wait('minute', 60);
    clock.freeze(Date.parse('2026-02-11T09:00:00.000Z'));
    expect(ended).toEqual([]);
    clock.run(Date.parse('2026-02-11T09:31:00.000Z'));
    expect(ended).toEqual(['minute']);
  });

  it('never ends once it is cancelled', () => {
    const { clock, ended, wait } = watched();
    wait('cancelled', 60).cancel();
    clock.advance(3600);
    expect(ended).toEqual([]);
  });

  it('that another one leads to begins when that one was due, so that one step ends as many as fit into it', () => {
    const { clock, ended, wait } = watched();
    clock.freeze();
    wait('first', 60, () => wait('second', 60, () => wait('third', 60)));
    clock.advance(150);
    expect(ended).toEqual(['first', 'second']);
    clock.advance(30);
    expect(ended).toEqual(['first', 'second', 'third']);
  });

  it('of very many is ended in order, in several turns of the event loop, even if the clock is set back meanwhile', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze();
    const names = Array.from({ length: 1000 }, (_, number) => `${number}`);
    for (const name of names.toReversed()) wait(name, 60 + Number(name));
    clock.advance(7200);
    expect(ended.length).toBeLessThan(names.length);
    clock.freeze(0);
    await expect.poll(() => ended.length).toBe(names.length);
    expect(ended).toEqual(names);
  });
});
