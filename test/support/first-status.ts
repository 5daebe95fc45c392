import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Sends a text on a connection of its own. Returns the status of the first response, or why there is none. */
export function firstStatus(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    onTestFinished(() => void socket.destroy());
    socket
      .once('data', (reply: string) => done(reply.slice(9, 12)))
      .on('error', ({ message }) => done(message))
      .once('close', () => done('closed'));
    socket.write(text);
  });
}
