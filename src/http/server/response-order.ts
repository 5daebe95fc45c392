import type { Socket } from 'node:net';
import type { DirectResponse } from './direct-response.ts';
import { isOver } from './when-gone.ts';

/** The requests that wait for the response before theirs on their connection. */
export class ResponseOrder {
  readonly #waiting = new WeakMap<Socket, number>();

  /** Calls back when the response before has been sent. Disconnects a client with too many requests that wait. */
  after(previous: DirectResponse | null, socket: Socket, maxWaiting: number, callback: () => void): void {
    if (previous === null || isOver(previous)) return callback();
    const waiting = this.#count(socket, 1);
    if (waiting > maxWaiting) return void socket.destroy();
    previous.once('close', () => {
      this.#count(socket, -1);
      if (socket.writable) callback();
    });
  }

  #count(socket: Socket, change: number): number {
    const waiting = (this.#waiting.get(socket) ?? 0) + change;
    this.#waiting.set(socket, waiting);
    return waiting;
  }
}
