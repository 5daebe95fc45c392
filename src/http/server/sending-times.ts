import type { Socket } from 'node:net';
import { stopwatch } from '../../sandbox/clock.ts';
import type { DirectRequest } from './direct-request.ts';
import type { DirectResponse } from './direct-response.ts';
import type { ReadingTurns } from './reading-turns.ts';

/** The maximum time for a client to send a request, or its headers, in milliseconds. */
export const slowest = { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };

/**
 * How long clients may still send what Node says is late. Node counts from the first byte of a request, but a client
 * that waits for `100 Continue` sends no body before it, and gets it after the responses to its earlier requests.
 * And what a client has sent is not read while its connection is held.
 */
export class SendingTimes {
  readonly #reading: ReadingTurns;
  readonly #now: () => number;
  /** When each client that waits for `100 Continue` got it. */
  readonly #continued = new WeakMap<DirectRequest, number>();

  /** `now` measures time in milliseconds. */
  constructor(reading: ReadingTurns, now = stopwatch) {
    this.#reading = reading;
    this.#now = now;
  }

  /** The client waits for `100 Continue`, which is sent when the reader of the body requests it. */
  expectContinue(request: DirectRequest, response: DirectResponse): void {
    this.#continued.set(request, Infinity);
    const sent = (): void => void this.#continued.set(request, this.#now());
    const write = response.writeContinue.bind(response);
    // Not in a subclass, because express replaces the prototype of a response.
    response.writeContinue = (callback) => {
      write(callback);
      // Only the response whose turn it is has a socket.
      if (response.socket === null) response.once('socket', sent);
      else sent();
    };
  }

  /**
   * Returns after how many milliseconds to look at a late request again; 0 if its time is over. `request` is null if
   * its headers have not arrived.
   */
  left(socket: Socket, request: DirectRequest | null): number {
    const continued = request === null ? undefined : this.#continued.get(request);
    const since = Math.max(continued ?? -Infinity, this.#reading.heldUntil(socket));
    if (since === Infinity) return slowest.connectionsCheckingInterval;
    return Math.max(0, since + this.#reading.withPauses(slowest.requestTimeout) - this.#now());
  }
}
