import { afterEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../src/sandbox/clock.ts';
import { OwnTurns } from '../../src/sandbox/own-turns.ts';

/** A clock on a computer where a millisecond passes between any two readings of the time. */
function slowlyRead(): Clock {
  let time = Date.parse('2026-03-02T08:00:00Z');
  vi.spyOn(Date, 'now').mockImplementation(() => (time += 1));
  return new Clock(new OwnTurns(() => {}));
}

afterEach(() => vi.restoreAllMocks());

describe('a sandbox’s clock', () => {
  it('is moved by exactly the seconds that it is advanced, whenever it is read', () => {
    const clock = slowlyRead();
    clock.advance(-90_061);
    clock.advance(61);
    expect(clock.aheadMs()).toBe(-90_000_000);
  });

  it('that runs already is not moved when it is set to run', () => {
    const clock = slowlyRead();
    clock.advance(60);
    clock.run();
    expect(clock.aheadMs()).toBe(60_000);
  });
});
