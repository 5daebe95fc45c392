import { expect, it } from 'vitest';
import { OwnTurns } from '../../src/sandbox/own-turns.ts';
import { Turn } from '../../src/sandbox/turn.ts';
import { nextTurn } from './next-turn.ts';

function busyTurn(requests: number) {
  const turn = new Turn(new OwnTurns(() => {}));
  const release = turn.take();
  const continued: number[] = [];
  const waits = Array.from({ length: requests }, (_, number) =>
    turn.whenFree(() => void continued.push(number)),
  );
  return { turn, release, continued, waits };
}

it('requests that wait for exclusive access continue in order, each in its own turn of the event loop', async () => {
  const { turn, release, continued } = busyTurn(100);
  release();
  for (let number = 0; number < 100; number += 1) {
    expect(continued.length).toBe(number + 1);
    // A new request waits behind them.
    expect(turn.isBusy).toBe(number < 99);
    expect(turn.isTaken).toBe(false);
    await nextTurn();
  }
  expect(continued).toEqual(Array.from({ length: 100 }, (_, number) => number));
});

it('requests wait on if one before them takes exclusive access, or if one is cancelled', async () => {
  const { turn, release, continued, waits } = busyTurn(0);
  const taken: (() => void)[] = [];
  turn.whenFree(() => taken.push(turn.take()));
  for (const number of [1, 2, 3]) waits.push(turn.whenFree(() => void continued.push(number)));
  release();
  await nextTurn();
  await nextTurn();
  expect([turn.isTaken, continued]).toEqual([true, []]);
  waits[0]?.cancel();
  for (const releaseNext of taken) releaseNext();
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
  expect([turn.isBusy, continued]).toEqual([false, [2, 3]]);
});
