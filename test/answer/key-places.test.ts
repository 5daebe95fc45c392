import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { goodReply, proxyTo, realKey, upstreamThat } from '../proxy/upstream.ts';
import { sharedServer, world } from '../support/world.ts';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trailers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const operation = '/public/get-quiz-details';

/** Sends a call with trailers, which supertest cannot do. Without trailers, its body does not arrive in chunks. */
async function send(
  url: string,
  key: string,
  { method = 'POST', path = operation, headers = {}, trailers, body = '{"data":[]}' }: Sent,
): Promise<string> {
  const outgoing = request(url, {
    method,
    path,
    headers: {
      'SERVICE-API-KEY': key,
      'Content-Type': 'application/json',
      ...headers,
      ...(trailers === undefined ? { 'Content-Length': Buffer.byteLength(body) } : { Trailer: 'X-Sum' }),
    },
    agent: false,
  });
  outgoing.write(body);
  if (trailers !== undefined) outgoing.addTrailers(trailers);
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(incoming);
}

async function sentTo(make: (key: string) => Sent) {
  const { sandbox, key } = await anyWorld();
  await send((await sharedServer()).url, key, make(key));
  const entries = await sandbox.journal.list();
  const report = await sandbox.report();
  return { sandbox, key, entry: entries.at(-1), report, check: secrecyIn(report) };
}

async function anyWorld() {
  const { sandbox } = await world();
  return { sandbox, key: sandbox.apiKey('riverside') };
}

function secrecyIn({ conduct }: { readonly conduct: readonly { check: string; verdict: string }[] }) {
  return conduct.find(({ check }) => check === 'key-secrecy');
}

describe('a key in a trailer', () => {
  it.each<readonly [string, (key: string) => Readonly<Record<string, string>>]>([
    ['in a value', (key) => ({ 'X-Sum': key })],
    ['in a secret value', (key) => ({ Authorization: `Bearer ${key}` })],
    ['in base64', (key) => ({ 'X-Sum': Buffer.from(key).toString('base64') })],
    ['in a name', (key) => ({ [`X-${key}`]: '1' })],
    ['under the name of its header', (key) => ({ 'Service-Api-Key': key })],
  ])('is found: %s', async (_, trailers) => {
    const { entry, check, key } = await sentTo((own) => ({ trailers: trailers(own) }));
    expect(entry?.keyElsewhere).toEqual(['trailer']);
    expect(check?.verdict).toBe('failed');
    expect(JSON.stringify(entry)).not.toContain(
      Object.values(trailers(key)).find((value) => value !== '1') ?? key,
    );
  });

  it('leaves no secret in the journal, the HAR and the report, which show all trailers', async () => {
    const { sandbox, key, entry, report } = await sentTo((own) => ({
      trailers: { 'X-Sum': 'abc123', 'X-Note': own, Cookie: 'session=hush' },
    }));
    expect(entry?.requestTrailers).toMatchObject({ 'x-sum': 'abc123', cookie: '…' });
    const har = JSON.stringify(await sandbox.journal.har());
    expect(har).toContain('abc123');
    expect(report.exchanges[0]?.requestTrailers).toEqual(entry?.requestTrailers);
    for (const written of [JSON.stringify(entry), har, JSON.stringify(report)]) {
      expect(written).not.toContain(key);
      expect(written).not.toContain('hush');
    }
  });

  it('is not seen in trailers without one', async () => {
    const { entry, check } = await sentTo(() => ({ trailers: { 'X-Sum': 'abc123' } }));
    expect([entry?.keyElsewhere, check?.verdict]).toEqual([[], 'passed']);
  });

  it('is found and masked behind the proxy, too', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(goodReply),
    );
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, realKey, { trailers: { 'X-Sum': 'abc123', 'X-Note': realKey } });
    const [entry] = proxy.journal();
    expect(entry?.keyElsewhere).toEqual(['trailer']);
    expect(entry?.requestTrailers?.['x-sum']).toBe('abc123');
    expect(JSON.stringify(entry)).not.toContain(realKey);
  });
});

describe('a key in another part of a request', () => {
  it.each<readonly [string, string, (key: string) => Sent]>([
    ['the user of an absolute URL', 'url', (key) => ({ path: `http://${key}@sandbox.example${operation}` })],
    ['the password of one', 'url', (key) => ({ path: `http://me:${key}@sandbox.example${operation}` })],
    ['the host of one', 'url', (key) => ({ path: `http://${key}${operation}` })],
    ['the user, without an operation', 'url', (key) => ({ path: `http://${key}@sandbox.example/public/no` })],
    [
      'a percent-encoded name of a header',
      'header',
      (key) => ({ headers: { [`X-${key.replace('_', '%5F')}`]: '1' } }),
    ],
    [
      'a name of a header in hexadecimal',
      'header',
      (key) => ({ headers: { [`X-${Buffer.from(key).toString('hex')}`]: '1' } }),
    ],
    ['a header for the sandbox', 'header', (key) => ({ headers: { 'Sandbox-Key': key } })],
    ['the name of a cookie', 'header', (key) => ({ headers: { Cookie: `${key}=1` } })],
    ['the name of a parameter', 'url', (key) => ({ path: `${operation}?${key}` })],
    ['the fragment', 'url', (key) => ({ path: `${operation}?a#${key}` })],
    ['the name of a member', 'body', (key) => ({ body: `{"data":[],"${key}":1}` })],
    [
      'the name of a file',
      'body',
      (key) => ({
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `--b\r\nContent-Disposition: form-data; name="a"; filename="${key}"\r\n\r\n\r\n--b--\r\n`,
      }),
    ],
  ])('is found in %s', async (_, place, make) => {
    const { entry, check, key } = await sentTo(make);
    expect([entry?.keyElsewhere, check?.verdict]).toEqual([[place], 'failed']);
    expect(JSON.stringify(entry)).not.toContain(key);
  });
});

describe('a body that the server does not read', () => {
  it.each<readonly [string, Sent]>([
    ['of a GET', { method: 'GET' }],
    ['of a GET in chunks', { method: 'GET', headers: { 'Transfer-Encoding': 'chunked' }, trailers: {} }],
    ['of an unknown operation', { path: '/public/get-quiz' }],
    ['in gzip', { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('{"data":[]}') }],
  ])('may have a key, so it is not judged: %s', async (_, sent) => {
    const { check } = await sentTo(() => sent);
    expect(check?.verdict).toBe('not-judged');
  });

  it('does not hide a key that was found', async () => {
    const { check } = await sentTo((key) => ({ method: 'GET', path: `${operation}?key=${key}` }));
    expect(check?.verdict).toBe('failed');
  });
});
