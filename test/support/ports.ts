import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * A port of 127.0.0.1 that refuses connections to the end of the test. A connection goes out from it, so
 * nobody else can listen there; a port that was listened on and freed may be given to the next server, such
 * as the one under test.
 */
export async function refusingPort(): Promise<number> {
  const server = await listenOn(0);
  // A server that listens on a port has an address of this kind.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[accepted]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ];
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  if (client.localPort === undefined) throw new Error('The connection has no port of its own.');
  return client.localPort;
}

/**
 * A port of 127.0.0.1 to listen on, now and again later: none of those that are given to who asks for any
 * free one.
 */
export async function unassignedPort(): Promise<number> {
  for (;;) {
    // Linux gives those from 32768 on, other systems those from 49152 on.
    const port = randomInt(20_000, 32_000);
    const server = await listenOn(port).catch(() => null);
    if (server === null) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
