import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/operation-types.ts';
import { startSandbox, type JournalEntry } from '../../src/index.ts';
import { makeReport } from '../../src/report/report.ts';
import { eventually } from '../support/eventually.ts';
import { requestExamples } from '../support/examples.ts';
import { world } from '../support/world.ts';
import {
  goodBody,
  goodReply,
  proxyTo,
  realKey,
  send,
  upstreamThat,
  type Came,
  type Proxy,
} from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

/** A proxy in front of an upstream that always answers the same, and the reply to one call. */
async function afterReply(
  body: string,
  {
    status = 200,
    headers = json,
    path = '/public/get-quiz-details',
  }: { status?: number; headers?: Record<string, string>; path?: string } = {},
) {
  const upstream = await upstreamThat((response) => response.writeHead(status, headers).end(body));
  const proxy = await proxyTo(upstream.url);
  const reply = await send(proxy.url, { path });
  return { proxy, reply, found: proxy.journal()[0]?.responseViolations };
}

describe('a reply that breaks the contract', () => {
  it.each([
    ['not JSON', '<p>', '', 'is not JSON.'],
    ['no list', '{"output":{}}', '', 'must be an array of outputs, but is an object.'],
    ['no outputs', '[7]', '/0', 'must be an object with an "output", but is the number 7.'],
    ['empty', '', '', 'is empty, but must be JSON.'],
    ['no output', '[{}]', '/0/output', 'is required, but missing.'],
    [
      'an output that is none',
      '[{"output":"ok"}]',
      '/0/output',
      'must be an object, but is the string "ok".',
    ],
    [
      'an unknown status',
      '[{"output":{"status":"done"}}]',
      '/0/output/status',
      'must be "ok" or "error", but is the string "done".',
    ],
    [
      'a failure without words',
      '[{"output":{"status":"error"}}]',
      '/0/output/errorMessage',
      'is required, but missing.',
    ],
    [
      'a failure in numbers',
      '[{"output":{"status":"error","errorMessage":5}}]',
      '/0/output/errorMessage',
      'must be a string, but is the number 5.',
    ],
    ['no result', '[{"output":{"status":"ok"}}]', '/0/output/data', 'is required, but missing.'],
    [
      'a wrong type',
      '[{"output":{"status":"ok","data":{"createdAtIso":"2025-09-29T16:05:51.238Z","quizTitle":4,"questions":[]}}}]',
      '/0/output/data/quizTitle',
      'must be a string, but is the number 4.',
    ],
    [
      'more outputs than elements',
      `[${goodReply.slice(1, -1)},${goodReply.slice(1, -1)}]`,
      '',
      'has 2 outputs for 1 element.',
    ],
    ['no outputs for an element', '[]', '', 'has 0 outputs for 1 element.'],
  ])('is told with its place: %s', { tags: ['slow'] }, async (_, body, pointer, message) => {
    const { reply, found } = await afterReply(body);
    expect(found).toEqual([{ pointer, message }]);
    expect([reply.status, reply.text]).toEqual([200, body]);
    const first = `${pointer === '' ? 'The response' : pointer} ${message}`.replaceAll('"', '\\"');
    expect(reply.headers['sandbox-violations']).toBe(`response;count=1;first="${first}"`);
  });

  it('is told where its media type is wrong and its body is not JSON', { tags: ['slow'] }, async () => {
    const { found } = await afterReply('<p>', { headers: { 'Content-Type': 'text/html' } });
    const message =
      'is declared as the string "text/html", but the contract documents application/json for the status 200.';
    expect(found).toEqual([{ pointer: '', message }]);
  });

  it('is told in a large body, even behind a missing field', { tags: ['slow'] }, async () => {
    const video = '{"createdAt":"2025-09-29T16:05:51.238Z","status":"x","videoId":"1","videoTitle":"t"}';
    const videos = [...Array.from({ length: 6000 }, () => video), '{"videoId":7}'].join(',');
    const { found } = await afterReply(`[{"output":{"status":"ok","data":{"videoData":[${videos}]}}}]`, {
      path: '/public/get-video-library',
    });
    expect(found).toEqual([
      { pointer: '/0/output/data/videoData/6000/videoId', message: 'must be a string, but is the number 7.' },
    ]);
  });

  it('is told in a bounded header of ASCII, whatever it holds', { tags: ['slow'] }, async () => {
    const { reply, found } = await afterReply(
      `[{"output":{"status":"é\\u0007${'x'.repeat(300)}"}},${'{},'.repeat(500)}{}]`,
    );
    expect(found).toHaveLength(50);
    const header = String(reply.headers['sandbox-violations']);
    expect(header).toMatch(/^response;count=50;first="[\x20-\x7e]{100,170}"$/);
  });

  it('needs nothing that only this sandbox has: no id of a request, no assumptions', async () => {
    expect((await afterReply(goodReply)).found).toEqual([]);
  });
});

async function afterRequest(
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ proxy: Proxy; reply: Came }> {
  const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
  const proxy = await proxyTo(upstream.url);
  return { proxy, reply: await send(proxy.url, { body, headers }) };
}

describe('a request that breaks the contract', () => {
  it.each([
    [
      '{"data":[{"data":{"quizID":"a"}}]}',
      {},
      '/data/0/data/quizId',
      /^is required, but missing\. You sent "quizID": did you mean "quizId"\?$/,
    ],
    [
      '{"data":[{"data":{"quizId":"a"}},{"data":{"quizId":1}}]}',
      {},
      '/data/1/data/quizId',
      /^must be a string, but is the number 1\.$/,
    ],
    [
      '{"quizId":"a"}',
      {},
      '/data',
      /^is required, but missing\. The parameters were sent without the envelope\./,
    ],
    ['{"data":', {}, '', /^is not JSON: /],
    ['', {}, '', /^is empty\. Send /],
    [goodBody, { 'Content-Type': 'text/plain' }, '', /^is declared as "text\/plain"\. Send JSON/],
    [goodBody, { 'Content-Type': 'nonsense' }, '', /^is declared as "nonsense"\. Send JSON/],
  ])('is passed on, and told: %s %o', async (body, headers, pointer, message) => {
    const { proxy, reply } = await afterRequest(body, headers);
    expect([reply.status, reply.text]).toEqual([200, goodReply]);
    expect(proxy.journal()[0]?.violations).toEqual([{ pointer, message: expect.stringMatching(message) }]);
    expect(reply.headers['sandbox-violations']).toMatch(/^request;count=1;first="/);
    expect(proxy.journal()[0]?.responseViolations).toEqual([]);
  });

  it('is one without a key, too', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(401, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    const reply = await fetch(`${proxy.url}/public/get-quiz-details`, {
      method: 'POST',
      headers: json,
      body: goodBody,
    });
    expect(reply.status).toBe(401);
    expect(proxy.journal()[0]).toMatchObject({
      outcome: 'missing-key',
      violations: [
        {
          pointer: '',
          message: 'was sent without the header SERVICE-API-KEY, which every call must have.',
        },
      ],
    });
  });
});

describe('violations as errors', () => {
  it('keep a wrong request from the upstream: 422, with what is wrong', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url, { errors: true });
    const reply = await send(proxy.url, { body: '{"data":[{"data":{"quizId":1}}]}' });
    expect([reply.status, reply.headers['content-type'], upstream.got]).toEqual([
      422,
      'application/problem+json; charset=utf-8',
      [],
    ]);
    expect(JSON.parse(reply.text)).toEqual({
      type: 'urn:learning-platform-sandbox:the-request-violates-the-contract',
      title: 'The request violates the contract',
      status: 422,
      detail:
        'The request was not forwarded (--errors). /data/0/data/quizId must be a string, but is the number 1.',
      violations: [{ pointer: '/data/0/data/quizId', message: 'must be a string, but is the number 1.' }],
    });
    expect(proxy.journal()[0]).toMatchObject({ status: 422, outcome: 'request-violation', outcomes: [] });
  });

  it('keep a wrong reply from the client: 502, with what is wrong and the status of the upstream', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, json).end('[{"output":{"status":"error"}},{}]'),
    );
    const proxy = await proxyTo(upstream.url, { errors: true });
    const reply = await send(proxy.url, {
      body: '{"data":[{"data":{"quizId":"a"}},{"data":{"quizId":"b"}}]}',
    });
    expect(reply.status).toBe(502);
    expect(JSON.parse(reply.text)).toMatchObject({
      title: 'The response violates the contract',
      detail: `${upstream.url} returned status 200. The proxy withheld its response (--errors). /0/output/errorMessage is required, but missing. And 1 more.`,
      violations: [{ pointer: '/0/output/errorMessage' }, { pointer: '/1/output' }],
    });
    expect(proxy.journal()[0]).toMatchObject({ status: 502, outcome: 'response-violation', outcomes: [] });
    expect(proxy.passed[0]?.responseText).toBe('[{"output":{"status":"error"}},{}]');
  });

  it('let everything else through', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const reply = await send((await proxyTo(upstream.url, { errors: true })).url);
    expect([reply.status, reply.text, reply.headers['sandbox-violations']]).toEqual([
      200,
      goodReply,
      undefined,
    ]);
  });
});

describe('in front of another sandbox', () => {
  it(
    'finds nothing wrong with either side, whatever is called as the contract has it',
    { tags: ['slow'] },
    async () => {
      await using upstream = await startSandbox({ port: 0, limits: null });
      const proxy = await proxyTo(upstream.url);
      const calls = operationNames.flatMap((operation) =>
        Object.values(requestExamples(operation)).map(({ value }) => ({ operation, value })),
      );
      for (const { operation, value } of calls) {
        const headers = { 'SERVICE-API-KEY': 'sbx_default_riverside' };
        const reply = await send(proxy.url, {
          path: `/public/${operation}`,
          headers,
          body: JSON.stringify(value),
        });
        expect([operation, reply.status, reply.headers['sandbox-violations']]).toEqual([
          operation,
          200,
          undefined,
        ]);
      }
      const report = makeReport('default', { entries: proxy.journal(), evicted: 0 });
      expect([report.calls, report.neverCalled, report.violations, report.responseViolations]).toEqual([
        calls.length,
        [],
        [],
        [],
      ]);
    },
  );

  it.each(['conventional', 'always-200', 'problem-json', 'gateway', 'strict'] as const)(
    'finds nothing wrong with refusals under the profile %s',
    async (profile) => {
      const { url, sandbox } = await world({ profile });
      const proxy = await proxyTo(url);
      const own = { 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
      await send(proxy.url, { headers: own, body: '{"data":[{}]}' });
      await send(proxy.url, { headers: own, body: '{"data":[{"data":{"quizId":"nobody"}}]}' });
      await send(proxy.url, { headers: { 'SERVICE-API-KEY': `${sandbox.apiKey('riverside')}x` } });
      expect(proxy.journal().map(({ responseViolations }) => responseViolations)).toEqual([[], [], []]);
    },
  );

  it('finds nothing wrong with a refusal that has no body at all, as under a reading of the specification', async () => {
    const { url, sandbox } = await world({ assumptions: { refusalBody: 'empty' } });
    const proxy = await proxyTo(url);
    const reply = await send(proxy.url, {
      headers: { 'SERVICE-API-KEY': `${sandbox.apiKey('riverside')}x` },
    });
    expect([reply.status, reply.text, proxy.journal()[0]?.responseViolations]).toEqual([401, '', []]);
  });

  it('keeps that one’s id of the request, and journals with its own', async () => {
    const { url, sandbox } = await world();
    const proxy = await proxyTo(url);
    const reply = await send(proxy.url, { headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside') } });
    expect(reply.headers['sandbox-request-id']).toBe(`${sandbox.id}-1`);
    expect(proxy.journal()[0]?.requestId).toBe('default-1');
  });

  it('finds what its faults break, and whose the mistake is', async () => {
    const { url, sandbox } = await world();
    const proxy = await proxyTo(url);
    const call = (fault: string): Promise<Came> =>
      send(proxy.url, {
        headers: { 'SERVICE-API-KEY': sandbox.apiKey('riverside'), 'Sandbox-Fault': fault },
      });
    const broken = await call('malformed-json');
    expect(broken.headers['sandbox-violations']).toBe('response;count=1;first="The response is not JSON."');
    expect((await call('http-error; status=503; retry-after=2')).status).toBe(503);
    expect((await call('reset')).status).toBe(502);
    expect(proxy.journal().map(({ violations }) => violations)).toEqual([[], [], []]);
  });
});

describe('the key of a real school', () => {
  it('is whole nowhere: journal, log, messages, report', { tags: ['slow'] }, async () => {
    const echo = JSON.stringify([
      {
        output: { status: realKey, key: realKey, url: `https://a.example/?k=${encodeURIComponent(realKey)}` },
      },
    ]);
    const upstream = await upstreamThat((response) =>
      response
        .writeHead(200, { ...json, 'X-Echo': realKey, 'Set-Cookie': `session=${realKey}-cookie` })
        .end(echo),
    );
    for (const log of ['pretty', 'json'] as const) {
      const proxy = await proxyTo(upstream.url, {}, { log });
      const reply = await send(proxy.url, {
        path: `/public/get-quiz-details?api_key=${encodeURIComponent(realKey)}&token=another-secret-of-mine`,
        headers: {
          Authorization: `Bearer ${realKey}`,
          Cookie: `id=${realKey}`,
          'X-Note': `mine is ${realKey}`,
        },
        body: JSON.stringify({
          data: [
            {
              data: {
                quizId: [realKey],
                [realKey]: realKey.repeat(4),
                note: { quizId: `${'y'.repeat(40)}${realKey}` },
              },
            },
            realKey,
            `${'z'.repeat(45)}${realKey}`,
          ],
        }),
      });
      expect([reply.text, reply.headers['x-echo']]).toEqual([echo, realKey]);
      const entries = proxy.journal();
      expect(entries).toHaveLength(1);
      await waitForLog(proxy);
      const kept = [
        JSON.stringify(entries),
        JSON.stringify(makeReport('default', { entries, evicted: 0 })),
        proxy.said(),
        JSON.stringify(reply.headers['sandbox-violations']),
      ];
      for (const text of kept) {
        expect(text).not.toContain(realKey);
        expect(text).not.toContain(realKey.slice(0, 10));
        expect(text).not.toContain(encodeURIComponent(realKey));
        expect(text).not.toContain('another-secret-of-mine');
      }
      // It stays recognisable, even though another header has it too.
      expect(entries[0]?.requestHeaders['x-note']).toBe('mine is live…==');
      expect(proxy.passed[0]?.responseText).toBe(echo);
    }
  });
});

describe('other secrets of a call through the proxy', () => {
  it('are masked on both sides by their names, however short, and where they are repeated', async () => {
    const session = 'session-of-mine-1234';
    const upstream = await upstreamThat((response) =>
      response
        .writeHead(302, {
          ...json,
          'Set-Cookie': ['sid=abc; Path=/', 'b=c'],
          'X-Session': 'def',
          'WWW-Authenticate': 'Bearer realm="a"',
          Location: `/login?back=1&token=ghi#${session}`,
        })
        .end(goodReply),
    );
    const proxy = await proxyTo(upstream.url);
    const reply = await send(proxy.url, {
      path: '/public/get-quiz-details?page=1&api%5Fkey=jkl&token=mno',
      headers: { 'X-Auth-Token': 'pqr', 'X-Session-Id': session, 'X-Note': `it is ${session}` },
      body: `{"data":[{"data":{"quizId":"${session}"}}]}`,
    });
    expect(reply.headers).toMatchObject({ 'set-cookie': ['sid=abc; Path=/', 'b=c'], 'x-session': 'def' });
    expect(proxy.journal()[0]).toMatchObject({
      url: '/public/get-quiz-details?page=1&api%5Fkey=…&token=…',
      requestHeaders: {
        'service-api-key': 'live…==',
        'x-auth-token': '…',
        'x-session-id': '…',
        'x-note': 'it is …',
      },
      request: '{"data":[{"data":{"quizId":"…"}}]}',
      responseHeaders: {
        'set-cookie': '…, …',
        'x-session': '…',
        'www-authenticate': 'Bearer realm="a"',
        location: '/login?back=1&token=…#…',
      },
      keyElsewhere: [],
    });
  });

  it('are no words and hosts that stand beside a secret', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, json).end('{"kind":"assignments","at":"http://localhost:3000/x"}'),
    );
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, {
      headers: {
        'SERVICE-API-KEY': 'localhost:3000|live_9fQ4',
        Cookie: 'prefs=assignments|instructors',
        'X-Session-Host': 'http://localhost:3000',
      },
    });
    expect(proxy.journal()[0]).toMatchObject({
      response: '{"kind":"assignments","at":"…/x"}',
    });
  });

  it('are found beside very many cookies, before and after them', async () => {
    const cookies = Array.from({ length: 400 }, (_, index) => `cookie${index}=value-${index}-xyz`);
    const secrets = ['Zq9RealBearerToken1', 'value-0-xyz', 'value-399-xyz', 'Of9TheQuery'];
    const upstream = await upstreamThat((response) =>
      response.writeHead(200, json).end(JSON.stringify(secrets)),
    );
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, {
      path: '/public/get-quiz-details?token=Of9TheQuery',
      headers: { Cookie: cookies.join('; '), Authorization: 'Bearer Zq9RealBearerToken1' },
    });
    expect(proxy.journal()[0]).toMatchObject({ response: '["…","…","…","…"]' });
  });

  it('are none where they only name a request, so that calls can still be told apart', async () => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url, { headers: { 'Idempotency-Key': '89a674da2cdf9bc9916fe3ae' } });
    expect(proxy.journal()[0]).toMatchObject({
      requestHeaders: { 'idempotency-key': '…' },
      request: goodBody,
      keyElsewhere: [],
    });
  });

  it.each([
    ['?a=1;api_key=SECRET', '?a=1;api_key=…'],
    ['?a=1%26token=SECRET', '?a=1%26token=…'],
    ['?a=1?token=SECRET', '?a=1?token=…'],
    ['?a=1#token=SECRET', '?a=1#token=…'],
    ['?a=1%3Btoken%3DSECRET', '?a=1%3Btoken%3D…'],
    ['?a=http://h/?token=SECRET', '?a=http://h/?token=…'],
    ['?a=http%3A%2F%2Fh%2F%3Ftoken%3DSECRET%26b', '?a=http%3A%2F%2Fh%2F%3Ftoken%3D…%26b'],
    ['?a=http%3A%2F%2Fh%2F%3Ftoken%3Dhush%252Bhush-1', '?a=http%3A%2F%2Fh%2F%3Ftoken%3D…'],
    ['?%2561pi_%256bey=SECRET', '?%2561pi_%256bey=…'],
    ['?auth=Bearer+SECRET', '?auth=…'],
    ['?a=http://me:SECRET@h/', '?a=http://…@h/'],
    ['?a=http%3A%2F%2Fme%3ASECRET%40h', '?a=http%3A%2F%2F…%40h'],
    // A password contains a separator, or is a part of a value.
    ['?a=//m;token=y@h;key=SECRET', '?a=//…@h;key=…'],
    ['?a=1;token=SECRET', '?a=1;token=…', '//me@hush-hush'],
    // The name contains an encoded separator.
    ['?token%26a=SECRET', '?token%26a=…'],
  ])(
    'are found in a body where they are masked in the query %s',
    async (query, shown, own = 'hush+hush-1') => {
      const entry = await echo(own, {
        query: (secret) => query.replace('SECRET', secret.replaceAll('+', '%2B')),
      });
      expect(entry).toMatchObject({
        url: `/public/get-quiz-details${shown}`,
        response: echoed('…'),
        keyElsewhere: ['url'],
      });
    },
  );

  it.each(['x|SECRET', 'SECRET|x', 'SECRET:x', 'x:SECRET', 'Token a=x|SECRET'])(
    'are found in a body where a part of the key header is one: %s',
    async (header) => {
      const entry = await echo('hush+hush-1', {
        header: (secret) => header.replace('SECRET', secret),
      });
      expect(entry?.response).toBe(echoed('hu…'));
    },
  );

  it.each([
    ['url', `?note=${encodeURIComponent(realKey)}`, '{"data":[]}', { 'SERVICE-API-KEY': realKey }],
    ['url', '?api_key=another-key', '{"data":[]}', { 'SERVICE-API-KEY': realKey }],
    ['body', '', `{"data":[],"key":"${realKey}"}`, { 'SERVICE-API-KEY': realKey }],
    ['url, body', `?key=${encodeURIComponent(realKey)}`, `{"data":[],"key":"${realKey}"}`, {}],
    ['body', '', `{"data":[],"key":"${realKey}"}`, { Authorization: `Bearer ${realKey}` }],
    ['header', '', '{"data":[]}', { 'SERVICE-API-KEY': realKey, 'X-Trace': `a ${realKey}` }],
    ['', '', '{"data":[]}', { 'SERVICE-API-KEY': realKey, Authorization: 'Bearer of-a-gateway-9' }],
  ])('are told as a key that was sent elsewhere: in the %s', async (places, query, body, headers) => {
    const upstream = await upstreamThat((response) => response.writeHead(200, json).end(goodReply));
    const proxy = await proxyTo(upstream.url);
    await fetch(`${proxy.url}/public/get-quiz-details${query}`, {
      method: 'POST',
      body,
      headers: { ...json, ...headers },
    });
    expect(proxy.journal()[0]?.keyElsewhere.join(', ')).toBe(places);
  });
});

function echoed(text: string): string {
  return JSON.stringify([{ output: { status: 'ok', data: text } }]);
}

/** What the journal has of a call with a secret, which the upstream repeats alone. */
async function echo(
  secret: string,
  {
    query = () => '',
    header = () => realKey,
  }: { query?: (secret: string) => string; header?: (secret: string) => string },
): Promise<JournalEntry | undefined> {
  const upstream = await upstreamThat((response) => response.writeHead(200, json).end(echoed(secret)));
  const proxy = await proxyTo(upstream.url);
  await send(proxy.url, {
    path: `/public/get-quiz-details${query(secret)}`,
    headers: { 'SERVICE-API-KEY': header(secret) },
  });
  return proxy.journal()[0];
}

/** The log gathers lines for a moment before it writes them. */
async function waitForLog(proxy: Proxy): Promise<void> {
  await eventually(() => expect(proxy.said()).toContain('get-quiz-details'));
}
