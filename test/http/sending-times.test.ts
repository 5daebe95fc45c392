import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { DirectRequest } from '../../src/http/server/direct-request.ts';
import type { DirectResponse } from '../../src/http/server/direct-response.ts';
import { ReadingTurns } from '../../src/http/server/reading-turns.ts';
import { SendingTimes } from '../../src/http/server/sending-times.ts';

/** A request that waits for 100 Continue, with a time that the test sets, in seconds. */
function waiting() {
  const time = { now: 0 };
  const ms = (): number => time.now * 1000;
  const times = new SendingTimes(new ReadingTurns(ms), ms);
  // Casts: no more of them is used here.
  const request = {} as DirectRequest;
  const response = Object.assign(new EventEmitter(), { socket: null, writeContinue: () => {} });
  times.expectContinue(request, response as unknown as DirectResponse);
  return { time, response, left: () => times.left(request) / 1000 };
}

describe('the time for a body', () => {
  it('does not begin before its client got 100 Continue', () => {
    const { time, response, left } = waiting();
    time.now = 100;
    expect(left()).toBe(5);
    response.writeContinue();
    time.now = 200;
    // It waits for the responses before it.
    expect(left()).toBe(5);
    response.emit('socket');
    expect(left()).toBe(30);
  });

  it('is over 30 s after that', () => {
    const { time, response, left } = waiting();
    response.writeContinue();
    response.emit('socket');
    time.now = 29;
    expect(left()).toBe(1);
    time.now = 31;
    expect(left()).toBe(0);
  });

  it('is over when Node says so, if its client does not wait', () => {
    const times = new SendingTimes(new ReadingTurns());
    expect(times.left({} as DirectRequest)).toBe(0);
  });
});
