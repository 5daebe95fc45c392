import type { Socket } from 'node:net';
import { after } from '../../sandbox/clock.ts';

/** How long a client may continue to send after the reply, in milliseconds. */
const lingerMs = 2_000;

/**
 * Delays closing the connection until the client closes it or has had time to read the reply. A client that
 * is still sending when the connection closes gets an error instead of the reply (RFC 9112, section 9.6).
 */
export function lingerAtClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    closeSoon(socket);
  };
}

/** Closes a connection in two seconds, whatever its client does. */
export function closeSoon(socket: Socket): void {
  const deadline = after(lingerMs, () => socket.destroy());
  socket.once('close', () => deadline.cancel());
}
