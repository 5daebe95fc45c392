import { describe, expect, it } from 'vitest';
import type { AssumptionName } from '../../src/assumptions.ts';
import { maskFor } from '../../src/upstream/key-mask/key-mask.ts';
import { shown } from '../../src/upstream/calibrate/shown-text.ts';
import { connect } from '../../src/upstream/calibrate/upstream.ts';
import { conclude, type Reading } from '../../src/upstream/calibrate/model/infer.ts';
import { keyRefused, malformed } from '../../src/upstream/calibrate/model/predict.ts';
import type { Verdict } from '../../src/upstream/calibrate/verdict.ts';
import { toBeyondTable, toJson, toTable, toYaml } from '../../src/upstream/calibrate/render.ts';
import { describeReply, outcomeOf, outputsOf } from '../../src/upstream/calibrate/reply.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();

/** What a service does that is no sandbox: some of its replies are others. */
function calibratedWith(change: (sent: Request, reply: Response) => Response | Promise<Response>) {
  return second.calibrated({}, { change });
}

function isWithoutKey({ headers }: Request): boolean {
  return !headers.has('service-api-key');
}

describe('what a service sends beyond the contract', () => {
  it('is listed with counts, in the table and in JSON, if it is in a successful result', async () => {
    const done = await calibratedWith(async (sent, reply) => {
      if (!sent.url.endsWith('/get-all-live-events') || !reply.ok) return reply;
      const text = (await reply.text()).replaceAll('"liveEventId":', '"room":7,"liveEventId":');
      return new Response(text.replaceAll('"link":"', '"link":7,"l":"'), { headers: reply.headers });
    });
    const [room, link] = done.beyond.filter(({ place }) => /room|link/.test(place));
    expect(room).toMatchObject({
      operation: 'get-all-live-events',
      kind: 'field',
      place: '/*/output/data/liveEvents/*/room',
      pointer: '/0/output/data/liveEvents/0/room',
      source: 'service',
    });
    expect(link).toMatchObject({ kind: 'type', value: 'integer', count: room?.count });
    expect(toBeyondTable(done.beyond)).toContain(
      `${room?.count}  get-all-live-events  /*/output/data/liveEvents/*/room: undocumented field\n`,
    );
    const occasion = { host: 'a.example', from: '', to: '', calls: 1 };
    expect(JSON.parse(toJson(done, occasion, null))).toMatchObject({
      beyondContract: expect.arrayContaining([
        {
          operation: 'get-all-live-events',
          kind: 'field',
          place: room?.place,
          value: null,
          count: room?.count,
          example: { probe: 'service', pointer: room?.pointer },
        },
      ]),
    });
  });

  it('is an empty list for a sandbox with documented values only', async () => {
    const { beyond } = await second.calibrated({ openValues: 'shown-only' });
    expect([beyond, toBeyondTable(beyond)]).toEqual([[], '']);
  });
});

describe('a service that does what no option says', () => {
  it('is quoted, and nothing else suffers', async () => {
    const done = await calibratedWith((sent, reply) =>
      isWithoutKey(sent) ? Response.json({ message: 'Who are you?' }, { status: 418 }) : reply,
    );
    expect(verdictOn('missingKey', done)).toMatchObject({
      option: null,
      why: 'the service matches none of the options: a call without a key: HTTP 418, application/json: "Who are you?"',
    });
    expect(done.verdicts.filter(({ option }) => option === null).map(({ name }) => name)).toEqual([
      'missingKey',
      // They matter only with operationFailureStatus=by-kind.
      'ruleFailureStatus',
      'operationFailureBody',
      'refusedCallsCount',
      'omittedUpdateFields',
      'partialCouponTypeData',
      'withdrawnCompletion',
    ]);
  });

  it('may refuse with a body that is none of the known: the status counts, and the body is not told', async () => {
    const done = await calibratedWith((_, reply) =>
      reply.ok ? reply : Response.json([7], { status: reply.status, headers: reply.headers }),
    );
    expect(verdictOn('missingKey', done).option).toBe('http-401');
    expect(verdictOn('malformedBody', done).option).toBe('http-400');
    expect(verdictOn('throttleReply', done).option).toBe('http-429');
    expect(verdictOn('refusalBody', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(
        /^the service matches none of the options: a body that is not JSON: HTTP 400, /,
      ),
    });
  });

  it('may send the type of problem documents with a body of another form: its members decide', async () => {
    const headers = { 'Content-Type': 'application/problem+json' };
    const done = await calibratedWith(async (_, reply) =>
      reply.ok ? reply : Response.json({ message: await reply.text() }, { status: reply.status, headers }),
    );
    expect(verdictOn('refusalBody', done).option).toBe('message-json');
    expect(done.departures).toContainEqual(
      expect.objectContaining({
        what: 'the header Content-Type of another JSON body',
        service: 'application/problem+json',
        sandbox: 'application/json',
      }),
    );
  });

  it('may have a gateway that refuses with another body than what is behind it', async () => {
    const done = await calibratedWith((_, reply) =>
      [401, 429].includes(reply.status) ? page(reply) : reply,
    );
    const told = (['missingKey', 'throttleReply', 'gatewayRefusalBody', 'refusalBody'] as const).map(
      (name) => verdictOn(name, done).option,
    );
    expect(told).toEqual(['http-401', 'http-429', 'html', 'envelope']);
  });

  it('may have a gateway that refuses with several bodies', async () => {
    const done = await calibratedWith((sent, reply) => (isWithoutKey(sent) ? page(reply) : reply));
    expect(verdictOn('missingKey', done).option).toBe('http-401');
    expect(verdictOn('refusalBody', done).option).toBe('envelope');
    expect(verdictOn('gatewayRefusalBody', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/contradict each other/),
    });
  });

  it('may answer a wrong method or path with a page of its own: only that body is not told', async () => {
    const headers = { 'Content-Type': 'text/html' };
    const done = await calibratedWith((sent, reply) =>
      reply.status === 404 || sent.method === 'GET'
        ? new Response(`<pre>Cannot ${sent.method}</pre>`, { headers, status: 404 })
        : reply,
    );
    expect(verdictOn('wrongMethod', done).option).toBe('http-404');
    expect(verdictOn('unknownPath', done).option).toBe('http-404');
    expect(verdictOn('refusalBody', done).option).toBe('envelope');
    expect(verdictOn('unmatchedBody', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/^the service matches none of the options: GET .*"Cannot GET"$/),
    });
  });

  it('may allow only some origins', async () => {
    const done = await calibratedWith((sent, reply) =>
      sent.method === 'OPTIONS'
        ? new Response(null, {
            status: 204,
            headers: { 'Access-Control-Allow-Origin': 'https://app.example' },
          })
        : reply,
    );
    expect(verdictOn('cors', done)).toMatchObject({
      option: null,
      why: 'the service matches none of the options: a preflight request: HTTP 204, no body; it allows https://app.example',
    });
  });

  it('may have no limits: what they are like is not told', async () => {
    const done = await calibratedWith(async (sent, reply) =>
      reply.status === 429 ? fetchAgain(sent) : reply,
    );
    expect(verdictOn('rateLimitWindow', done)).toMatchObject({
      option: null,
      why: 'rate-limit: 18 elements in 17 calls within a minute all succeeded',
    });
    expect(verdictOn('processedMp4RateLimit', done).option).toBe('none');
  });

  it.each([
    ['RateLimit-Limit beside the policy of earlier drafts', 'RateLimit-Limit', 'ratelimit'],
    ['RateLimit beside its policy', 'RateLimit', 'ietf'],
  ])('may send %s', async (_, name, option) => {
    const done = await calibratedWith((__, reply) => {
      const headers = new Headers(reply.headers);
      headers.set('RateLimit-Policy', '15;w=60');
      headers.set(name, '15');
      return new Response(reply.body, { status: reply.status, headers });
    });
    expect(verdictOn('rateLimitHeaders', done).option).toBe(option);
  });

  it('may cut a large body off', async () => {
    const done = await calibratedWith(async (sent, reply) => {
      if ((await sent.clone().text()).length > 100_000)
        throw new TypeError('fetch failed', { cause: new Error('write EPIPE') });
      return reply;
    });
    expect(verdictOn('maxPayload', done)).toMatchObject({
      option: null,
      why: expect.stringMatching(/^large-body: .* was not reachable: write EPIPE$/),
    });
    expect(verdictOn('maxBatchSize', done).option).toBe('none');
  });
});

/** The page of a gateway instead of a reply. */
function page({ status, headers }: Response): Response {
  const sent = new Headers(headers);
  sent.set('Content-Type', 'text/html');
  return new Response('<h1>Go away</h1>', { status, headers: sent });
}

/** What the operation answers where it is let in. */
function fetchAgain(sent: Request): Response {
  return Response.json([{ output: { status: 'ok', data: { instructors: [], asked: sent.url } } }]);
}

describe('an address of a service', () => {
  it('may have a path, which is put before the operations', async () => {
    const urls: string[] = [];
    const keys = { own: 'secret-key-1', second: null, other: null };
    const upstream = connect('https://api.school.example/v2', keys, (input) => {
      urls.push(String(input instanceof Request ? input.url : input));
      return Promise.resolve(new Response('no such key: secret-key-1', { status: 401 }));
    });
    const reply = await upstream.call({ operation: 'get-all-instructors' });
    expect(urls).toEqual(['https://api.school.example/v2/public/get-all-instructors']);
    expect(shown(describeReply(reply), maskFor(['secret-key-1']))).toBe(
      'HTTP 401, text/plain;charset=UTF-8: "no such key: [key]"',
    );
  });
});

function reading(about: AssumptionName, seen: string, expected: Reading['expected']): Reading {
  return { about, seen, expected, words: seen };
}

describe('readings', () => {
  it('leave what they do not tell apart', () => {
    const { domains } = conclude([
      reading('missingKey', '200 error', (ask) => keyRefused(ask, 'missingKey')),
    ]);
    expect([domains.get('missingKey'), domains.get('refusalBody')?.length]).toEqual([['output-error'], 8]);
  });

  it('that options predict, but not those that other readings leave, are told as contradictory', () => {
    const [one, other] = [
      reading('malformedBody', '400 !html', malformed),
      reading('malformedBody', '422 !html', malformed),
    ];
    expect(conclude([one, other])).toMatchObject({ strange: [], contradictory: [other] });
  });
});

function jsonType(name: string): string | null {
  return name === 'content-type' ? 'application/json' : null;
}

describe('a reply', () => {
  it.each([
    [
      '[{"output":{"status":"ok","data":{}}},{"output":{"status":"error","errorMessage":"No"}}]',
      '200 ok,error',
    ],
    ['[]', '200 none'],
    ['[null]', '200 !other'],
    ['[{"output":{"status":"perhaps"}}]', '200 !other'],
    ['{"output":{"status":"ok","data":{}}}', '200 !other'],
    ['', '200 !empty'],
  ])('%s is taken for %s', (text, outcome) => {
    expect(
      outcomeOf({
        status: 200,
        header: jsonType,
        text,
        headerNames: [],
        hasMark: false,
        outputs: outputsOf(text),
      }),
    ).toBe(outcome);
  });
});

describe('a hostile service', () => {
  const keys = { own: 'secret-key-1', second: null, other: null };
  const call = (response: Response) =>
    connect('https://api.school.example', keys, () => Promise.resolve(response)).call({
      operation: 'get-all-instructors',
    });

  it('is not read beyond 16 MiB', async () => {
    let pulled = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
        // Without a bound, the test fails instead of filling the memory.
        if (pulled === 64) controller.close();
      },
      cancel: () => void (isCancelled = true),
    });
    await expect(call(new Response(endless))).rejects.toThrow(
      'api.school.example sent a response of more than 16 MiB, which this command does not read',
    );
    expect([pulled < 20, isCancelled]).toEqual([true, true]);
  });

  it('is read whole up to there', async () => {
    expect((await call(new Response('\uFEFFä'.repeat(3)))).text).toBe('ä\uFEFFä\uFEFFä');
    expect((await call(new Response(null, { status: 204 }))).text).toBe('');
  });

  it('cannot control the terminal or the file', () => {
    const words = 'HTTP 200: "\u001b[2J\u001b]0;owned\u0007\u0000\u0085\u202e a\nb"';
    const verdicts: readonly Verdict[] = [
      { name: 'missingKey', option: 'http-401', left: [], evidence: [words], why: null, oddity: null },
      { name: 'malformedBody', option: null, left: ['http-400'], evidence: [], why: words, oddity: null },
    ];
    const occasion = { host: 'api.school.example', from: '', to: '', calls: 1 };
    const found = { verdicts, templates: {}, departures: [], beyond: [] };
    for (const text of [toTable(verdicts), toYaml(found, occasion), toJson(found, occasion, null)]) {
      expect(text.match(/owned/g)).toHaveLength(2);
      expect(text).not.toMatch(/[^\n\P{Cc}]|[\u202a-\u202e]/u);
    }
  });

  it('does not keep the search for its message busy', () => {
    const text = '<head>'.repeat(100_000);
    expect(
      describeReply({
        status: 400,
        header: () => 'text/html',
        text,
        headerNames: [],
        hasMark: false,
        outputs: null,
      }),
    ).toMatch(/^HTTP 400, .text\/html/u);
  });
});
