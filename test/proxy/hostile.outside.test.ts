import { EventEmitter, once } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readProxySettings } from '../../src/commands/proxy/wishes.ts';
import { eventually } from '../support/eventually.ts';
import { stopRealTime } from '../support/wire.ts';
import { goodBody, goodReply, opened, proxyTo, send, upstreamThat, upstreamThatSpeaks } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };
const mib = 1024 * 1024;

/**
 * A reply that nobody compressed: an upstream sends it, and the proxy passes it on and tells what it did not
 * check.
 */
async function throughProxy(headers: Readonly<Record<string, string>>, body: Buffer | string) {
  const upstream = await upstreamThat((response) =>
    response.writeHead(200, { ...json, ...headers }).end(body),
  );
  const proxy = await proxyTo(upstream.url);
  const reply = await send(proxy.url);
  return { reply, unchecked: proxy.passed[0]?.unchecked, entry: proxy.journal()[0] };
}

describe('a body that is compressed', () => {
  it('is checked up to 16 MiB, and passes through unread beyond', async () => {
    const bomb = gzipSync(`[${'{"output":{"status":"ok","data":{}}},'.repeat(500_000)}1]`);
    const { reply, unchecked, entry } = await throughProxy({ 'Content-Encoding': 'gzip' }, bomb);
    expect(reply.body.equals(bomb)).toBe(true);
    expect(unchecked).toEqual(['The body of the response is too large to check.']);
    expect(entry).toMatchObject({
      status: 200,
      response: '',
      cut: { response: bomb.length },
      responseViolations: [],
    });
  });

  it('is read through two layers, and no more', async () => {
    const twice = brotliCompressSync(gzipSync('[7]'));
    expect((await throughProxy({ 'Content-Encoding': 'gzip, br' }, twice)).entry?.response).toBe('[7]');
    const thrice = gzipSync(twice);
    const { reply, unchecked, entry } = await throughProxy({ 'Content-Encoding': 'gzip, br, gzip' }, thrice);
    expect(reply.body.equals(thrice)).toBe(true);
    expect(unchecked).toEqual([
      'The body of the response is compressed 3 times; the proxy decompresses at most 2 layers.',
    ]);
    expect(entry).toMatchObject({ response: '', cut: { response: thrice.length } });
  });

  it('counts identity as no layer', async () => {
    const { entry } = await throughProxy(
      { 'Content-Encoding': 'identity, gzip, identity, identity' },
      gzipSync('[7]'),
    );
    expect(entry?.response).toBe('[7]');
  });
});

describe('a body with very many values', () => {
  it.each([
    [`[${'1,'.repeat(200_001)}1]`, 'has more than 200000 JSON values, and is not checked'],
    [
      `[{${Array.from({ length: 10_001 }, (_, at) => `"k${at}":1`).join()}}]`,
      'has an object of more than 10000 fields, and is not checked',
    ],
    ['['.repeat(1001) + ']'.repeat(1001), 'is nested more than 1000 levels deep, and is not checked'],
  ])('passes through unchecked: %.20s', async (body, what) => {
    const { reply, unchecked, entry } = await throughProxy({}, body);
    expect(reply.text).toBe(body);
    expect(unchecked).toEqual([`The body of the response ${what}.`]);
    expect(entry?.responseViolations).toEqual([]);
  });

  it('is one of fewer values where --max says so', async () => {
    const settings = await readProxySettings({
      given: new Map([['max', ['jsonValues=1000']]]),
      environment: {},
      terminals: { in: false, out: false, err: false },
    });
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, json).end(`[${'1,'.repeat(1000)}1]`),
    );
    const proxy = await proxyTo(upstream.url, {}, { ...settings, port: 0 });
    await send(proxy.url);
    expect(proxy.passed[0]?.unchecked).toEqual([
      'The body of the response has more than 1000 JSON values, and is not checked.',
    ]);
  });

  it('is checked where there are fewer, though Prism does not see it', async () => {
    const members = Array.from({ length: 150_000 }, () => '1').join();
    const { reply, entry } = await throughProxy(
      {},
      `[{"output":{"status":"ok","data":{"questions":[${members}]}}}]`,
    );
    expect(reply.status).toBe(200);
    // One for the output, as in every large body.
    expect(entry?.responseViolations).toHaveLength(1);
    expect(entry?.responseViolations?.[0]?.pointer).toMatch(/^\/0\/output\/data/);
  });

  it('is told to be of another media type, and not JSON, as a small one is', async () => {
    const large = `"${'x'.repeat(mib)}`;
    expect((await throughProxy({}, large)).entry?.responseViolations).toEqual([
      { pointer: '', message: 'is not JSON.' },
    ]);
    expect(
      (await throughProxy({ 'Content-Type': 'text/plain' }, large)).entry?.responseViolations?.[0]?.message,
    ).toMatch(/^is declared as the string "text\/plain", but the contract documents/);
  });

  it('has its violations found in a request as well', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const element = '{"data":{"quizId":7}}';
    await send(proxy.url, { body: `{"data":[${Array.from({ length: 6000 }, () => element).join()}]}` });
    expect(proxy.journal()[0]?.violations).toHaveLength(50);
    expect(proxy.journal()[0]?.violations[49]?.pointer).toBe('/data/49/data/quizId');
  });
});

describe('memory', () => {
  it('for requests is bounded: those beyond pass through unchecked, none is refused', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url, {}, { max: { bodiesInFlightBytes: mib } });
    const held = await opened(proxy.url, headOf(4 * mib) + ' '.repeat(900_000));
    const body = goodBody + ' '.repeat(600_000);
    await eventually(async () => {
      await send(proxy.url, { body });
      expect(proxy.passed.at(-1)?.unchecked).toEqual([
        'The body of the request was not checked, because the proxy was handling too many large bodies.',
      ]);
    });
    expect(upstream.got.at(-1)?.body.toString()).toBe(body);
    held.destroy();
    await eventually(async () => {
      await send(proxy.url, { body: goodBody + ' '.repeat(200_000) });
      expect(proxy.passed.at(-1)?.unchecked).toEqual([]);
    });
  });

  it('for responses is bounded: those beyond pass through unchecked and whole', async () => {
    const large = `[${' '.repeat(2 * mib)}]`;
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(large));
    const proxy = await proxyTo(upstream.url, {}, { max: { repliesInFlightBytes: mib } });
    expect((await send(proxy.url)).text).toBe(large);
    expect(proxy.passed[0]?.unchecked).toEqual([
      'The body of the response was not checked, because the proxy was handling too many large bodies.',
    ]);
    const { journal } = proxy;
    expect(journal()[0]).toMatchObject({ status: 200, response: '' });
  });
});

function headOf(length: number): string {
  return `POST /public/get-quiz-details HTTP/1.1\r\nHost: a.example\r\nSERVICE-API-KEY: k\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

describe('an upstream that keeps its connection open', () => {
  it('is disconnected where it stops behind what is held, and so is the client', async () => {
    const begun = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 30000000\r\n\r\n${' '.repeat(17 * mib)}`;
    stopRealTime();
    const told = new EventEmitter();
    const wasLeft = once(told, 'left');
    const upstream = await upstreamThatSpeaks((socket) => {
      socket.once('close', () => told.emit('left'));
      socket.write(begun, 'latin1');
    });
    const proxy = await proxyTo(upstream.url, { timeoutMs: 7000 });
    const client = await opened(proxy.url, `${headOf(goodBody.length)}${goodBody}`);
    let length = 0;
    client.on('data', (chunk: Buffer) => (length += chunk.length));
    await eventually(() => expect(length).toBeGreaterThan(17 * mib));
    const wasCutOff = once(client, 'close');
    vi.advanceTimersByTime(7000);
    await Promise.all([wasLeft, wasCutOff]);
  });

  it('is answered for with 504 where its response takes ten timeouts, though it is never silent', async () => {
    stopRealTime();
    // Time passes with every byte.
    let elapsed = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsed);
    onTestFinished(() => clock.mockRestore());
    const upstream = await upstreamThat((response) => {
      response.writeHead(200, json);
      const drip = setInterval(() => {
        elapsed += 20_000;
        response.write(' ');
      }, 5);
      response.once('close', () => clearInterval(drip));
    });
    const proxy = await proxyTo(upstream.url, { timeoutMs: 7000 });
    const reply = await send(proxy.url);
    expect(reply.status).toBe(504);
    expect(reply.text).toContain(
      'sent its response too slowly: less than 1 kB per second after 70 s. Set --timeout to wait longer.',
    );
    expect(proxy.journal()[0]?.outcome).toBe('upstream-timeout');
  });
});

describe('an upstream that speaks HTTP as nobody may', () => {
  it.each([
    ['000 OK', /a status line that HTTP does not allow/],
    ['099 OK', /a status line that HTTP does not allow/],
    ['200 a\u0001b', /a status line that HTTP does not allow/],
    ['101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade', /switched to another protocol/],
    [`${'102 Processing\r\n\r\nHTTP/1.1 '.repeat(101)}200 OK`, /more than 100 interim responses/],
  ])('is answered for with 502: %.9s', async (status, message) => {
    const upstream = await upstreamThatSpeaks((socket) =>
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`, 'latin1'),
    );
    const proxy = await proxyTo(upstream.url);
    const reply = await send(proxy.url);
    expect([reply.status, reply.headers['content-type']]).toEqual([
      502,
      'application/problem+json; charset=utf-8',
    ]);
    expect(reply.text).toMatch(message);
    expect(proxy.journal()[0]).toMatchObject({ status: 502, outcome: 'upstream-failed' });
    expect(proxy.said()).toBe('');
  });
});

describe('the key', () => {
  it('is shortened in the path of a request that is not in the contract', async () => {
    const upstream = await upstreamThat((response) => response.end());
    const proxy = await proxyTo(upstream.url);
    const key = 'live_9f8e7d6c5b4a3210ffee';
    const escaped = key.replace('l', '%6c');
    for (const spelling of [key, escaped]) {
      await send(proxy.url, {
        method: 'GET',
        path: `/public/other/${spelling}`,
        headers: { 'SERVICE-API-KEY': key },
        body: '',
      });
    }
    expect(upstream.got.map(({ url }) => url)).toEqual([`/public/other/${key}`, `/public/other/${escaped}`]);
    expect(proxy.passedBy).toEqual(Array(2).fill('GET /public/other/live…ee 200'));
  });

  it('is shortened in names of headers, and where JSON escapes it', async () => {
    const key = 'live_9F8e7d6c5b4a3210ffee';
    const escaped = key.replace('l', String.raw`\u006c`);
    const body = `[{"output":{"status":"error","errorMessage":"bad key ${escaped}, \\u006bept"}}]`;
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, { ...json, [key]: 'a' }).end(body),
    );
    const proxy = await proxyTo(upstream.url);
    const sent = `{"data":[{"data":{"quizId":"${escaped}"}}]}`;
    const reply = await send(proxy.url, {
      body: sent,
      headers: { 'SERVICE-API-KEY': key, [`X-${key}`]: 'b' },
    });
    expect(reply.text).toBe(body);
    const [entry] = proxy.journal();
    expect(entry?.response).toContain('bad key live…ee');
    expect(entry?.request).toBe('{"data":[{"data":{"quizId":"live…ee"}}]}');
    expect(entry?.keyElsewhere).toEqual(['body', 'header']);
    expect(JSON.stringify(entry).toLowerCase()).not.toContain(key.slice(1).toLowerCase());
  });

  it.each([
    ['in lower case', (key: string) => key.toLowerCase()],
    ['in upper case', (key: string) => key.toUpperCase()],
    ['in hexadecimal', (key: string) => Buffer.from(key).toString('hex')],
    ['in base64', (key: string) => Buffer.from(key).toString('base64')],
    ['in base64 after a user', (key: string) => Buffer.from(`me:${key}:it`).toString('base64')],
    ['in base64 after a letter, for URLs', (key: string) => Buffer.from(`u${key}`).toString('base64url')],
  ])('is shortened in a response that repeats it %s', async (_, encoded) => {
    const key = 'live_9F8e7d6c5b4a3210ffee?>';
    const upstream = await upstreamThat((response) =>
      response.writeHead(401, json).end(JSON.stringify({ title: `No key ${encoded(key)}` })),
    );
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, { headers: { 'SERVICE-API-KEY': key } });
    const response = proxy.journal()[0]?.response;
    expect(response).toContain('No key ');
    expect(response).toContain('live…?>');
    expect(response).not.toContain(encoded(key).slice(6, -6));
  });

  it('is shortened in the name of a scope, as is any other secret', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const key = 'live_9f8e7d6c5b4a3210ffee';
    for (const scope of [key, 'Bearer hush-hush-hush']) {
      await send(proxy.url, {
        headers: { 'SERVICE-API-KEY': key, Authorization: 'Bearer hush-hush-hush', 'Sandbox-Scope': scope },
        body: '{"data":[{"data":{"quizId":"a"}}]}',
      });
    }
    expect(JSON.stringify(proxy.journal())).not.toMatch(/live_9f8e7d6c|hush-hush/);
    expect(proxy.journal().every(({ scope }) => scope !== null)).toBe(true);
  });

  it('is shortened in what is told of an unknown encoding', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const key = 'live_9f8e7d6c5b4a3210ffee';
    await send(proxy.url, { headers: { 'SERVICE-API-KEY': key, 'Content-Encoding': key } });
    expect(proxy.passed[0]?.unchecked).toEqual([
      'The body of the request is encoded as "live…ee", which the proxy does not support.',
    ]);
  });

  it('is found behind very many backslashes, in a time that only grows with their number', async () => {
    const key = 'live_9f8e7d6c5b4a3210ffee';
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const escaped = key.replace('l', String.raw`\u006c`);
    const body = `{"data":[{"data":{"quizId":"${'\\'.repeat(400_000)}${escaped}"}}]}`;
    await send(proxy.url, { body, headers: { 'SERVICE-API-KEY': key } });
    expect(proxy.journal()[0]?.keyElsewhere).toEqual(['body']);
  });

  it('leaves escapes alone where they hide no key', async () => {
    const body = String.raw`[{"output":{"status":"error","errorMessage":"\u006cost, %6c"}}]`;
    expect((await throughProxy({}, body)).entry?.response).toBe(body);
  });
});
