import type { Socket } from 'node:net';
import { inNextTurn } from '../../sandbox/clock.ts';
import type { InFlight } from '../../sandbox/in-flight.ts';

/** The part of a reply that a client may leave unread, in bytes. */
const uncountedBytes = 65_536;

/**
 * Counts the replies that clients have not read, in addition to those that are counted while they are built. If there
 * is no room for another, the client that has not read for the longest time is disconnected.
 */
export class UnreadReplies {
  readonly #inFlight: InFlight;
  readonly #sockets = new Map<Socket, () => void>();

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  /** Checks a connection to which a reply was just written. */
  watch(socket: Socket): void {
    // Only in the next turn does the length leave out what the system has taken.
    if (socket.writableLength > uncountedBytes) inNextTurn(() => this.#count(socket));
  }

  #count(socket: Socket): void {
    const bytes = socket.writableLength;
    if (bytes <= uncountedBytes || socket.destroyed) return;
    this.#sockets.get(socket)?.();
    while (!this.#inFlight.take(bytes)) {
      const [oldest] = this.#sockets.keys();
      if (oldest === undefined) {
        // The memory is full of replies that are being built. Their clients have not harmed anybody, nor has this one.
        this.#inFlight.add(bytes);
        break;
      }
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
