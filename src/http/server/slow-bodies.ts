import { weightOfHeaders } from '../../base/weight.ts';
import { inNextTurn } from '../../sandbox/clock.ts';
import type { DirectRequest } from './direct-request.ts';

/** The memory of a connection whose request waits for the rest of its body, in addition to the headers and the body. */
const requestBytes = 8192;

/**
 * The small bodies of which a part has not arrived yet. If they need more memory than allowed, the client
 * that has not finished for the longest time is disconnected: one that sends its bodies at once is never harmed.
 */
export class SlowBodies {
  readonly #maxBytes: number;
  readonly #held = new Map<DirectRequest, number>();
  #bytes = 0;
  #expected: DirectRequest[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts a further part of a body. */
  hold(request: DirectRequest, partBytes: number): void {
    const before = this.#held.get(request);
    if (before === undefined) request.once('close', () => this.release(request));
    const growth =
      before === undefined ? partBytes + requestBytes + weightOfHeaders(request.rawHeaders) : partBytes;
    this.#held.set(request, (before ?? 0) + growth);
    this.#bytes += growth;
    for (const [oldest] of this.#held) {
      if (this.#bytes <= this.#maxBytes) break;
      this.release(oldest);
      oldest.socket.destroy();
    }
  }

  /** Counts a request whose body has not begun, if that has not changed in the next turn of the event loop. */
  expect(request: DirectRequest): void {
    if (this.#expected.length === 0) inNextTurn(() => this.#holdExpected());
    this.#expected.push(request);
  }

  #holdExpected(): void {
    const expected = this.#expected;
    this.#expected = [];
    for (const request of expected) if (request.isWaiting && !this.#held.has(request)) this.hold(request, 0);
  }

  /** The body is complete, is counted in another way, or will not arrive. */
  release(request: DirectRequest): void {
    const bytes = this.#held.get(request);
    if (bytes === undefined) return;
    this.#bytes -= bytes;
    this.#held.delete(request);
  }
}
