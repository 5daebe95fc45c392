import type { Socket } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { errorText } from '../../src/commands/error-text.ts';
import { fetchOver } from '../../src/http/connection/fetch-over.ts';
import { plainConnection } from '../../src/http/connection/options.ts';
import { readUrlText } from '../../src/upstream/recording/read-url.ts';
import { connect } from '../../src/upstream/calibrate/upstream.ts';
import { upstreamThat, upstreamThatSpeaks } from '../proxy/upstream.ts';

const key = 'sk_live_0123456789abcdef';

function serviceAt(base: string) {
  return connect(
    base,
    { own: key, second: null, other: null },
    fetchOver(new URL(base), { ...plainConnection, headers: ['X-Gateway', 'gateway-secret'] }, {}),
  );
}

/** Sends a whole reply with a body. */
function reply(head: string, body: Buffer | string): (socket: Socket) => void {
  const bytes = Buffer.from(body);
  return (socket) =>
    void socket.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\nContent-Length: ${bytes.length}\r\n\r\n`), bytes]),
    );
}

const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
const nested = `[{"output":{"status":"ok","data":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}}]`;

describe('a reply that cannot be used ends in a message, and no error of Node.js:', () => {
  it.each<readonly [string, (socket: Socket) => void, string]>([
    ['a status beyond 599', reply('999 Denied', '[]'), 'HTTP allows the statuses 100 to 599, not 999.'],
    [
      'a body that expands too much',
      reply('200 OK\r\nContent-Encoding: gzip', bomb),
      'its body is larger than 32 MiB after decompression.',
    ],
    [
      'a body that is not compressed',
      reply('200 OK\r\nContent-Encoding: gzip', 'text'),
      'its body is not gzip, although its Content-Encoding says so.',
    ],
    [
      'a compressed body without its end',
      reply('200 OK\r\nContent-Encoding: gzip', gzipSync('[1]').subarray(0, -6)),
      'its body is not gzip, although its Content-Encoding says so.',
    ],
    [
      'a body of an unknown encoding',
      reply('200 OK\r\nContent-Encoding: zstd', '[1]'),
      'its body is encoded as "zstd", which this command does not decode.',
    ],
    [
      'a body that is compressed three times',
      reply('200 OK\r\nContent-Encoding: gzip, gzip, gzip', gzipSync('[1]')),
      'its body is encoded as "gzip, gzip, gzip", which this command does not decode.',
    ],
    ['deep JSON', reply('200 OK', nested), 'its JSON is nested more than 1000 levels deep.'],
    [
      'deep JSON without an end',
      reply('200 OK', '['.repeat(5_000_000)),
      'its JSON is nested more than 1000 levels deep.',
    ],
  ])('%s', { tags: ['slow'] }, async (_, speak, words) => {
    const { url } = await upstreamThatSpeaks(speak);
    await expect(serviceAt(url).call({ operation: 'get-quiz-details' })).rejects.toMatchObject({
      message: `${new URL(url).host} sent a response that cannot be read: ${words}`,
      isDropped: false,
    });
  });

  it.each(['gzip, gzip', 'GZIP,identity, x-gzip'])(
    'but a body that is compressed twice is read: %s',
    async (encoding) => {
      const twice = gzipSync(gzipSync('[{"output":{"status":"ok","data":{}}}]'));
      const { url } = await upstreamThatSpeaks(reply(`200 OK\r\nContent-Encoding: ${encoding}`, twice));
      expect((await serviceAt(url).call({ operation: 'get-quiz-details' })).outputs).toMatchObject([
        { status: 'ok' },
      ]);
    },
  );

  it.each([
    ['with the zlib header that HTTP requires', deflateSync],
    ['without it', deflateRawSync],
  ])('but a body that is compressed with deflate is read %s', async (_, compress) => {
    const body = compress('[{"output":{"status":"ok","data":{}}}]');
    const { url } = await upstreamThatSpeaks(reply('200 OK\r\nContent-Encoding: deflate', body));
    expect((await serviceAt(url).call({ operation: 'get-quiz-details' })).outputs).toMatchObject([
      { status: 'ok' },
    ]);
  });

  it.each<readonly [string, (socket: Socket) => void, string]>([
    ['large headers', reply(`200 OK\r\nX: ${'x'.repeat(70_000)}`, ''), 'sent headers larger than 64 KiB'],
    [
      'another protocol',
      (socket) => void socket.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'switched to another protocol (UPGRADE). Only HTTP is supported.',
    ],
    [
      'interim responses without end',
      (socket) => void socket.write('HTTP/1.1 103 X\r\n\r\n'.repeat(500)),
      'sent more than 100 interim responses (1xx) (INTERIM). It may send at most 100.',
    ],
    [
      'a broken chunk',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      'sent a response that is not HTTP',
    ],
    [
      'a connection that is reset in the middle',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[');
        socket.resetAndDestroy();
      },
      'closed the connection before its response was complete (ECONNRESET).',
    ],
  ])('%s', async (_, speak, words) => {
    const { url } = await upstreamThatSpeaks(speak);
    await expect(serviceAt(url).call({ operation: 'get-quiz-details' })).rejects.toThrow(
      `${new URL(url).host} gave no usable response: The service ${url} ${words}`,
    );
  });

  it('a journal that breaks off', async () => {
    const { url } = await upstreamThatSpeaks(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n['),
    );
    await expect(readUrlText(url)).rejects.toThrow(/^Cannot read 127\.0\.0\.1:\d+: (?!.*terminated)/);
  });
});

describe('a URL that the service names', () => {
  it('is called without the key and the headers of the connection', async () => {
    const service = await upstreamThat((response) => response.end());
    const other = await upstreamThat((response) => response.end('#EXTM3U'));
    await serviceAt(service.url).read(`${other.url}/master.m3u8`);
    expect(JSON.stringify(other.got[0]?.rawHeaders)).not.toMatch(/gateway|sk_live/i);
  });

  it('is not called if it contains a part of the key and leads to another host', async () => {
    const service = await upstreamThat((response) => response.end());
    const other = await upstreamThat((response) => response.end('#EXTM3U'));
    await expect(serviceAt(service.url).read(`${other.url}/?token=${key}`)).rejects.toThrow(
      'was not called, because the URL contains a part of an API key',
    );
    expect(other.got).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'data:text/plain,x'])(
    'is read only over HTTP: %s',
    async (url) => {
      const service = await upstreamThat((response) => response.end());
      await expect(serviceAt(service.url).read(url)).rejects.toThrow(
        `is at a URL of the scheme ${new URL(url).protocol}`,
      );
    },
  );
});

describe('the message that ends a command', () => {
  it('has no characters that control the terminal', () => {
    expect(errorText(new Error('it says "\u001B[2J\u009B1m\u202E"'), [], {})).toBe(
      'it says "\uFFFD[2J\uFFFD1m\uFFFD"',
    );
  });
});
