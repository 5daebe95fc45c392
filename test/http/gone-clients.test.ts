import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serve } from '../support/serve.ts';

/**
 * Sends requests one behind the other on one connection, waits until the first is being answered, and hangs
 * up.
 */
async function pipelined(
  url: string,
  requests: readonly string[],
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(requests.join(''));
  await expect.poll(isUnderWay).toBe(true);
  socket.destroy();
}

function request(method: string, path: string, body = '', headers = ''): string {
  const length = Buffer.byteLength(body);
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;
}

const delayed = (key: string): string =>
  request(
    'POST',
    '/public/get-all-instructors',
    '{"data":[{"data":{}}]}',
    `SERVICE-API-KEY: ${key}\r\nSandbox-Fault: delay; ms=60000\r\n`,
  );

describe('a client that hangs up before its earlier requests are answered', () => {
  it('leaves no journal stream behind', async () => {
    const server = await serve({ max: { journalStreams: 3 } });
    const { default: sandbox, url } = server;
    const stream = '/control/sandboxes/default/journal/stream';
    await pipelined(
      url,
      [delayed(sandbox.apiKey('riverside')), ...[1, 2, 3].map(() => request('GET', stream))],
      async () => {
        const { status, body } = await fetch(`${url}${stream}`);
        await body?.cancel();
        return status === 503;
      },
    );
    await expect
      .poll(async () => {
        const { status, body } = await fetch(`${url}${stream}`);
        await body?.cancel();
        return status;
      })
      .toBe(200);
  });

  it('leaves no body of the control plane counted', async () => {
    const server = await serve({ max: { bodiesInFlightBytes: 1_048_576 } });
    const { url } = server;
    const large = JSON.stringify({ name: 'x'.repeat(250_000) });
    const put = async (): Promise<number> => {
      const headers = { 'Content-Type': 'application/json' };
      return (
        await fetch(`${url}/control/sandboxes/default/scenario`, { method: 'PUT', headers, body: large })
      ).status;
    };
    const waiting = request(
      'POST',
      '/control/sandboxes/default/journal/verify',
      '{"waitMs":60000,"counts":[{"times":1000}]}',
    );
    await pipelined(
      url,
      [waiting, request('PUT', '/control/sandboxes/default/scenario', large)],
      async () => (await put()) === 503,
    );
    await expect.poll(put).toBe(400);
  });
});
