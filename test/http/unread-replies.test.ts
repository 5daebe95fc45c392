import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UnreadReplies } from '../../src/http/server/unread-replies.ts';
import { InFlight } from '../../src/sandbox/in-flight.ts';

/** The server's side of a connection whose client does not read 8 MiB. */
async function unreadConnection(): Promise<Socket> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Cast: a server that listens on a port has an address of this type.
  const client = connect((server.address() as AddressInfo).port).pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => {}).write(Buffer.alloc(8 * 1024 * 1024));
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  return socket;
}

const turn = (): Promise<void> => new Promise((done) => void setImmediate(() => setImmediate(done)));

describe('unread replies in a memory that is full', () => {
  it('of replies that are being built end no connection', async () => {
    const memory = new InFlight(100);
    memory.take(100);
    const socket = await unreadConnection();
    new UnreadReplies(memory).watch(socket);
    await turn();
    expect(socket.destroyed).toBe(false);
    expect(memory.used).toBeGreaterThan(100);
    socket.destroy();
    await once(socket, 'close');
    expect(memory.used).toBe(100);
  });

  it('of other unread replies end the oldest connection', { tags: ['slow'] }, async () => {
    const memory = new InFlight(9 * 1024 * 1024);
    const unread = new UnreadReplies(memory);
    const [first, second] = [await unreadConnection(), await unreadConnection()];
    unread.watch(first);
    await turn();
    unread.watch(second);
    await turn();
    expect([first.destroyed, second.destroyed]).toEqual([true, false]);
  });
});
