import { it } from 'vitest';
import { Connection, requestText } from './support/connection.ts';
import { phase, type Target } from './support/phase.ts';

const maxDescriptors = 64;
const idleCount = 120;
/** What needs files, or code that is loaded at its first use. */
const paths = [
  '/',
  '/docs',
  '/docs/failures',
  '/docs/postman.json',
  '/console',
  '/pages.css',
  '/openapi.json',
  '/control/sandboxes',
  '/metrics',
];

it('64 file descriptors, 120 idle connections', async (context) => {
  await phase(
    context,
    {
      maxDescriptors,
      connections: 1,
      maxMemoryMiB: 384,
      expectedErrors: /^The server refused a connection: 20 are open, as many as .* \(64\) allow\./,
    },
    async (target) => {
      // While there is room: a client that asks for pages later.
      const early = new Connection(target.port);
      early.send(requestText('GET', '/healthz'));
      await early.next('GET', 5000);
      for (let round = 0; round < 3; round += 1) {
        const idle = Array.from({ length: idleCount }, () => new Connection(target.port));
        await Promise.all(idle.map(settled));
        target.sent(idleCount);
        await askAll(target, early);
        for (const connection of idle) connection.destroy();
        await untilRoom(target);
      }
      early.destroy();
    },
  );
});

/** Waits until a connection is open, or was closed at once. */
async function settled({ socket }: Connection): Promise<void> {
  if (!socket.connecting) return;
  await new Promise((done) => {
    socket.once('connect', done).once('close', done);
  });
}

/** Connections never take the descriptors that pages need. */
async function askAll(target: Target, connection: Connection): Promise<void> {
  for (const path of paths) {
    target.sent();
    connection.send(requestText('GET', path));
    const arrival = await connection.next('GET', 10_000);
    if (arrival === null || 'ended' in arrival) {
      target.wrong(
        `GET ${path} while idle connections take all they can: ${arrival === null ? 'no response' : arrival.ended}.`,
      );
      return;
    }
    const { status, headers, body } = arrival;
    if (status !== 200) {
      target.wrong(
        `GET ${path} while idle connections take all they can: status ${status}, ${JSON.stringify(headers)} ${body.toString('utf8', 0, 300)}`,
        status,
      );
    }
  }
}

/** The connections of a client that has gone do not stay open. */
async function untilRoom(target: Target): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const open = target.descriptors();
    if (open === null || open < maxDescriptors / 2) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  target.wrong(
    `5 s after the idle connections were closed, the server has ${target.descriptors()} descriptors open.`,
  );
}
