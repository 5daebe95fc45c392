import { describe, expect, it } from 'vitest';
import { Clock } from '../../src/sandbox/clock.ts';
import { OwnTurns } from '../../src/sandbox/own-turns.ts';
import { nextTurn } from './next-turn.ts';

/** What ended, in order. */
function watched() {
  const clock = new Clock(new OwnTurns(() => {}));
  const ended: string[] = [];
  const wait = (name: string, seconds: number, { next = (): void => {}, isShort = false } = {}) =>
    clock.wait(
      seconds * 1000,
      () => {
        ended.push(name);
        next();
      },
      { isShort },
    );
  return { clock, ended, wait };
}

describe('a wait on a sandbox’s clock', () => {
  it('is over at once when the clock is advanced past its end, frozen or not', async () => {
    const { clock, ended, wait } = watched();
    wait('short', 60);
    wait('long', 600);
    clock.advance(60);
    expect(ended).toEqual(['short']);
    await nextTurn();
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

  it('never ends once it is cancelled, not even while it waits for its turn', async () => {
    const { clock, ended, wait } = watched();
    wait('cancelled', 60).cancel();
    wait('first', 60);
    const second = wait('second', 60);
    clock.advance(3600);
    second.cancel();
    await clock.released();
    expect(ended).toEqual(['first']);
  });

  it('that another one leads to begins when that one was due, so that one step ends as many as fit into it', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze();
    wait('first', 60, { next: () => wait('second', 60, { next: () => wait('third', 60) }) });
    await clock.step(() => clock.advance(150));
    expect(ended).toEqual(['first', 'second']);
    await clock.step(() => clock.advance(30));
    expect(ended).toEqual(['first', 'second', 'third']);
  });

  it('of very many is ended in order, in a turn of its own, even if the clock is set back meanwhile', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze();
    const names = Array.from({ length: 100 }, (_, number) => `${number}`);
    for (const name of names.toReversed()) wait(name, 60 + Number(name));
    clock.advance(7200);
    clock.freeze(0);
    wait('later', 1);
    for (const [number] of names.entries()) {
      expect(ended.length).toBe(number + 1);
      await nextTurn();
    }
    await clock.released();
    expect(ended).toEqual(names);
  });

  it('of very many with short callbacks is ended in order, many in one turn', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze();
    const names = Array.from({ length: 1000 }, (_, number) => `${number}`);
    for (const name of names.toReversed()) wait(name, 60 + Number(name), { isShort: true });
    clock.advance(7200);
    for (let turns = 0; ended.length < names.length; turns += 1) {
      expect(ended.length).toBe((turns + 1) * 50);
      await nextTurn();
    }
    expect(ended).toEqual(names);
  });

  it('of very many ends in a turn of its own in real time, too', async () => {
    const { ended, wait } = watched();
    for (let number = 0; number < 100; number += 1) wait(`${number}`, 0.001);
    let most = 0;
    while (ended.length < 100) {
      const before = ended.length;
      await nextTurn();
      most = Math.max(most, ended.length - before);
    }
    // The first one ends with its timer, before the turn of the second one.
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('a sandbox’s clock of a server that stops', () => {
  it('ends each wait before those to which others lead, and however many there are', async () => {
    const { clock, ended, wait } = watched();
    const repeat = (name: string, left: number): void =>
      void wait(name, 1, { next: () => left > 0 && repeat(name, left - 1), isShort: true });
    repeat('one', 3);
    wait('late', 3600);
    repeat('other', 1);
    await clock.hurry();
    expect(ended).toEqual(['one', 'other', 'late', 'one', 'other', 'one', 'one']);
  });
});

describe('a step of a sandbox’s clock', () => {
  it('is over when all waits that it ends are, and only then the next one begins', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze(0);
    for (let number = 0; number < 10; number += 1)
      wait(`${number}`, 60, { next: () => ended.push(`${clock.now()}`) });
    const steps = [60, 120].map(async (seconds) => {
      await clock.step(() => clock.advance(seconds));
      ended.push('step');
    });
    await Promise.all(steps);
    const waits = Array.from({ length: 10 }, (_, number) => [`${number}`, '60000']).flat();
    expect(ended).toEqual([...waits, 'step', 'step']);
    expect(clock.now()).toBe(180_000);
  });

  it('that fails does not prevent the next one', async () => {
    const { clock } = watched();
    clock.freeze(0);
    const failing = clock.step(() => clock.advance(1e15));
    const next = clock.step(() => clock.advance(1));
    await expect(failing).rejects.toThrow('between the years 1 and 9999');
    await next;
    expect(clock.now()).toBe(1000);
  });

  it('ends although the waits that it ends are cancelled, or the server stops', async () => {
    const { clock, ended, wait } = watched();
    clock.freeze(0);
    wait('first', 60);
    const others = [2, 3, 4].map((number) => wait(`${number}`, 60));
    const step = clock.step(() => clock.advance(60));
    await Promise.resolve();
    for (const other of others) other.cancel();
    await step;
    expect(ended).toEqual(['first']);
    wait('fifth', 60);
    wait('sixth', 60);
    const last = clock.step(() => clock.advance(60));
    await Promise.resolve();
    await clock.hurry();
    expect(ended).toEqual(['first', 'fifth', 'sixth']);
    await last;
  });

  it('calls back in a turn of its own if the server stops', async () => {
    const { clock, ended, wait } = watched();
    for (const number of [3, 1, 2]) wait(`${number}`, 60 * number);
    const stopped = clock.hurry();
    expect(ended).toEqual(['1']);
    await nextTurn();
    expect(ended).toEqual(['1', '2']);
    await stopped;
    expect(ended).toEqual(['1', '2', '3']);
  });
});
