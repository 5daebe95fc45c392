import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { DirectRequest } from '../../src/http/server/direct-request.ts';
import type { DirectResponse } from '../../src/http/server/direct-response.ts';
import { ReadingTurns } from '../../src/http/server/reading-turns.ts';
import { SendingTimes } from '../../src/http/server/sending-times.ts';

/** A request that waits for 100 Continue, with a time that the test sets, in seconds. */
function waiting() {
  const time = { now: 0 };
  const ms = (): number => time.now * 1000;
  const reading = new ReadingTurns(ms);
  const times = new SendingTimes(reading, ms);
  const socket = new Socket();
  // Casts: no more of them is used here.
  const request = {} as DirectRequest;
  const response = Object.assign(new EventEmitter(), { socket: null, writeContinue: () => {} });
  times.expectContinue(request, response as unknown as DirectResponse);
  const left = (part: DirectRequest | null = request): number => times.left(socket, part) / 1000;
  return { time, reading, socket, response, left };
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
    expect(times.left(new Socket(), {} as DirectRequest)).toBe(0);
  });

  it('and for headers is not over while the connection is held, and for 30 s after that', () => {
    const { time, reading, socket, left } = waiting();
    expect(left(null)).toBe(0);
    reading.hold(socket);
    time.now = 100;
    expect(left(null)).toBe(5);
    reading.letGo(socket);
    time.now = 129;
    expect(left(null)).toBe(1);
    time.now = 131;
    expect(left(null)).toBe(0);
  });
});
