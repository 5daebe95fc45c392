import type { Socket } from 'node:net';
import { inNextTurn, stopwatch } from '../../sandbox/clock.ts';
import { WaitingLine } from '../../sandbox/waiting-line.ts';
import type { DirectRequest } from './direct-request.ts';

/** The maximum time for pipelined calls in one turn of the event loop, in milliseconds. */
const turnMs = 10;

/** A waiting call occupies a few kilobytes: beyond this number, calls are processed at once. */
const maxWaiting = 5000;

/**
 * Divides the time of the server among connections whose clients pipeline calls. Hundreds of calls can arrive
 * in one piece; processed in one go, they would hold up all other clients. The first call of a piece
 * never waits. Those that do keep their order within their connection, which is not read meanwhile.
 */
export class PipelinedCalls {
  readonly #lines = new Map<Socket, WaitingLine>();
  #waiting = 0;
  #isOpen = false;
  #endsAt = 0;

  /** Calls back at once, or when it is the turn of the call. */
  take(request: DirectRequest, callback: () => void): void {
    const { socket } = request;
    const line = this.#lines.get(socket);
    if (line === undefined && (!request.isPipelined || this.#hasTime())) return callback();
    if (this.#waiting >= maxWaiting) {
      // Those before it on its connection come first.
      if (line !== undefined) this.#finish(socket, line);
      return callback();
    }
    this.#waiting += 1;
    if (line === undefined) {
      socket.pause();
      this.#lines.set(socket, new WaitingLine());
    }
    this.#lines.get(socket)?.add(callback);
  }

  #hasTime(): boolean {
    if (!this.#isOpen) this.#open();
    return stopwatch() < this.#endsAt;
  }

  #open(): void {
    this.#isOpen = true;
    this.#endsAt = stopwatch() + turnMs;
    inNextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isOpen = false;
    if (this.#lines.size === 0) return;
    this.#open();
    // A connection whose call was processed goes to the end.
    for (const [socket, line] of this.#lines) {
      if (!this.#hasTime()) return;
      this.#lines.delete(socket);
      this.#processNext(line);
      if (line.length > 0) this.#lines.set(socket, line);
      else socket.resume();
    }
  }

  #finish(socket: Socket, line: WaitingLine): void {
    this.#lines.delete(socket);
    while (line.length > 0) this.#processNext(line);
    socket.resume();
  }

  #processNext(line: WaitingLine): void {
    this.#waiting -= 1;
    line.next()?.();
  }
}
