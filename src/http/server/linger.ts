import type { Socket } from 'node:net';
import { after } from '../../sandbox/clock.ts';

/** How long a client may go on sending what nobody reads, in milliseconds. */
const lingerMs = 2_000;

/**
 * Lets the server close the connection only when its client has closed it, or has had the time to read the reply. A client that is still
 * sending when the connection closes gets an error in place of the reply (RFC 9112, section 9.6).
 */
export function lingerAtClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const deadline = after(lingerMs, () => socket.destroy());
    socket.once('close', () => deadline.cancel());
  };
}
