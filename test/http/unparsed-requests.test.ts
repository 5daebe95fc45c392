import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { sharedServer, world, type World } from '../support/world.ts';

const body = '{"data":[{"data":{}}]}';

/** Sends text as a client, and returns what it receives until the server ends the connection. */
function exchange(url: string, text: string | Buffer): Promise<string> {
  return new Promise((done) => {
    let heard = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.on('error', () => {}).on('close', () => done(heard));
  });
}

/** The same, and returns the status lines of the replies. */
async function send(url: string, text: string | Buffer): Promise<readonly string[]> {
  return (await exchange(url, text)).match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

/** Sends text as a client, and resets the connection when the server has read the head of the request. */
async function resetAfter(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
  await once(socket, 'data');
  socket.resetAndDestroy();
}

/** A connection whose end this side closes by itself. It is gone after the test. */
function halfOpen(url: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return socket;
}

function request(method: string, target: string, ...headers: readonly string[]): string {
  return requestOf(`${method} ${target} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`]);
}

function requestOf(line: string, headers: readonly string[], content = body): string {
  const lines = [line, 'Host: sandbox.example', 'Content-Type: application/json', ...headers];
  return [...lines, '', content].join('\r\n');
}

async function reportOn(own: World, ...texts: readonly (string | Buffer)[]) {
  for (const text of texts) expect(await send((await sharedServer()).url, text)).toHaveLength(1);
  return { entries: await own.sandbox.journal.list(), report: await own.sandbox.report() };
}

describe('a request that the HTTP parser refuses', () => {
  it.each(['patch', 'post', 'Post', 'FETCH', 'UPDATE'])(
    'is journaled as unmatched, and is a violation: the method %s',
    async (method) => {
      const own = await world();
      const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
      const { entries, report } = await reportOn(own, request(method, '/public/get-all-instructors', key));
      expect(entries).toMatchObject([
        { outcome: 'unmatched', method, operation: 'get-all-instructors', status: 400, school: 'riverside' },
      ]);
      expect(report.violations).toMatchObject([{ count: 1 }]);
      expect(report.violations[0]?.message).toContain(JSON.stringify(method));
    },
  );

  it('is journaled if its headers are too large, by what was readable of it', async () => {
    const own = await world();
    const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
    const large = `X-Context: ${'x'.repeat(60_000)}`;
    const { entries } = await reportOn(own, request('POST', '/public/get-all-instructors', key, large));
    expect(entries).toMatchObject([{ outcome: 'unmatched', status: 431 }]);
    expect(entries[0]?.violations[0]?.message).toContain('16 KiB');
  });

  it('is journaled behind another one of its connection', async () => {
    const own = await world();
    const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
    const first = request('POST', '/public/get-all-instructors', key);
    const second = request('patch', '/public/update-interactive-coding-lab', key);
    expect(await send((await sharedServer()).url, first + second)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    const entries = await own.sandbox.journal.list();
    expect(entries.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'get-all-instructors ok',
      'update-interactive-coding-lab unmatched',
    ]);
  });

  it('has its own method and target, whatever words the body before it has', async () => {
    const own = await world();
    const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
    const words = '{"data":[{"data":{"note":"words of a body"}}]}';
    const headers = [key, `Content-Length: ${words.length}`];
    const first = requestOf('POST /public/get-all-instructors HTTP/1.1', headers, words);
    const second = request('patch', '/public/update-interactive-coding-lab', key);
    await send((await sharedServer()).url, first + second);
    expect((await own.sandbox.journal.list()).at(-1)).toMatchObject({
      method: 'patch',
      operation: 'update-interactive-coding-lab',
    });
  });

  it('is searched for keys, which are not stored', async () => {
    const own = await world();
    const key = own.sandbox.apiKey('riverside');
    const target = `/public/get-all-instructors?key=${key}`;
    const { entries, report } = await reportOn(own, request('patch', target, `SERVICE-API-KEY: ${key}`));
    expect(entries).toMatchObject([{ keyElsewhere: ['url'] }]);
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(report.conduct.find(({ check }) => check === 'key-secrecy')?.verdict).toBe('failed');
  });

  it('is journaled if it has too many headers, or two hosts', async () => {
    const own = await world();
    const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
    const many = Array.from({ length: 201 }, (_, index) => `X-${index}: a`);
    const path = '/public/get-all-instructors';
    const { entries } = await reportOn(
      own,
      request('POST', path, key, ...many),
      request('POST', path, key, 'Host: b'),
    );
    expect(entries.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['unmatched', 400],
      ['unmatched', 400],
    ]);
  });

  it('is journaled if its client ends the connection within its body', { tags: ['slow'] }, async () => {
    const own = await world();
    const headers = [
      `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`,
      `Content-Length: ${body.length + 5}`,
    ];
    const socket = halfOpen(own.url);
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.end(requestOf('POST /public/get-all-instructors HTTP/1.1', headers));
    await expect.poll(() => heard).toContain('"detail"');
    expect(await own.sandbox.journal.list()).toMatchObject([
      { outcome: 'unmatched', operation: 'get-all-instructors', status: 400, school: 'riverside' },
    ]);
    expect((await own.sandbox.report()).violations[0]?.message).toContain('Content-Length is larger');
  });

  it(
    'is journaled as left if its client resets the connection within its body',
    { tags: ['slow'] },
    async () => {
      const own = await world();
      const key = own.sandbox.apiKey('riverside');
      const headers = [`SERVICE-API-KEY: ${key}`, `Content-Length: ${body.length + 5}`];
      const { url } = await sharedServer();
      await resetAfter(url, requestOf(`POST /public/get-all-instructors?key=${key} HTTP/1.1`, headers));
      await expect.poll(() => own.sandbox.journal.list()).toHaveLength(1);
      const entries = await own.sandbox.journal.list();
      expect(entries).toMatchObject([
        {
          outcome: 'client-gone',
          operation: 'get-all-instructors',
          status: 0,
          clientLeft: true,
          keyElsewhere: ['url'],
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain(key);
      expect((await own.sandbox.report()).violations).toEqual([]);
    },
  );

  it(
    'has one entry if its client ends the connection, and resets it after the response',
    { tags: ['slow'] },
    async () => {
      const own = await world();
      const headers = [
        `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`,
        `Content-Length: ${body.length + 5}`,
      ];
      const socket = halfOpen(own.url);
      socket.end(requestOf('POST /public/get-all-instructors HTTP/1.1', headers));
      await once(socket, 'data');
      socket.resetAndDestroy();
      await resetAfter(own.url, requestOf('POST /public/get-all-live-events HTTP/1.1', headers));
      await expect.poll(async () => (await own.sandbox.journal.list()).length).toBe(2);
      expect((await own.sandbox.journal.list()).map(({ outcome }) => outcome)).toEqual([
        'unmatched',
        'client-gone',
      ]);
    },
  );

  it("is nobody's if it is no HTTP, or was meant for a page", async () => {
    const server = await startSandbox({ port: 0 });
    onTestFinished(() => server.close());
    const texts = [
      'hello\r\n\r\n',
      Buffer.from('16030100c8010000c40303', 'hex'),
      'patch / HTTP/1.1\r\nHost: a\r\n\r\n',
      request('GET', '/console', `Cookie: ${'x'.repeat(60_000)}`),
      'SSH-2.0-probe\r\n',
    ];
    for (const text of texts) expect(await send(server.url, text)).toHaveLength(1);
    const report = await (await server.sandbox('default'))?.report();
    expect([report?.calls, report?.violations]).toEqual([0, []]);
  });
});

const path = '/public/get-all-instructors';
const line = `POST ${path} HTTP/1.1`;
const length = `Content-Length: ${body.length}`;
const inChunks = 'Transfer-Encoding: chunked';

/** Each with a part of the explanation: what is wrong, and what to do. */
const explained: readonly (readonly [string, (key: string) => string, RegExp])[] = [
  [
    'a method in lower case',
    (key) => requestOf(`patch ${path} HTTP/1.1`, [key, length]),
    /"patch" .* upper case\. The operations accept only POST: send "POST"\.$/,
  ],
  [
    'an unknown method',
    (key) => requestOf(`FETCH ${path} HTTP/1.1`, [key, length]),
    /"FETCH" does not exist in HTTP\. .* send "POST"/,
  ],
  [
    'another version',
    (key) => requestOf(`POST ${path} HTTP/3.7`, [key, length]),
    /version "HTTP\/3\.7"\. Send "HTTP\/1\.1"/,
  ],
  [
    'a version in lower case',
    (key) => requestOf(`POST ${path} http/1.1`, [key, length]),
    /"http\/1\.1"\. Send "HTTP\/1\.1"/,
  ],
  ['no target', (key) => requestOf('POST HTTP/1.1', [key, length]), /no target\. Send the path/],
  [
    'a target without a slash',
    (key) => requestOf(`POST ${path.slice(1)} HTTP/1.1`, [key, length]),
    /does not begin with "\/"/,
  ],
  [
    'a space in the target',
    (key) => requestOf(`POST ${path}?q=a b HTTP/1.1`, [key, length]),
    /spaces in the target as "%20"/,
  ],
  [
    'a control character in the target',
    (key) => requestOf(`POST ${path}\u0001 HTTP/1.1`, [key, length]),
    /Percent-encode it/,
  ],
  [
    'a control character in a header',
    (key) => requestOf(line, [key, 'X-A: a\u0001', length]),
    /line 5 of the request has a control character/,
  ],
  [
    'a space in the name of a header',
    (key) => requestOf(line, [key, 'X A: a', length]),
    /line 5 of the request has no valid name/,
  ],
  [
    'a header of two lines',
    (key) => requestOf(line, [key, 'X-A: a', ' b', length]),
    /line 6 of the request continues the line before/,
  ],
  ['a line break in a key', (key) => requestOf(line, [`${key}\n`, length]), /remove line breaks from values/],
  [
    'a length that is no number',
    (key) => requestOf(line, [key, 'Content-Length: -5']),
    /but "-5"\. Send digits only/,
  ],
  [
    'two lengths',
    (key) => requestOf(line, [key, length, length]),
    /several Content-Length headers\. Send one/,
  ],
  [
    'a length and an encoding',
    (key) => requestOf(line, [key, inChunks, length]),
    /both Content-Length and Transfer-Encoding/,
  ],
  [
    'an encoding and a length',
    (key) => requestOf(line, [key, length, inChunks]),
    /both Content-Length and Transfer-Encoding/,
  ],
  [
    'another encoding',
    (key) => requestOf(line, [key, 'Transfer-Encoding: gzip']),
    /Transfer-Encoding other than "chunked"/,
  ],
  [
    'a chunk without a size',
    (key) => requestOf(line, [key, inChunks], `zz\r\n${body}\r\n0\r\n\r\n`),
    /size of each chunk in hexadecimal/,
  ],
  [
    'a chunk that is too long',
    (key) => requestOf(line, [key, inChunks], `5\r\n${body}\r\n0\r\n\r\n`),
    /size of each chunk in hexadecimal/,
  ],
];

describe('the explanation of a request that is not valid HTTP', () => {
  it.each(explained)('says what is wrong, and what to do: %s', async (_, text, explanation) => {
    const own = await world();
    const received = text(`SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`);
    const reply = await exchange((await sharedServer()).url, received);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    // A message of the test that failed shows the whole detail.
    const { detail } = JSON.parse(reply.slice(reply.indexOf('{'))) as { detail: string };
    expect(detail).toMatch(explanation);
    const [entry] = await own.sandbox.journal.list();
    expect(entry?.violations).toEqual([{ pointer: '', message: detail }]);
  });

  it('says that a body is longer than its Content-Length, as if characters were counted', async () => {
    const own = await world();
    const key = `SERVICE-API-KEY: ${own.sandbox.apiKey('riverside')}`;
    const text = requestOf(line, [key, length], `${body}]}`);
    expect(await send((await sharedServer()).url, text)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    const entries = await own.sandbox.journal.list();
    const messages = entries.flatMap(({ violations }) => violations.map(({ message }) => message));
    expect(messages).toEqual([expect.stringMatching(/number of bytes, not of characters/)]);
  });

  it.each([
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 'http://'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/1.1.'],
    ['text', 'hello\r\n\r\n', '"POST /public/get-quiz-details HTTP/1.1"'],
    ['a page in lower case', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', 'such as GET or POST'],
  ])('says what to do after %s', async (_, text, advice) => {
    expect(await exchange((await sharedServer()).url, text)).toContain(
      // In a JSON text.
      advice.replaceAll('"', String.raw`\"`),
    );
  });
});
