import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { refusingPort } from '../support/ports.ts';
import { stopRealTime, watchTimers } from '../support/wire.ts';
import {
  goodBody,
  goodReply,
  opened,
  proxyTo,
  realKey,
  send,
  upstreamThat,
  upstreamThatSpeaks,
} from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

describe('what comes from the upstream', () => {
  it(
    'passes through as it is: status and words, headers in their order and case, body',
    { tags: ['slow'] },
    async () => {
      const upstream = await upstreamThat((response) => {
        response.sendDate = false;
        response.writeHead(200, 'Fine', [
          'X-Odd-CASE',
          'a',
          'Set-Cookie',
          'one=1',
          'content-TYPE',
          'application/json',
          'Set-Cookie',
          'two=2',
        ]);
        response.end(goodReply);
      });
      const proxy = await proxyTo(upstream.url);
      const reply = await send(proxy.url);
      expect([reply.status, reply.statusText, reply.text]).toEqual([200, 'Fine', goodReply]);
      expect(reply.rawHeaders.slice(0, 8)).toEqual([
        'X-Odd-CASE',
        'a',
        'Set-Cookie',
        'one=1',
        'content-TYPE',
        'application/json',
        'Set-Cookie',
        'two=2',
      ]);
      const names = reply.rawHeaders.filter((_, at) => at % 2 === 0);
      expect(names.slice(4)).toEqual(['Sandbox-Request-Id', 'Content-Length', 'Connection']);
    },
  );

  it.each([400, 404, 418, 429, 500, 501, 503, 599])('keeps the status %i', async (status) => {
    const upstream = await upstreamThat((response) => response.writeHead(status, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const reply = await send(proxy.url);
    expect([reply.status, reply.text]).toEqual([status, goodReply]);
  });

  it('is not followed where it is a redirect, so nobody else sees the key', { tags: ['slow'] }, async () => {
    const elsewhere = await upstreamThat((response) => response.end());
    const location = `${elsewhere.url}/public/get-quiz-details`;
    for (const status of [301, 302, 303, 307, 308]) {
      const upstream = await upstreamThat((response) =>
        response.writeHead(status, { Location: location }).end(),
      );
      const proxy = await proxyTo(upstream.url);
      const reply = await send(proxy.url);
      expect([reply.status, reply.headers.location]).toEqual([status, location]);
    }
    expect(elsewhere.got).toEqual([]);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['Deflate', deflateRawSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ])(
    'keeps its bytes where they are compressed with %s, and is checked all the same',
    async (encoding, compress) => {
      const compressed = compress('[{"output":{"status":"maybe"}}]');
      const upstream = await upstreamThat((response) =>
        response.writeHead(200, { ...json, 'Content-Encoding': encoding }).end(compressed),
      );
      const proxy = await proxyTo(upstream.url);
      const reply = await send(proxy.url, { headers: { 'Accept-Encoding': 'gzip, br;q=0.9' } });
      expect(reply.body.equals(compressed)).toBe(true);
      expect(reply.headers['content-encoding']).toBe(encoding);
      expect(upstream.got[0]?.headers['accept-encoding']).toBe('gzip, br;q=0.9');
      const [entry] = proxy.journal();
      expect(entry?.response).toBe('[{"output":{"status":"maybe"}}]');
      expect(entry?.responseViolations).toEqual([
        { pointer: '/0/output/status', message: 'must be "ok" or "error", but is the string "maybe".' },
      ]);
    },
  );

  it('asks for no compression that the client did not ask for', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    await send((await proxyTo(upstream.url)).url);
    expect(upstream.got[0]?.headers['accept-encoding']).toBeUndefined();
  });

  it.each([
    [Buffer.from('no gzip'), 'gzip', 'is declared as "gzip", but cannot be decompressed.'],
    [gzipSync(goodReply).subarray(0, 20), 'gzip', 'is declared as "gzip", but cannot be decompressed.'],
  ])(
    'passes through even where it cannot be decompressed, which is told',
    async (bytes, encoding, message) => {
      const upstream = await upstreamThat((response) =>
        response.writeHead(200, { ...json, 'Content-Encoding': encoding }).end(bytes),
      );
      const proxy = await proxyTo(upstream.url);
      expect((await send(proxy.url)).body.equals(bytes)).toBe(true);
      expect(proxy.journal()[0]?.responseViolations).toEqual([{ pointer: '', message }]);
    },
  );

  it('passes through in an encoding that nobody knows, unchecked, which is told apart from a violation', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'snail' }).end('@@@'),
    );
    const proxy = await proxyTo(upstream.url);
    expect((await send(proxy.url)).text).toBe('@@@');
    expect(proxy.journal()[0]?.responseViolations).toEqual([]);
    expect(proxy.passed[0]?.unchecked).toEqual([
      'The body of the response is encoded as "snail", which the proxy does not support.',
    ]);
  });

  it('has no body where HEAD asked, and the length of the one there would be', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, { 'Content-Length': '1234', ETag: '"a"' }).end(),
    );
    const proxy = await proxyTo(upstream.url);
    const reply = await send(proxy.url, { method: 'HEAD', body: '' });
    expect([reply.status, reply.headers['content-length'], reply.headers.etag, reply.text]).toEqual([
      200,
      '1234',
      '"a"',
      '',
    ]);
  });

  it('has no length where its status has no body', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(204).end());
    const reply = await send((await proxyTo(upstream.url)).url);
    expect([reply.status, reply.headers['content-length'], reply.headers['transfer-encoding']]).toEqual([
      204,
      undefined,
      undefined,
    ]);
  });

  it('leaves headers of its connection behind, those that Connection names among them', async () => {
    const upstream = await upstreamThat((response) =>
      response
        .writeHead(200, {
          ...json,
          Connection: 'X-Mine',
          'X-Mine': 'a',
          'Keep-Alive': 'timeout=3',
          Trailer: 'X-End',
          'X-Yours': 'b',
        })
        .end(goodReply),
    );
    const { headers } = await send((await proxyTo(upstream.url)).url);
    expect([headers['x-mine'], headers['keep-alive'], headers.trailer, headers['x-yours']]).toEqual([
      undefined,
      undefined,
      undefined,
      'b',
    ]);
  });

  it('has no trailers: what comes after the body is dropped, and the body is whole', async () => {
    const upstream = await upstreamThat((response) => {
      response.writeHead(200, { ...json, Trailer: 'X-Sum', 'Transfer-Encoding': 'chunked' });
      response.write(goodReply.slice(0, 9));
      response.addTrailers({ 'X-Sum': 'abc123' });
      response.end(goodReply.slice(9));
    });
    const direct = await send(upstream.url);
    expect([direct.text, direct.trailers]).toEqual([goodReply, { 'x-sum': 'abc123' }]);
    const { text, trailers, headers } = await send((await proxyTo(upstream.url)).url);
    expect([text, trailers, headers.trailer, headers['x-sum']]).toEqual([
      goodReply,
      {},
      undefined,
      undefined,
    ]);
  });
});

describe('what the client sends', () => {
  it('reaches the upstream as it is: path behind the path of the upstream, query, headers, bytes of the body', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(`${upstream.url}/base/v2/`);
    const body = Buffer.from(`{"data": [ {"data":{"quizId":"\u00e9"} } ]}\n`);
    await send(proxy.url, {
      path: '/public/get-quiz-details?a=1&b=%20',
      headers: { 'X-Trace': 'é', 'User-Agent': 'me/1' },
      body,
    });
    const [got] = upstream.got;
    expect([got?.method, got?.url, got?.headers['user-agent'], got?.headers['service-api-key']]).toEqual([
      'POST',
      '/base/v2/public/get-quiz-details?a=1&b=%20',
      'me/1',
      realKey,
    ]);
    expect(got?.rawHeaders).toContain('SERVICE-API-KEY');
    expect(got?.headers.host).toBe(new URL(upstream.url).host);
    expect(got?.body.equals(body)).toBe(true);
    expect(got?.headers['content-length']).toBe(String(body.length));
  });

  it('reaches it with its length where it came in chunks', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const reply = await fetch(`${proxy.url}/public/get-quiz-details`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'SERVICE-API-KEY': realKey },
      body: new Blob([goodBody]).stream(),
      duplex: 'half',
    });
    expect(await reply.text()).toBe(goodReply);
    const [got] = upstream.got;
    expect([got?.headers['transfer-encoding'], got?.headers['content-length'], got?.body.toString()]).toEqual(
      [undefined, '57', goodBody],
    );
  });

  it('is checked where it is compressed, and stays so', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const body = gzipSync('{"data":[{"data":{"quizId":7}}]}');
    await send(proxy.url, { headers: { 'Content-Encoding': 'gzip' }, body });
    expect(upstream.got[0]?.body.equals(body)).toBe(true);
    expect(proxy.journal()[0]?.violations).toEqual([
      { pointer: '/data/0/data/quizId', message: 'must be a string, but is the number 7.' },
    ]);
  });

  it.each([
    ['GET', '/public/get-quiz-details', 200],
    ['PUT', '/public/get-quiz-details', 200],
    ['POST', '/public/of-tomorrow', 200],
    ['OPTIONS', '/public/get-quiz-details', 200],
  ])('is passed on unchecked where it is no call: %s %s', async (method, path, status) => {
    const upstream = await upstreamThat((response) => response.writeHead(200).end('as it is'));
    const proxy = await proxyTo(upstream.url);
    const reply = await send(proxy.url, { method, path, body: method === 'PUT' ? 'some' : '' });
    expect([reply.status, reply.text, upstream.got[0]?.method, upstream.got[0]?.url]).toEqual([
      status,
      'as it is',
      method,
      path,
    ]);
    expect([proxy.journal(), proxy.passedBy]).toEqual([[], [`${method} ${path} ${status}`]]);
  });

  it.each([
    ['/public/other;token=hidden7/x', '/public/other;token=…'],
    ['/public/other/token=hidden7', '/public/other/token=…'],
    ['/public/a/user:hidden7@host', '/public/a/user:…@host'],
  ])('is shown without secrets in its path: %s', async (path, shown) => {
    const upstream = await upstreamThat((response) => response.end());
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, { method: 'GET', path, body: '' });
    expect(upstream.got[0]?.url).toBe(path);
    expect(proxy.passedBy.join()).toContain(shown);
    expect(proxy.passedBy.join()).not.toContain('hidden7');
  });

  it('never reaches it where it is for the proxy itself', async () => {
    const upstream = await upstreamThat((response) => response.end('of the upstream'));
    const proxy = await proxyTo(upstream.url);
    for (const path of ['/', '/healthz', '/control/sandboxes', '/openapi.yaml', '/elsewhere'])
      await send(proxy.url, { method: 'GET', path, body: '' });
    expect(upstream.got).toEqual([]);
  });
});

function detailOf(text: string): string {
  return (JSON.parse(text) as { detail: string }).detail;
}

describe('an upstream without an answer', () => {
  it('is named with 504 where it is silent for too long', { tags: ['slow'] }, async () => {
    const upstream = await upstreamThat(() => {});
    const proxy = await proxyTo(upstream.url, { timeoutMs: 100 });
    const reply = await send(proxy.url);
    expect([reply.status, reply.headers['content-type']]).toEqual([
      504,
      'application/problem+json; charset=utf-8',
    ]);
    expect(detailOf(reply.text)).toBe(
      `The service ${upstream.url} did not respond for 0.1 s. It is unknown whether it processed the request. Set --timeout to wait longer.`,
    );
    expect(proxy.journal()[0]).toMatchObject({
      status: 504,
      outcome: 'upstream-timeout',
      outcomes: [],
      responseViolations: [],
    });
  });

  it('is named with 504 where it stops in the middle of its reply', { tags: ['slow'] }, async () => {
    const upstream = await upstreamThat(
      (response) => void response.writeHead(200, { ...json, 'Content-Length': '100' }).write('[{'),
    );
    const reply = await send((await proxyTo(upstream.url, { timeoutMs: 100 })).url);
    expect(reply.status).toBe(504);
  });

  it('is waited for as long as it is not silent', async () => {
    stopRealTime();
    const timeoutMs = 7000;
    const { lengths } = watchTimers();
    const waits = (): number => lengths.filter((length) => length === timeoutMs).length;
    const told = new EventEmitter();
    const hasCome = once(told, 'come');
    const upstream = await upstreamThat((response) => void told.emit('come', response.writeHead(200, json)));
    const replied = send((await proxyTo(upstream.url, { timeoutMs })).url);
    const [response] = (await hasCome) as [ServerResponse];
    for (const piece of goodReply.match(/.{1,20}/g) ?? []) {
      const before = waits();
      response.write(piece);
      await eventually(() => expect(waits()).toBeGreaterThan(before));
      vi.advanceTimersByTime(timeoutMs - 1);
    }
    response.end();
    const { status, text } = await replied;
    expect([status, text]).toEqual([200, goodReply]);
  });

  it.each([
    [
      'refuses connections',
      async () => ({ url: `http://127.0.0.1:${await refusingPort()}` }),
      /refuses connections \(ECONNREFUSED\)\. Is it running/,
    ],
    [
      'resets the connection',
      () => upstreamThatSpeaks((socket) => socket.resetAndDestroy()),
      /closed the connection before its response was complete \(ECONNRESET\)/,
    ],
    [
      'hangs up',
      () => upstreamThatSpeaks((socket) => socket.end()),
      /closed the connection before its response was complete/,
    ],
    [
      'breaks off in the middle',
      () =>
        upstreamThatSpeaks((socket) =>
          socket.end(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{"out',
          ),
        ),
      /closed the connection before its response was complete/,
    ],
    [
      'sends too many headers',
      () =>
        upstreamThatSpeaks((socket) =>
          socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`),
        ),
      /sent headers larger than 64 KiB/,
    ],
    [
      'speaks something else',
      () => upstreamThatSpeaks((socket) => socket.end('220 mail.example ESMTP\r\n')),
      /not HTTP \(HPE_\w+\)\. Is the port/,
    ],
    [
      'has no such name',
      async () => ({ url: 'http://nobody.invalid' }),
      /has a host name that cannot be resolved|The request to the service|cannot be reached/,
    ],
    [
      'speaks no TLS',
      async () => ({
        url: (
          await upstreamThatSpeaks((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
        ).url.replace('http', 'https'),
      }),
      /failed the TLS handshake/,
    ],
  ])('is named with 502 where it %s', async (_, there, message) => {
    const { url } = await there();
    const proxy = await proxyTo(url);
    const reply = await send(proxy.url);
    expect(reply.status).toBe(502);
    expect(detailOf(reply.text)).toMatch(message);
    expect(detailOf(reply.text)).toContain(`The service ${url} `);
    expect(proxy.journal()[0]).toMatchObject({ status: 502, outcome: 'upstream-failed' });
  });

  it('is left alone where the client does not wait, and the journal tells', async () => {
    const told = new EventEmitter();
    const [hasCome, wasLeft] = [once(told, 'come'), once(told, 'left')];
    const upstream = await upstreamThat((response) => {
      response.once('close', () => told.emit('left'));
      told.emit('come');
    });
    const proxy = await proxyTo(upstream.url);
    const head = `POST /public/get-quiz-details HTTP/1.1\r\nHost: a\r\nSERVICE-API-KEY: ${realKey}\r\nContent-Type: application/json\r\n`;
    const socket = await opened(proxy.url, `${head}Content-Length: ${goodBody.length}\r\n\r\n${goodBody}`);
    await hasCome;
    socket.destroy();
    await wasLeft;
    await eventually(() => expect(proxy.journal()).toMatchObject([{ status: 0, outcome: 'client-gone' }]));
  });

  it(
    'never hears of a call whose client hangs up before its end, in the first piece or far behind it',
    { tags: ['slow'] },
    async () => {
      const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
      const proxy = await proxyTo(upstream.url);
      for (const begun of ['{"data', ' '.repeat(17 * 1024 * 1024)]) {
        const head =
          'POST /public/get-quiz-details HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 30000000\r\n\r\n';
        const socket = await opened(proxy.url, `${head}${begun}`);
        socket.destroy();
        expect((await send(proxy.url)).status).toBe(200);
      }
      await eventually(() => expect(proxy.journal().filter(({ status }) => status === 200)).toHaveLength(2));
      expect(upstream.got.map(({ body }) => body.toString())).toEqual([goodBody, goodBody]);
    },
  );

  it('is found to be the proxy itself where calls come back, at once', async () => {
    const other = await upstreamThat((response, { headers }) => {
      // Somebody who passes everything on, to where it came from.
      void send(proxy.url, { headers: { 'Sandbox-Proxy': String(headers['sandbox-proxy']) } }).then(
        ({ status, text }) => response.writeHead(status).end(text),
      );
    });
    const proxy = await proxyTo(other.url);
    const reply = await send(proxy.url);
    expect(reply.status).toBe(508);
    expect(reply.text).toContain('The service forwards to this proxy.');
    expect(other.got).toHaveLength(1);
  });
});
