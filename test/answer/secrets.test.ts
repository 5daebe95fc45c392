import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toCurl } from '../../src/control/curl.ts';
import type { JournalEntry, SandboxServer } from '../../src/index.ts';
import { stopwatch } from '../../src/sandbox/clock.ts';
import { isSecretHeader, maskedValue } from '../../src/sandbox/secrets.ts';
import { startServer } from '../../src/server/server.ts';
import { serve } from '../support/serve.ts';
import { supertest } from '../support/supertest.ts';
import { world, type World } from '../support/world.ts';

const goodBody = '{"data":[{"data":{}}]}';

/** Sends a call with headers and a query as they stand, and returns what the journal has of it. */
async function kept(
  own: World,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<JournalEntry> {
  const { port } = new URL(own.url);
  const all = {
    'SERVICE-API-KEY': own.sandbox.apiKey('riverside'),
    'Content-Type': 'application/json',
    ...headers,
  };
  await new Promise<void>((done, fail) => {
    const sent = request(
      { port, host: '127.0.0.1', method: 'POST', path: `/public/get-all-instructors${query}`, headers: all },
      (reply) => {
        reply.resume().on('end', done);
      },
    );
    sent.on('error', fail).end(goodBody);
  });
  const entry = (await own.sandbox.journal.list()).at(-1);
  if (entry === undefined) throw new Error('The journal is empty');
  return entry;
}

/** Returns a text with an escape sequence of JSON for each character. */
function escaped(text: string): string {
  return Array.from(text)
    .map((one) => String.raw`\u` + (one.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .join('');
}

describe('a secret', () => {
  it.each([
    'X-Auth-Token',
    'X-Service-Api-Key',
    'X-API-Key',
    'Authorization',
    'Proxy-Authorization',
    'Cookie',
    'Set-Cookie',
    'X-Client-Secret',
    'X-Session-Id',
    'X-Password',
    'X-Hub-Signature-256',
    'x-AUTH',
    'X-JWT',
    'X-Amz-Credential',
    'X-User-Pwd',
    'X-Passwd',
    'X-Sig',
    'X-OTP',
    'X-Bearer',
    'X-CSRF',
    'Login-Pass',
    'Sig-Input',
    'Idempotency-Key',
  ])('is masked in the header %s, however short it is', async (name) => {
    const own = await world();
    for (const value of ['hush', 'a-long-secret-of-mine', 'Bearer x']) {
      expect((await kept(own, { [name]: value })).requestHeaders[name.toLowerCase()]).toBe('…');
    }
  });

  it.each([
    ['?api_key=hush', '?api_key=…'],
    ['?page=1&token=hush&after=2', '?page=1&token=…&after=2'],
    ['?API_KEY=hush&Session=hush&PASSWORD=hush', '?API_KEY=…&Session=…&PASSWORD=…'],
    ['?token=hush&token=hush&token=', '?token=…&token=…&token='],
    ['?api%5Fkey=hush&%74oken=hush&a%ZZtoken=hush', '?api%5Fkey=…&%74oken=…&a%ZZtoken=…'],
    ['?%2561pi_%256bey=hush&%25256bey=hush&%25%36%62ey=hush', '?%2561pi_%256bey=…&%25256bey=…&%25%36%62ey=…'],
    ['?auth[user]=hush&auth%5Bpass%5D=hush', '?auth[user]=…&auth%5Bpass%5D=…'],
    ['?a=1;secret=hush;hush', '?a=1;secret=…'],
    ['?signature=hu?sh=sh%26hush#hush', '?signature=…'],
    ['?token&page=1', '?token&page=1'],
    ['?token=hush?key=hush&page=1', '?token=…&page=1'],
    ['?back=https://a.example/?token=hush&page=1', '?back=https://a.example/?token=…&page=1'],
    [
      '?back=https%3A%2F%2Fa.example%2F%3Fpage%3D1%26token%3Dhush%26x%3D2&page=1',
      '?back=https%3A%2F%2Fa.example%2F%3Fpage%3D1%26token%3D…%26x%3D2&page=1',
    ],
    ['?back=https://me:hush@a.example/&page=1', '?back=https://…@a.example/&page=1'],
    ['?back=https%3a%2F%2Fme%3Ahush%40a.example%2Fb', '?back=https%3a%2F%2F…%40a.example%2Fb'],
    ['?page=1&q=who+has+a+key?', '?page=1&q=who+has+a+key?'],
    ['?', '?'],
  ])('is masked in the query %s', async (query, shown) => {
    expect((await kept(await world(), {}, query)).url).toBe(`/public/get-all-instructors${shown}`);
  });

  it.each([
    [
      'Referer',
      'https://a.example/b;jsessionid=hush?page=1&api_key=hush#access_token=hush',
      'https://a.example/b;jsessionid=…&api_key=…#access_token=…',
    ],
    ['Origin', 'https://me:hu@sh@a.example', 'https://…@a.example'],
    ['X-Original-Url', '/callback?page=1&signature=hush', '/callback?page=1&signature=…'],
    [
      'Link',
      '<https://a.example/?token=hush>; rel="next", </b?page=2>; rel="last"',
      '<https://a.example/?token=…>; rel="next", </b?page=2>; rel="last"',
    ],
  ])('is masked in a URL that the header %s has', async (name, value, shown) => {
    const { requestHeaders } = await kept(await world(), { [name]: value });
    expect(requestHeaders[name.toLowerCase()]).toBe(shown);
  });

  it('is masked in the list, the exchange itself, its HAR, its curl, the report and the stream', async () => {
    const own = await world();
    const entry = await kept(
      own,
      { 'X-Auth-Token': 'hush-1', 'X-Service-Api-Key': 'hush-2' },
      '?api_key=hush-3',
    );
    const paths = ['/journal', `/journal/${entry.requestId}`, '/journal.har', '/report', '/report.html'];
    const about = `${own.url}/control/sandboxes/${own.sandbox.id}`;
    const told = await Promise.all(
      paths.map(async (path) => (await supertest(about).get(path).expect(200)).text),
    );
    const stream = await fetch(`${about}/journal/stream`, { headers: { 'Last-Event-ID': 'none' } });
    const first = await stream.body?.pipeThrough(new TextDecoderStream()).getReader().read();
    expect(first?.value).toContain(entry.requestId);
    for (const text of [...told, first?.value]) expect(text).not.toContain('hush');
    expect(told[2]).toContain('{"name":"api_key","value":"…"}');
    expect(told[2]).toContain('{"name":"x-auth-token","value":"…"}');
  });

  it('is masked in the log', async () => {
    const said: string[] = [];
    const write = (text: string): void => void said.push(text);
    const running = await startServer({ port: 0, log: 'json' }, { out: write, err: write, owner: 'a test' });
    await supertest(running.url)
      .post('/public/get-all-instructors?page=2&api_key=hush&%2561pi_%256bey=hush')
      .set('X-Auth-Token', 'hush')
      .send({ data: [] });
    await running.stop();
    expect(said.join('')).toContain('"url":"/public/get-all-instructors?page=2&api_key=…&%2561pi_%256bey=…"');
    expect(said.join('')).not.toContain('hush');
  });
});

describe('what only looks secret', () => {
  it('stays as it is: other headers, and parameters of those', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'sandbox-fault': 'delay; ms=0',
      accept: 'text/html;q=0.9, */*;q=0.8',
      'user-agent': 'key-checker/1.0 (+https://a.example/?page=1)',
      referer: 'https://a.example/?page=1&back=@b',
      'www-authenticate': 'Bearer realm="a"',
      'x-note': 'the token is due @noon?',
    };
    const { requestHeaders } = await kept(await world(), headers);
    expect(requestHeaders).toMatchObject(headers);
  });

  it('is none of the headers that the sandbox itself sends', async () => {
    const own = await world({ assumptions: { missingKey: 'http-401' } });
    await own.call('get-all-instructors').set('Sandbox-Fault', 'throttled');
    await own.call('get-all-instructors').set('SERVICE-API-KEY', `sbx_${own.sandbox.id}_nowhere`);
    const names = (await own.sandbox.journal.list()).flatMap(({ responseHeaders }) =>
      Object.keys(responseHeaders),
    );
    expect(names).toContain('www-authenticate');
    expect(names.filter((name) => isSecretHeader(name))).toEqual([]);
  });

  it('is no key that was sent elsewhere', async () => {
    const own = await world();
    const { keyElsewhere } = await kept(own, { 'X-Auth-Token': 'hush-hush' }, '?session=hush-hush&author=me');
    expect(keyElsewhere).toEqual([]);
  });
});

describe('a secret in a header that describes something else', () => {
  it.each([
    ['WWW-Authenticate', 'Negotiate YIIhushhushhush==', 'Negotiate …'],
    ['WWW-Authenticate', 'Basic realm="a b", Negotiate hush==', 'Basic realm="a b", Negotiate …'],
    ['WWW-Authenticate', 'YIIhushhushhushhushhush==', '…'],
    ['WWW-Authenticate', 'Negotiate, AWS4-HMAC-SHA256', 'Negotiate, AWS4-HMAC-SHA256'],
    [
      'Proxy-Authenticate',
      'Bearer realm="hush", error="invalid_token"',
      'Bearer realm="hush", error="invalid_token"',
    ],
  ])('%s is masked as a token, but not as a parameter: %s', (name, value, shown) => {
    expect(maskedValue(name.toLowerCase(), value)).toBe(shown);
  });

  it.each([
    ['Content-Type', 'text/plain; token=hush'],
    ['Content-Encoding', 'x?token=hush'],
  ])('%s is masked in the violation, too: %s', async (name, value) => {
    const own = await world();
    const entry = await kept(own, { [name]: value });
    expect(entry.violations).not.toEqual([]);
    expect(JSON.stringify(entry)).not.toContain('hush');
  });
});

describe('the API key', () => {
  it('stays recognisable in its own header, and only there', async () => {
    const own = await world();
    const { key, requestHeaders } = await kept(own, { 'X-Api-Key': own.sandbox.apiKey('riverside') });
    expect(requestHeaders['service-api-key']).toBe(key);
    expect(key).toMatch(/^sbx_.{4}….{2}$/);
    expect(requestHeaders['x-api-key']).toBe('…');
  });

  it.each([
    ['url', '?note=KEY', '{"data":[{"data":{}}]}'],
    ['url', '?api_key=KEY', '{"data":[{"data":{}}]}'],
    ['body', '', '{"data":[{"data":{}}],"key":"KEY"}'],
    ['url, body', '?api_key=KEY', '{"data":[{"data":{}}],"key":"KEY"}'],
    ['', '?api_key=', '{"data":[{"data":{}}]}'],
  ])('is told to have been sent elsewhere: %s', async (places, query, body) => {
    const own = await world();
    const key = own.sandbox.apiKey('riverside');
    await own
      .post(`get-all-instructors${query.replace('KEY', key)}`)
      .set('SERVICE-API-KEY', key)
      .set('Content-Type', 'application/json')
      .send(body.replace('KEY', key));
    const entries = await own.sandbox.journal.list();
    expect(entries.map(({ keyElsewhere }) => keyElsewhere.join(', '))).toEqual([places]);
    expect(JSON.stringify(entries)).not.toContain(key);
  });

  it.each<readonly [string, (key: string) => string]>([
    ['with an escape sequence', (key) => key.replace('s', String.raw`\u0073`)],
    ['with escape sequences only', escaped],
    ['in capital letters', (key) => key.toUpperCase()],
  ])('is found in a body %s', async (_, written) => {
    const own = await world();
    const key = own.sandbox.apiKey('riverside');
    await own
      .post('get-all-instructors')
      .set('SERVICE-API-KEY', key)
      .set('Content-Type', 'application/json')
      .send(`{"data":[{"data":{}}],"key":"${written(key)}","name":"${escaped('Zoë')}"}`);
    const [entry] = await own.sandbox.journal.list();
    expect(entry?.keyElsewhere).toEqual(['body']);
    expect(entry?.request).not.toContain(written(key));
    expect(entry?.request).toContain(escaped('Zoë'));
  });

  it.each([65_536, 65_536 + 262_144, 65_536 + 2 * 262_144, 1_200_000])(
    'is found in a body of more than 1 MiB, on both sides of character %i',
    async (place) => {
      const own = await world({ assumptions: { maxPayload: '10mb' } });
      const key = own.sandbox.apiKey('riverside');
      const before = '{"data":[{"data":{}}],"note":"';
      const note = 'x'.repeat(place - before.length - 4);
      await own
        .post('get-all-instructors')
        .set('SERVICE-API-KEY', key)
        .set('Content-Type', 'application/json')
        .send(`${before}${note}${key}${'x'.repeat(1_300_000 - place)}"}`);
      const [entry] = await own.sandbox.journal.list();
      expect(entry?.keyElsewhere).toEqual(['body']);
    },
  );

  it.each<readonly [string, (key: string) => string]>([
    ['in base64', (key) => Buffer.from(key).toString('base64')],
    ['in base64, after a letter', (key) => Buffer.from(`a${key}`).toString('base64url')],
    ['in base64, after two letters', (key) => Buffer.from(`ab${key}`).toString('base64')],
    ...['', 'a', 'ab', 'abc'].map(
      (before) =>
        [
          `in base64 of base64 of base64, after "${before}"`,
          (key: string) =>
            [1, 2, 3].reduce((text) => Buffer.from(`${before}${text}`).toString('base64'), key),
        ] as const,
    ),
    ['in base64 of base64', (key) => Buffer.from(Buffer.from(key).toString('base64url')).toString('base64')],
    ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
    ['percent-encoded', (key) => key.replaceAll('_', '%5F')],
  ])('is found in a body %s, and not stored', async (_, encoded) => {
    const own = await world();
    const key = own.sandbox.apiKey('riverside');
    await own
      .post('get-all-instructors')
      .set('SERVICE-API-KEY', key)
      .send({ data: [], note: encoded(key) });
    const [entry] = await own.sandbox.journal.list();
    expect(entry?.keyElsewhere).toEqual(['body']);
    expect(entry?.request).not.toContain(encoded(key));
  });

  it.each<readonly [string, (key: string) => string]>([
    ['in base64', (key) => Buffer.from(key).toString('base64')],
    ['in base64 after other letters', (key) => `tok${Buffer.from(key).toString('base64')}`],
    [
      'in base64 of base64 of base64',
      (key) => [key, key, key].reduce((text) => Buffer.from(text).toString('base64'), key),
    ],
    ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
    ['percent-encoded six times', (key) => key.replace('s', `%${'25'.repeat(5)}73`)],
  ])('is found in a header and a URL %s', async (_, written) => {
    const own = await world();
    const text = written(own.sandbox.apiKey('riverside'));
    const entry = await kept(own, { 'X-Trace': text }, `?note=${text}`);
    expect(entry.keyElsewhere.toSorted()).toEqual(['header', 'url']);
    expect(JSON.stringify(entry)).not.toContain(text);
  });

  it('is found in the name of a header', async () => {
    const own = await world();
    const entry = await kept(own, { [`X-${own.sandbox.apiKey('riverside')}`]: '1' });
    expect(entry.keyElsewhere).toEqual(['header']);
  });

  it('is masked in the name of a header', async () => {
    const own = await world();
    const key = own.sandbox.apiKey('riverside');
    const { requestHeaders } = await kept(own, { [`X-${key}`]: '1' });
    expect(JSON.stringify(requestHeaders)).not.toContain(key);
  });

  it.each([
    ['none', undefined, 'undefined', 'undefined'],
    ['one letter', 'e', 'seven', 'seven'],
    ['7 letters', 'seven-7', 'a seven-7 b', 'a seven-7 b'],
    ['8 letters', 'eight-08', 'a eight-08 b', 'a ei… b'],
  ])('is found in a body where it is long enough to be one: %s', async (_, key, sent, shown) => {
    const server = await serve();
    await post(server, key === undefined ? {} : { 'SERVICE-API-KEY': key }, `"${sent}"`);
    expect((await server.default.journal.list()).map(({ request }) => request)).toEqual([`"${shown}"`]);
  });

  it('is found in the headers of each call, those of the one before with another key included', async () => {
    const server = await serve();
    const calls = [
      ['the-first-1', 'the-other-2'],
      ['the-other-2', 'the-other-2'],
      ['the-other-2', 'the-first-1'],
    ] as const;
    for (const [key, note] of calls)
      await post(server, { 'SERVICE-API-KEY': key, 'X-Note': note, 'X-Trace': key }, '{}');
    const entries = await server.default.journal.list();
    expect(
      entries.map(({ requestHeaders }) => [requestHeaders['x-note'], requestHeaders['x-trace']]),
    ).toEqual([
      ['the-other-2', 'th…'],
      ['th…', 'th…'],
      ['the-first-1', 'th…'],
    ]);
  });
});

async function post(
  server: SandboxServer,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  await supertest(server.url)
    .post('/public/get-all-instructors')
    .set('Content-Type', 'application/json')
    .set(headers)
    .send(body);
}

describe('the curl command', () => {
  it('works without the secrets, and names them', async () => {
    const own = await world();
    const headers = { 'X-Auth-Token': 'hush', Cookie: 'session=hush', 'X-Trace': 'mine' };
    const entry = await kept(own, headers, '?page=1&api_key=hush&after=2&token=hush&token');
    expect(toCurl(entry, 'http://sandbox.example')).toBe(
      [
        '# Left out because the journal masks secrets: header x-auth-token, header cookie, query parameter api_key, query parameter token.',
        "curl 'http://sandbox.example/public/get-all-instructors?page=1&after=2&token' \\",
        '  -H "SERVICE-API-KEY: $SANDBOX_API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        "  -H 'x-trace: mine' \\",
        `  --data-raw '${goodBody}'`,
      ].join('\n'),
    );
  });

  it('has nothing in its comment that a shell would run', async () => {
    const entry = await kept(await world(), {}, '?key$(id)`id`;%0aid=1');
    const [comment = '', ...more] = toCurl(entry, 'http://sandbox.example').split('\n');
    expect(comment).toBe('# Left out because the journal masks secrets: query parameter key__id__id___0aid.');
    expect(more[0]).toBe("curl 'http://sandbox.example/public/get-all-instructors' \\");
  });
});

describe('a hostile query', () => {
  it.each(['key&', 'keykey', '%3akey=%3d', '//a@', '%3a%2f%2fa%40', '%', 'token%3d?', '%2525', 'key=%2525'])(
    'of the same over and over is read at once: %s',
    async (part) => {
      const own = await world();
      const query = `?${part.repeat(Math.floor(15_000 / part.length))}`;
      const started = stopwatch();
      // It has no key, so the refusal looks for one there.
      await supertest(own.url).post(`/public/get-all-instructors${query}`).send(goodBody);
      expect(stopwatch() - started).toBeLessThan(2000);
    },
  );
});
