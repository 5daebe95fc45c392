import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendProblem } from '../../src/http/send-problem.ts';
import { serve } from '../support/serve.ts';
import { world } from '../support/world.ts';

interface Came {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Sends a request and returns the bytes of the response as they came. */
async function came(
  url: string,
  headers: Readonly<Record<string, string>> = { 'Accept-Encoding': 'gzip' },
  method = 'GET',
): Promise<Came> {
  const sent = request(url, { method, headers }).end();
  // The event has a single response.
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

async function statePath() {
  const { url, sandbox } = await world();
  return `${url}/control/sandboxes/${sandbox.id}/state`;
}

describe('a long response of the control plane', () => {
  it.each(['', '/submissions', '/coupons'])('is compressed for who accepts that: state%s', async (part) => {
    const path = `${await statePath()}${part}`;
    const plain = await came(path, {});
    const packed = await came(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const isLong = plain.bytes.length >= 16_384;
    expect(packed.headers['content-encoding']).toBe(isLong ? 'gzip' : undefined);
    const unpacked = isLong ? gunzipSync(packed.bytes) : packed.bytes;
    expect(unpacked.equals(plain.bytes)).toBe(true);
    if (isLong) expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
  });

  it('is not compressed for who refuses that', { tags: ['slow'] }, async () => {
    const path = await statePath();
    for (const accepted of ['identity', 'gzip;q=0', 'br'])
      expect((await came(path, { 'Accept-Encoding': accepted })).headers).not.toHaveProperty(
        'content-encoding',
      );
  });

  it.each(['openapi.yaml', 'sandboxes/default/state/quizzes?school=riverside'])(
    'has the same headers for HEAD: %s',
    async (name) => {
      const path = `${(await world()).url}/control/${name}`;
      const [whole, head] = [await came(path), await came(path, { 'Accept-Encoding': 'gzip' }, 'HEAD')];
      expect(whole.headers['content-encoding']).toBe('gzip');
      expect(head.bytes).toHaveLength(0);
      const changing = new Set(['date', 'sandbox-request-id', 'transfer-encoding']);
      const kept = ({ headers }: Came) => Object.entries(headers).filter(([name]) => !changing.has(name));
      expect(kept(head)).toEqual(kept(whole));
    },
  );

  it('ends for the others if a client leaves in the middle', { tags: ['slow'] }, async () => {
    const path = await statePath();
    const leaving = get(path, { headers: { 'Accept-Encoding': 'gzip' } });
    const [response] = (await once(leaving, 'response')) as [IncomingMessage];
    response.destroy();
    expect(JSON.parse(gunzipSync((await came(path)).bytes).toString())).toHaveProperty('collections');
  });
});

describe('a record with an entity tag', () => {
  it('is not compressed, so that its tag is right', async () => {
    const { url, sandbox } = await world();
    const id = '0123456789abcdef01234567';
    const list = `${url}/control/sandboxes/${sandbox.id}/state/courseItems`;
    const [like] = await sandbox.state.list('courseItems');
    if (like === undefined) throw new Error('There are no course items.');
    const record = await sandbox.state.put('courseItems', { ...like, id, title: 'x'.repeat(40_000) });
    const { headers, bytes } = await came(`${list}/${id}`);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.length).toBeGreaterThan(40_000);
    const reply = await fetch(`${list}/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'If-Match': headers.etag ?? '' },
      body: JSON.stringify(record),
    });
    expect(reply.status).toBe(200);
  });
});

describe('pages and their files', () => {
  it.each(['/console/console.js', '/docs', '/console/console.css', '/openapi.yaml', '/openapi.json'])(
    'are compressed: %s',
    async (path) => {
      const { url } = await serve();
      const [plain, packed] = [await came(`${url}${path}`, {}), await came(`${url}${path}`)];
      expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
      if (plain.bytes.length < 16_384) return expect(packed.headers).not.toHaveProperty('content-encoding');
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.headers).not.toHaveProperty('content-length');
      const known = { 'Accept-Encoding': 'gzip', 'If-None-Match': packed.headers.etag ?? '' };
      const again = await came(`${url}${path}`, known);
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    },
  );

  it.each(['/', '/docs', '/console/console.js', '/openapi.yaml', '/pages.css', '/assets/no-such.svg'])(
    'have the same headers for HEAD, and say that they vary: %s',
    async (path) => {
      const { url } = await serve();
      const changing = new Set(['date', 'sandbox-request-id', 'transfer-encoding']);
      const kept = ({ headers }: Came) => Object.entries(headers).filter(([name]) => !changing.has(name));
      for (const accepted of [{}, { 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'br' }]) {
        const [whole, head] = [
          await came(`${url}${path}`, accepted),
          await came(`${url}${path}`, accepted, 'HEAD'),
        ];
        expect(head.bytes).toHaveLength(0);
        expect(kept(head)).toEqual(kept(whole));
        expect(whole.headers.vary).toContain('Accept-Encoding');
        const known = await came(`${url}${path}`, { ...accepted, 'If-None-Match': whole.headers.etag ?? '' });
        expect(known.headers.vary).toBe(whole.headers.vary);
      }
    },
  );

  it('are not compressed if only a part is requested', async () => {
    const { url } = await serve();
    const headers = { 'Accept-Encoding': 'gzip', Range: 'bytes=0-19999' };
    const part = await came(`${url}/console/console.js`, headers);
    expect([part.status, part.bytes.length]).toEqual([206, 20_000]);
    expect(part.headers).not.toHaveProperty('content-encoding');
  });

  it('are compressed on a separate port of the control plane, too', async () => {
    const server = await serve({ controlPort: 0 });
    const { headers } = await came(`${server.control.url}/console/console.js`);
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('calls and event streams', () => {
  it('are not compressed', async () => {
    const { url, sandbox } = await world();
    const sent = request(`${url}/public/get-all-live-events`, {
      method: 'POST',
      headers: {
        'Accept-Encoding': 'gzip',
        'SERVICE-API-KEY': sandbox.apiKey('riverside'),
        'Content-Type': 'application/json',
      },
    }).end(JSON.stringify({ data: Array.from({ length: 20 }, () => ({ data: {} })) }));
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    expect(Number(reply.headers['content-length'])).toBeGreaterThan(16_384);
    expect(reply.headers).not.toHaveProperty('content-encoding');
    reply.resume();
    const stream = get(`${url}/control/sandboxes/${sandbox.id}/journal/stream`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    const [events] = (await once(stream, 'response')) as [IncomingMessage];
    expect(events.headers['content-type']).toContain('text/event-stream');
    expect(events.headers).not.toHaveProperty('content-encoding');
    stream.destroy();
  });
});

it('a problem that takes the place of a compressed response is not compressed, and says so', async () => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Encoding', 'gzip');
    sendProblem(response, { status: 503, title: 'Server stopping', detail: 'Try again later.' });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { headers, bytes } = await came(`http://127.0.0.1:${port}/`);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(bytes.toString())).toMatchObject({ title: 'Server stopping' });
});
