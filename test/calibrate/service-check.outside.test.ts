import { describe, expect, it } from 'vitest';
import { connect } from '../../src/upstream/calibrate/upstream.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

/** How a calibration ends if every reply is another one. */
async function stopped(change: (sent: Request, reply: Response) => Response | Promise<Response>) {
  const calls: { readonly at: number; readonly operation: string }[] = [];
  const error: unknown = await second
    .calibrated(
      {},
      {
        change: (sent, reply) => {
          calls.push({
            at: Date.parse(reply.headers.get('date') ?? ''),
            operation: sent.url.split('/').at(-1) ?? '',
          });
          return change(sent, reply);
        },
      },
    )
    .catch((reason: unknown) => reason);
  return { calls, message: error instanceof Error ? error.message : 'it did not stop' };
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

const isNoList =
  /is not the service: it sends no list of outputs with the status ok or error \(HTTP 200, .*Is --upstream the base URL/;
const hasNothing =
  /is not the service, or has no data: it lists neither live events nor instructors \(HTTP 200, output ok\), and accepts an unknown key$/;

describe('lp-sandbox calibrate stops before the first probe', () => {
  it('where the service is down, after one more try at the time that it asks for', async () => {
    const { calls, message } = await stopped((_, reply) =>
      json({ message: 'Maintenance' }, 503, { 'Retry-After': '300', Date: reply.headers.get('date') ?? '' }),
    );
    expect(message).toMatch(
      /^http\S+ is down: it responded twice with HTTP 503, application\/json: "Maintenance"\. Run this command again later\.$/,
    );
    expect(calls.map(({ at }) => (at - (calls[0]?.at ?? 0)) / 1000)).toEqual([0, 300]);
  });

  it.each<readonly [string, () => Response, RegExp, number]>([
    [
      'redirects to another base path',
      () =>
        new Response(null, { status: 308, headers: { Location: '/v2/public/get-all-live-events?page=1' } }),
      /^(http:\S+) redirects to \1\/v2: try --upstream \1\/v2$/,
      1,
    ],
    [
      'redirects to another host',
      () =>
        new Response(null, {
          status: 307,
          headers: { Location: 'https://other.example/v2/public/get-all-live-events' },
        }),
      /^http:\S+ redirects to another host, https:\/\/other\.example\/v2\. The API key was not sent there\. With this URL as --upstream it would be: use it only if you know that this host belongs to the service\.$/,
      1,
    ],
    [
      'redirects to TLS on the same host',
      () =>
        new Response(null, {
          status: 308,
          headers: { Location: 'https://127.0.0.1/public/get-all-live-events' },
        }),
      /^http:\S+ redirects to https:\/\/127\.0\.0\.1: try --upstream https:\/\/127\.0\.0\.1$/,
      1,
    ],
    [
      'redirects to a page',
      () => new Response(null, { status: 302, headers: { Location: 'https://login.example/' } }),
      /redirects to https:\/\/login\.example\/, which is no operation\. Is --upstream the base URL of the API\?$/,
      1,
    ],
    [
      'redirects an operation to itself',
      () => new Response(null, { status: 302, headers: { Location: 'get-all-live-events?again=1' } }),
      /redirects to http:\S+\/public\/get-all-live-events\?again=1, the same operation, which is a loop\. /,
      1,
    ],
    [
      'refuses the key with a status',
      () => json({ message: 'Forbidden' }, 403),
      /refuses this key: HTTP 403, application\/json: "Forbidden"$/,
      2,
    ],
    [
      'has another base path',
      () => json({ error: 'no route' }, 404),
      /has no operation at \/public\/get-all-live-events: HTTP 404, .* including a base path such as \/v2\.$/,
      2,
    ],
    [
      'sends a page',
      () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
      /is not the service: it sends no JSON \(HTTP 200, text\/html: "Welcome"\)/,
      2,
    ],
    ['is some other service', () => json({ ok: true }, 200), isNoList, 2],
    ['sends a text', () => json('hello', 200), isNoList, 2],
    ['sends no outputs', () => json([], 200), isNoList, 2],
    ['returns the request', () => json({ data: [{ data: {} }] }, 200), isNoList, 2],
    ['succeeds with anything', () => json([{ output: { status: 'ok', data: {} } }], 200), hasNothing, 3],
    [
      'lists nothing, with any key',
      () => json([{ output: { status: 'ok', data: { liveEvents: [], instructors: [] } } }], 200),
      hasNothing,
      3,
    ],
    [
      'redirects without a Location',
      () => new Response(null, { status: 308 }),
      /redirects, but does not say where to \(HTTP 308, no body\)$/,
      1,
    ],
    [
      'throttles every call',
      () => json({}, 429, { 'Retry-After': '1' }),
      /throttles every call: HTTP 429, application\/json: "\{\}"\. Run this command again later\.$/,
      4,
    ],
    ['fails for every call', () => json({}, 500), /fails: both lists returned server errors, twice each/, 4],
    ['refuses every call', () => json({}, 400), /refuses a call without parameters: HTTP 400/, 2],
  ])('where it %s', async (_, reply, message, count) => {
    const { calls, message: told } = await stopped(reply);
    expect(told).toMatch(message);
    expect(calls).toHaveLength(count);
  });

  it('where it refuses the key in the outputs, as it refuses an unknown one', async () => {
    const { calls, message } = await stopped((sent) => {
      const errorMessage = `Key ${sent.headers.get('service-api-key') ?? ''} is unknown`;
      return json([{ output: { status: 'error', errorMessage } }], 200);
    });
    expect(message).toMatch(/refuses this key: it responds to an unknown key in the same way \(HTTP 200, /);
    expect(message).not.toContain('riverside');
    expect(calls).toHaveLength(3);
  });
});

describe('lp-sandbox calibrate goes on', () => {
  it('where only one of the lists fails', async () => {
    const done = await second.calibrated(
      {},
      {
        change: (sent, reply) =>
          sent.url.endsWith('get-all-live-events')
            ? json([{ output: { status: 'error', errorMessage: 'Out of order' } }], 200)
            : reply,
      },
    );
    expect(verdictOn('missingKey', done).option).toBe('http-401');
  });

  it('where the school is empty, but an unknown key is refused', async () => {
    const none = json([{ output: { status: 'ok', data: {} } }], 200);
    const done = await second.calibrated(
      {},
      { change: (_, reply) => (reply.ok && reply.status === 200 ? none.clone() : reply) },
    );
    expect(verdictOn('missingKey', done).option).toBe('http-401');
  });

  it('no longer where the service goes down later', async () => {
    let count = 0;
    const { calls, message } = await stopped((_, reply) => {
      count += 1;
      return count > 20 ? json({}, 502) : reply;
    });
    expect(message).toMatch(/is down: its last 4 calls failed, at last with: HTTP 502\./);
    expect(calls.length).toBeLessThanOrEqual(28);
  });
});

describe('a service without a connection', () => {
  it.each([
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND x', /getaddrinfo ENOTFOUND x\. The host name cannot be resolved/],
    ['ECONNREFUSED', '', /: ECONNREFUSED\. Nothing accepts connections there/],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'self-signed certificate',
      /certificate\. Its certificate is not trusted/,
    ],
    ['EPROTO', 'wrong version number', /does --upstream need http:\/\/ instead\?$/],
  ])('is named with what to do: %s', async (code, words, message) => {
    const upstream = connect(
      'https://api.school.example',
      { own: 'secret-key-1', second: null, other: null },
      () =>
        Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(words), { code }) })),
    );
    await expect(upstream.call({ operation: 'get-all-instructors' })).rejects.toThrow(message);
  });
});
