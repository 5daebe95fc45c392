import type { Socket } from 'node:net';
import type { InFlight } from '../../sandbox/in-flight.ts';

/** The part of a reply that a client may leave unread, in bytes. */
const uncountedBytes = 65_536;

/**
 * Counts the replies that clients have not read, beside those that are counted while they are built. If there
 * is no room for another, the client that has not read for longest is disconnected.
 */
export class UnreadReplies {
  readonly #inFlight: InFlight;
  readonly #sockets = new Map<Socket, () => void>();

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  /** Checks a connection to which a reply was just written. */
  watch(socket: Socket): void {
    const bytes = socket.writableLength;
    if (bytes <= uncountedBytes || socket.destroyed) return;
    this.#sockets.get(socket)?.();
    while (!this.#inFlight.take(bytes)) {
      const [oldest] = this.#sockets.keys();
      if (oldest === undefined) return void socket.destroy();
      this.#sockets.get(oldest)?.();
      oldest.destroy();
    }
    const end = (): void => {
      if (!this.#sockets.delete(socket)) return;
      this.#inFlight.give(bytes);
      socket.off('drain', end);
      socket.off('close', end);
    };
    this.#sockets.set(socket, end);
    socket.once('drain', end);
    socket.once('close', end);
  }
}
