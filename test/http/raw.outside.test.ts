import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sharedServer, world } from '../support/world.ts';

/** What the server sends, until it hangs up, to something that no HTTP client would say. */
async function say(...pieces: readonly (string | Buffer)[]): Promise<string> {
  const { url } = await sharedServer();
  return new Promise((done) => {
    let heard = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    // Where the server hangs up while more is being sent, what it said before still counts.
    socket.on('error', () => {}).on('close', () => done(heard));
    for (const piece of pieces) socket.write(piece);
  });
}

/** Sends some text, and resets the connection right after. */
function resetAfter(port: number, text: string): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => socket.resetAndDestroy()));
    socket.on('error', () => {}).on('close', () => done());
  });
}

/** The sockets of this process, at both ends. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

interface Heard {
  readonly status: number;
  readonly head: string;
  readonly body: unknown;
}

/** The only reply among what was heard; its body must be JSON, as long as it says. */
function read(heard: string): Heard {
  const end = heard.indexOf('\r\n\r\n');
  const head = heard.slice(0, end);
  const text = heard.slice(end + 4);
  expect(head).toMatch(new RegExp(`^Content-Length: ${Buffer.byteLength(text)}$`, 'im'));
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), head, body: JSON.parse(text) };
}

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-${index}: a`).join('\r\n');
}

/** Asks with so many headers. */
function askWith(count: number): Promise<string> {
  return say(
    `GET /healthz HTTP/1.1\r\nHost: sandbox.example\r\nConnection: close\r\n${manyHeaders(count - 2)}\r\n\r\n`,
  );
}

const post = (operation: string, ...headers: readonly string[]): string =>
  [`POST /public/${operation} HTTP/1.1`, 'Host: sandbox.example', ...headers, '', ''].join('\r\n');

const chunk = (part: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);

describe('what is not HTTP', () => {
  it.each([
    ['a word', 'hello\r\n\r\n'],
    ['the start of a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex')],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: value\r\n\r\n'],
    ['a length that is no number', post('get-all-instructors', 'Content-Length: many')],
    [
      'both a length and chunks',
      post('get-all-instructors', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    ],
    [
      'a chunk whose length is no number',
      `${post('get-all-instructors', 'Transfer-Encoding: chunked')}many\r\n`,
    ],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n'],
  ])('answers %s with 400 as JSON, and hangs up', async (_, sent) => {
    const { status, head, body } = read(await say(sent));
    expect(status).toBe(400);
    expect(head).toContain('Content-Type: application/problem+json; charset=utf-8');
    expect(head).toContain('Connection: close');
    expect(body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
  });

  it.each([
    ['one header', [`A: ${'a'.repeat(17_000)}`]],
    ['many headers', Array.from({ length: 1500 }, (_, number) => `X-Header-${number}: value`)],
  ])('answers %s beyond 16 KiB with 431 as JSON, and hangs up', async (_, headers) => {
    const { status, head, body } = read(await say(post('get-all-instructors', ...headers)));
    expect(status).toBe(431);
    expect(head).toContain('Connection: close');
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'The request line and the headers are larger than 16 KiB. Send fewer or shorter ones.',
    });
  });

  it('may have 200 headers, and no more', async () => {
    expect(await askWith(200)).toMatch(/^HTTP\/1\.1 200 /);
    expect(read(await askWith(201))).toMatchObject({
      status: 400,
      body: { detail: 'The request has 201 headers; send at most 200.' },
    });
  });

  it('answers CONNECT with 405, and outlives clients that reset their connection after it', async () => {
    const connecting = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n';
    expect(read(await say(connecting)).status).toBe(405);
    const { url, call } = await world();
    for (let count = 0; count < 20; count += 1) await resetAfter(Number(new URL(url).port), connecting);
    expect((await call('get-all-instructors')).status).toBe(200);
  });

  it.each(['', 'x'.repeat(100_000)])(
    'gives up a connection after CONNECT, with or without data, soon after the client or within seconds',
    async (data) => {
      const { port } = new URL((await sharedServer()).url);
      const before = sockets();
      const connecting = `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n${data}`;
      for (let count = 0; count < 10; count += 1) await resetAfter(Number(port), connecting);
      // A client that stays, and reads nothing.
      const silent = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void silent.on('error', () => {}).destroy());
      silent.pause().write(connecting);
      // The client's own end of the last one, which it leaves open.
      await eventually(() => expect(sockets()).toBeLessThanOrEqual(before + 1));
    },
  );

  it('gets its refusal after the replies to what was sent before CONNECT', async () => {
    const get = 'GET /control/sandboxes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const heard = await say(get, get, 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect([...heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '405',
    ]);
  });

  it('does not keep anybody else from being answered', async () => {
    const { call } = await world();
    await say('hello\r\n\r\n');
    expect((await call('get-all-instructors')).status).toBe(200);
  });
});

describe('a body that is longer than the server ever reads', () => {
  const limit = 10_485_760;
  const tooLarge = [
    {
      output: {
        status: 'error',
        errorMessage:
          'The body is larger than 1048576 bytes. Send less per call: shorter values, or a part of the batch.',
      },
    },
  ];

  it('is refused by its declared length, before any of it came, and the connection is closed', async () => {
    const { sandbox } = await world();
    const headers = [
      `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
      'Content-Type: application/json',
      `Content-Length: ${limit + 1}`,
    ];
    const { status, head, body } = read(await say(post('get-all-instructors', ...headers)));
    expect({ status, body }).toEqual({ status: 413, body: tooLarge });
    expect(head).toContain('Connection: close');
    expect(await sandbox.journal.list()).toMatchObject([{ status: 413, outcome: 'too-large', request: '' }]);
  });

  it('is refused as soon as it is too long where it comes in chunks without a length, and the connection is closed', async () => {
    const { sandbox } = await world();
    const headers = [
      `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const piece = chunk(Buffer.alloc(0x80000, ' '));
    // The last chunk that ends the body is never sent: nobody waits for it.
    const heard = await say(
      post('get-all-instructors', ...headers),
      ...Array.from({ length: limit / 0x80000 + 1 }, () => piece),
    );
    const { status, head, body } = read(heard);
    expect({ status, body }).toEqual({ status: 413, body: tooLarge });
    expect(head).toContain('Connection: close');
  });

  it('is read to its end, so that a client that sends all of it before it reads finds the reply', async () => {
    const { sandbox } = await world();
    const length = 4 * limit;
    const key = `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`;
    const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1').pause();
    await new Promise<void>((done, fail) => {
      socket.once('error', fail);
      socket.write(
        post('get-all-instructors', key, 'Content-Type: application/json', `Content-Length: ${length}`),
      );
      socket.end(Buffer.alloc(length, ' '), done);
    });
    const heard = await new Promise((done) => socket.setEncoding('utf8').once('data', done).resume());
    expect(heard).toMatch(/^HTTP\/1\.1 413/);
  });

  it('is cut off only where it is too long: after 413 for a body that was read whole, the connection serves on', async () => {
    const { sandbox } = await world();
    const key = `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`;
    const large = ' '.repeat(1_048_577);
    const small = '{"data":[{"data":{}}]}';
    const heard = await say(
      post('get-all-instructors', key, 'Content-Type: application/json', `Content-Length: ${large.length}`) +
        large,
      post(
        'get-all-instructors',
        key,
        'Content-Type: application/json',
        `Content-Length: ${small.length}`,
        'Connection: close',
      ) + small,
    );
    expect(heard.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});

describe('a call that names the whole URL, as to a proxy', () => {
  it.each(['http://sandbox.example', 'https://elsewhere.example:8443'])(
    'is the same as one that names the path: %s',
    async (origin) => {
      const { sandbox } = await world();
      const body = '{"data":[{"data":{}}]}';
      const head = [
        `POST ${origin}/public/get-all-instructors?page=1 HTTP/1.1`,
        'Host: sandbox.example',
        `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ];
      expect(read(await say(`${head.join('\r\n')}\r\n\r\n${body}`)).status).toBe(200);
      expect(await sandbox.journal.list()).toMatchObject([
        { operation: 'get-all-instructors', url: '/public/get-all-instructors?page=1' },
      ]);
    },
  );
});

describe('a call that comes in pieces', () => {
  it('is put together, even where a character is torn apart', async () => {
    const { sandbox } = await world();
    const body = Buffer.from('{"data":[{"data":{"quizId":"größer"}}]}');
    const middle = body.indexOf(0xc3) + 1;
    const headers = [
      `SERVICE-API-KEY: ${sandbox.apiKey('riverside')}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Connection: close',
    ];
    const pieces = [chunk(body.subarray(0, middle)), chunk(body.subarray(middle)), '0\r\n\r\n'];
    const reply = read(await say(post('get-quiz-details', ...headers), ...pieces));
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).toContain('größer');
  });
});
