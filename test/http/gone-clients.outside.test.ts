import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../support/serve.ts';

/** Sends requests one behind the other on one connection, and hangs up when the first is being answered. */
async function pipelined(url: string, requests: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(requests.join(''));
  await once(socket, 'data');
  socket.destroy();
}

function request(method: string, path: string, body = '', headers = ''): string {
  const length = Buffer.byteLength(body);
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;
}

const stream = '/control/sandboxes/default/journal/stream';

describe('a client that hangs up before its earlier requests are answered', () => {
  it('leaves no journal stream behind, and has nothing done that waited for its turn', async () => {
    const server = await serve({ max: { journalStreams: 1 } });
    const { url } = server;
    const { id } = await server.createSandbox();
    const open = async (): Promise<number> => {
      const { status, body } = await fetch(`${url}${stream}`);
      await body?.cancel();
      return status;
    };
    await pipelined(url, [request('GET', stream), request('DELETE', `/control/sandboxes/${id}`)]);
    await expect.poll(open).toBe(200);
    expect((await fetch(`${url}/control/sandboxes/${id}`)).status).toBe(200);
  });

  it('leaves no body of the control plane counted', async () => {
    const server = await serve({ max: { bodiesInFlightBytes: 1_048_576 } });
    const { url } = server;
    const large = JSON.stringify({ name: 'x'.repeat(250_000) });
    const path = '/control/sandboxes/default/scenario';
    const put = async (): Promise<number> => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${url}${path}`, { method: 'PUT', headers, body: large })).status;
    };
    await pipelined(url, [request('GET', stream), request('PUT', path, large)]);
    await expect.poll(put).toBe(400);
  });
});

describe('a client that reads nothing', () => {
  it('has one response built at a time, and reads all of them in order in the end', async () => {
    const { url, default: sandbox } = await serve();
    const { id } = sandbox;
    await sandbox.snapshots.take('kept');
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).pause();
    onTestFinished(() => void socket.destroy());
    const deletion = request('DELETE', `/control/sandboxes/${id}/snapshots/kept`);
    // More than the buffers of the system take.
    socket.write(request('GET', `/control/sandboxes/${id}/state`).repeat(80) + deletion);
    const snapshots = async (): Promise<string> =>
      (await fetch(`${url}/control/sandboxes/${id}/snapshots`)).text();
    await snapshots();
    expect(await snapshots()).toContain('kept');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.resume();
    await expect.poll(() => text.match(/HTTP\/1.1 \d+/g)?.length).toBe(81);
    expect(text.match(/HTTP\/1.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 204');
    expect(await snapshots()).not.toContain('kept');
  });
});

/** The sockets of this process, at both ends. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

describe('a connection that its client has ended within a request', () => {
  it.each(['POST /public/get-all-', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'is given up after %j, while a call before it has no response',
    async (rest) => {
      const { url, default: sandbox } = await serve();
      const before = sockets();
      const headers = `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}\r\nSandbox-Fault: timeout\r\n`;
      const call = request('POST', '/public/get-all-instructors', '{"data":[{"data":{}}]}', headers);
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {}).end(call + rest);
      await new Promise((done) => socket.once('close', done).resume());
      await expect.poll(sockets).toBeLessThanOrEqual(before);
    },
  );
});
