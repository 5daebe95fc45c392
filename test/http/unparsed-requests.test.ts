import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/index.ts';
import { sharedServer, world, type World } from '../support/world.ts';

const body = '{"data":[{"data":{}}]}';

/** Sends text as a client, and returns the status lines of the replies. */
function send(url: string, text: string | Buffer): Promise<readonly string[]> {
  return new Promise((done) => {
    let heard = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.on('error', () => {}).on('close', () => done(heard.match(/HTTP\/1\.1 \d{3}/g) ?? []));
  });
}

function request(method: string, target: string, ...headers: readonly string[]): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: sandbox.example',
    'Content-Type: application/json',
    ...headers,
  ];
  return [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');
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
    expect(entries.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted()).toEqual([
      'get-all-instructors ok',
      'update-interactive-coding-lab unmatched',
    ]);
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
