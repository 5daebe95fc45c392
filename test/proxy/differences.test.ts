import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { missedThresholds } from '../../src/report/thresholds.ts';
import type { PartialOptions } from '../../src/index.ts';
import { requestExamples } from '../support/examples.ts';
import { world } from '../support/world.ts';
import { goodReply, proxyTo, send, upstreamThat } from './upstream.ts';

const json = { 'Content-Type': 'application/json' };

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly assumptions?: PartialOptions;
  readonly elements?: number;
}

/** What a proxy says about a reply of its upstream. */
async function after(
  body: string,
  { status = 200, headers = json, assumptions = {}, elements = 1 }: Reply = {},
) {
  const upstream = await upstreamThat((response) => response.writeHead(status, headers).end(body));
  const proxy = await proxyTo(upstream.url, {}, { assume: assumptions });
  const batch = Array.from({ length: elements }, () => ({ data: { quizId: 'a' } }));
  const reply = await send(proxy.url, { body: JSON.stringify({ data: batch }) });
  const [entry] = proxy.journal();
  const { responseViolations: violations, responseDifferences: differences = [] } = entry ?? {};
  return { reply, entry, proxy, violations, differences: differences.map(({ message }) => message) };
}

const assumedList = 'but the sandbox assumes a list of outputs as its body (refusalBody=envelope).';

const otherLimits =
  'has the headers of rate limits of rateLimitHeaders=ratelimit, but the sandbox assumes rateLimitHeaders=none.';

/** A quiz with other members. */
function quizWith(more: object): string {
  const data = { createdAtIso: '2025-09-29T16:05:51.238Z', quizTitle: 'A', questions: [], ...more };
  return JSON.stringify([{ output: { status: 'ok', data } }]);
}

describe('a byte order mark at the beginning of a reply', () => {
  it('is a difference, and the reply is read without it', { tags: ['slow'] }, async () => {
    const { reply, entry, violations, differences, proxy } = await after(`\u{feff}${goodReply}`);
    expect(violations).toEqual([]);
    expect(differences).toEqual([
      'begins with a byte order mark (BOM), which some JSON parsers do not accept.',
    ]);
    // The client gets every byte.
    expect(reply.text).toBe(`\u{feff}${goodReply}`);
    expect(entry?.outcome).toBe('element-error');
    expect(proxy.passed[0]?.responseText).toBe(goodReply);
  });
});

describe('what the specification does not show around a result', () => {
  it('is a difference: members of output and beside it, each name once', { tags: ['slow'] }, async () => {
    const output = { status: 'error', errorMessage: 'No', hint: null };
    const body = JSON.stringify([
      { output, tookMs: 3 },
      { output, tookMs: 4 },
    ]);
    const { violations, entry } = await after(body, { elements: 2 });
    expect(violations).toEqual([]);
    expect(entry?.responseDifferences).toEqual([
      { pointer: '/0/tookMs', message: 'is an undocumented member beside output.' },
      { pointer: '/0/output/hint', message: 'is an undocumented member of output.' },
    ]);
  });

  it('is a difference: headers of rate limits that no option has', async () => {
    const headers = {
      ...json,
      'X-RateLimit-Limit-Minute': '60',
      'X-RateLimit-Remaining-Minute': '59',
      'X-RateLimit-Limit': '60',
    };
    const { differences } = await after(goodReply, {
      headers,
      assumptions: { rateLimitHeaders: 'x-ratelimit' },
    });
    expect(differences).toEqual([
      'has headers of rate limits that no option of rateLimitHeaders has: x-ratelimit-limit-minute, x-ratelimit-remaining-minute.',
    ]);
  });
});

describe('a date-time of a reply', () => {
  it.each([
    '20260101T100000Z',
    '20260101T10',
    '2026-W01-1T10:00Z',
    '2026W011T1000',
    '2026-001T10:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:00:00,5Z',
    '2026-01-01T00:00:00+0530',
    '2026-01-01T10:00:00+05',
    '2026-01-01 10:00:00Z',
    '2026-01-01',
  ])('is a difference if it has another form of ISO 8601 or RFC 3339: %s', async (createdAtIso) => {
    const { violations, differences } = await after(quizWith({ createdAtIso }));
    expect(violations).toEqual([]);
    expect(differences).toEqual([expect.stringMatching(/^is an ISO 8601 date-time in another form/)]);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '20260230T000000Z',
    '1700000000000',
    '20260101',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-W54-1T10:00Z',
    'yesterday',
    '',
  ])('is a violation otherwise: %j', async (createdAtIso) => {
    const { violations, differences } = await after(quizWith({ createdAtIso }));
    expect([violations?.length, differences]).toEqual([1, []]);
  });
});

describe('a field that records lack', () => {
  const question = { questionId: 'q', type: 'SingleCorrect', title: 'A', description: null, options: [] };
  const lacking = quizWith({ questions: [question, { ...question, explanation: null }, question] });

  it('is a difference if all records of the sandbox have it', async () => {
    const { violations, entry } = await after(lacking);
    expect(violations).toEqual([]);
    expect(entry?.responseDifferences).toEqual([
      {
        pointer: '/0/output/data/questions/0/explanation',
        message: 'is documented, but missing in 2 records. The sandbox assumes responseFields=all.',
      },
    ]);
  });

  it('is none if the sandbox leaves it out, too', async () => {
    const { differences } = await after(lacking, { assumptions: { responseFields: 'not-null' } });
    expect(differences).toEqual([]);
  });
});

describe('a reply on which the specification is silent', () => {
  it.each([
    [401, json, '{"error":"no"}', `has another JSON object as its body, ${assumedList}`],
    [401, json, '{"error":{"message":"no"}}', `has a JSON object with an error as its body, ${assumedList}`],
    [
      403,
      json,
      '{"message":"no"}',
      'has the status 403, but the sandbox assumes the status 401 (invalidKey=http-401).',
    ],
    [429, json, '{}', `has another JSON object as its body, ${assumedList}`],
    [429, {}, '', `has no body, ${assumedList}`],
    [
      502,
      { 'Content-Type': 'text/html' },
      '<h1>Bad gateway</h1>',
      'has the status 502, which the specification does not show and no assumption of the sandbox leads to.',
    ],
    [
      404,
      json,
      '{"message":"no"}',
      'has the status 404, which the specification does not show and the sandbox sends with other options: unknownId=http-404 or operationFailureStatus=by-kind.',
    ],
    [501, json, goodReply, /^has the status 501, which/],
    [302, { Location: 'http://other.example' }, '', /^has the status 302, which/],
    [413, json, '{"message":"no"}', `has a JSON object with a message as its body, ${assumedList}`],
    [
      503,
      { ...json, 'Retry-After': 'soon' },
      '{"message":"no"}',
      /^has the status 503, which the specification does not show/,
    ],
    [200, {}, goodReply, /^has no Content-Type, but the contract documents application\/json/],
    [200, { 'Content-Type': 'text/json' }, goodReply, /^is declared as the string "text\/json"/],
    [200, { ...json, 'RateLimit-Limit': '15', 'RateLimit-Remaining': '9' }, goodReply, otherLimits],
    [
      429,
      { ...json, 'Retry-After': 'Fri, 20 Nov 2026 10:00:00 GMT' },
      goodReply,
      'has a Retry-After of retryAfter=http-date, but the sandbox assumes retryAfter=seconds.',
    ],
    [
      200,
      { 'Content-Type': 'application/vnd.x+json' },
      goodReply,
      /^is declared as the string "application\/vnd/,
    ],
    [
      200,
      json,
      '[{"output":{"status":"ok","data":{"createdAtISO":"2025-09-29T16:05:51.238Z","quizTitle":"A","questions":[]}}}]',
      'is documented, but missing. It has "createdAtISO": did you mean "createdAtIso"?',
    ],
    [
      200,
      json,
      '[{"output":{"status":"ok","data":{"createdAtIso":"2025-09-29T16:05:51","quizTitle":"A","questions":[]}}}]',
      'is an ISO 8601 date-time in another form than the sandbox\'s, which has a T, seconds and a time zone with a colon: the string "2025-09-29T16:05:51".',
    ],
  ])(
    'is no violation, but differs from the assumptions: %i %o %s',
    async (status, headers, body, message) => {
      const { reply, violations, differences } = await after(body, { status, headers });
      expect(violations).toEqual([]);
      expect(differences).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
      expect([reply.status, reply.text, reply.headers['sandbox-violations']]).toEqual([
        status,
        body,
        undefined,
      ]);
      expect(reply.headers['sandbox-differences']).toMatch(/^response;count=1;first="/);
    },
  );

  it('may be one status for all rules, which the message names', async () => {
    const assumptions = { operationFailureStatus: 'by-kind' } as const;
    const { differences } = await after('{"message":"no"}', { status: 400, headers: json, assumptions });
    expect(differences).toEqual([
      'has the status 400, which the specification does not show and the sandbox sends with other options: invalidParameters=http-400 or ruleFailureStatus=http-400.',
    ]);
  });

  it('is one difference, whether a page declares the encoding of its letters or not', async () => {
    const upstream = await upstreamThat((response) =>
      response.writeHead(502, { 'Content-Type': 'text/html' }).end(Buffer.from('<p>é</p>', 'latin1')),
    );
    const proxy = await proxyTo(upstream.url);
    await send(proxy.url);
    expect(proxy.journal()[0]).toMatchObject({ responseViolations: [] });
  });

  it.each([
    [401, '{"error":"no"}', { refusalBody: 'template' }],
    [401, '{"message":"no"}', { gatewayRefusalBody: 'message-json' }],
    [403, '{"message":"no"}', { invalidKey: 'http-403', refusalBody: 'message-json' }],
    [404, '{"message":"no"}', { unknownId: 'http-404', refusalBody: 'message-json' }],
    [409, goodReply, { operationFailureStatus: 'by-kind' }],
    [400, goodReply, { operationFailureStatus: 'by-kind', ruleFailureStatus: 'http-400' }],
    [503, goodReply, { throttleReply: 'http-503' }],
  ] as const)('does not differ where it was assumed: %i %s %o', async (status, body, assumptions) => {
    const upstream = await upstreamThat((response) => response.writeHead(status, json).end(body));
    const template = 'refusalBody' in assumptions && assumptions.refusalBody === 'template';
    const settings = template ? { refusalTemplate: '{}' } : {};
    const proxy = await proxyTo(upstream.url, {}, { assume: assumptions, ...settings });
    await send(proxy.url);
    expect(proxy.journal()[0]).toMatchObject({ responseViolations: [], responseDifferences: [] });
  });
});

const ok =
  '{"output":{"status":"ok","data":{"createdAtIso":"2025-09-29T16:05:51.238Z","quizTitle":"A","questions":[]}}}';
const failed = goodReply.slice(1, -1);

describe('the number of outputs', () => {
  it.each([201, 207, 401, 404, 422, 429, 500, 503])(
    'is a violation under any status if no reading explains it: %i',
    { tags: ['slow'] },
    async (status) => {
      for (const outputs of [[ok, ok, ok], [failed, failed, failed], [ok]].map((all) => all.join(','))) {
        const elements = outputs === ok ? 0 : 2;
        const { violations, entry } = await after(`[${outputs}]`, { status, elements });
        const count = elements === 0 ? '1 output for 0' : '3 outputs for 2';
        expect(violations).toEqual([{ pointer: '', message: `has ${count} elements.` }]);
        expect(entry?.status).toBe(status);
      }
    },
  );

  it.each([
    ['one failure that refuses the whole call', failed],
    ['outputs up to the first failure', `${ok},${failed}`],
    ['no outputs', ''],
    ['a list of another form', '{"code":1},{"code":2}'],
  ])('is no violation under another status than 200 for %s', async (_, outputs) => {
    expect((await after(`[${outputs}]`, { status: 422, elements: 3 })).violations).toEqual([]);
  });

  it.each([
    ['more than elements', 2, [ok, ok, ok], 'has 3 outputs for 2 elements.'],
    ['none', 2, [], 'has 0 outputs for 2 elements.'],
    ['fewer, the last of which succeeded', 3, [ok, ok], 'has 2 outputs for 3 elements.'],
    ['fewer, with a failure before the last', 3, [failed, failed], 'has 2 outputs for 3 elements.'],
    ['some for an empty batch', 0, [ok], 'has 1 output for 0 elements.'],
  ])('is a violation if no reading explains it: %s', async (_, elements, outputs, message) => {
    const { violations, differences } = await after(`[${outputs.join(',')}]`, { elements });
    expect([violations, differences]).toEqual([[{ pointer: '', message }], []]);
  });

  it.each([
    [
      3,
      [ok],
      {},
      'has 1 output for 3 elements, as under batchProcessing=first-only, but the sandbox assumes batchProcessing=each-in-order.',
    ],
    [
      3,
      [ok, failed],
      {},
      'has 2 outputs for 3 elements, as under batchProcessing=stop-at-first-error, but the sandbox assumes batchProcessing=each-in-order.',
    ],
    [
      0,
      [failed],
      {},
      'has 1 output for 0 elements, as under emptyBatch=refuse, but the sandbox assumes emptyBatch=empty-array.',
    ],
    [3, [ok], { batchProcessing: 'first-only' }, null],
    [3, [ok, failed], { batchProcessing: 'stop-at-first-error' }, null],
    [3, [failed], { batchProcessing: 'stop-at-first-error' }, null],
    [0, [failed], { emptyBatch: 'refuse' }, null],
  ] as const)(
    'is a difference if another reading explains it: %i %o %o',
    async (elements, outputs, assumptions, message) => {
      const found = await after(`[${outputs.join(',')}]`, { elements, assumptions });
      expect([found.violations, found.differences]).toEqual([[], message === null ? [] : [message]]);
    },
  );
});

describe('differences in the report', () => {
  it('have a section and a name for --fail-on of their own, and fail neither violations nor response-violations', async () => {
    const { proxy } = await after('{}', { status: 429 });
    const report = makeReport('default', { entries: proxy.journal(), evicted: 0 });
    expect([report.responseViolations, report.responseDifferences]).toMatchObject([
      [],
      [{ operation: 'get-quiz-details', count: 1, requestIds: ['default-1'] }],
    ]);
    expect(report.responseDifferences?.[0]?.id).toMatch(/^response-differences:get-quiz-details:/);
    const missed = (name: string, allow: readonly string[] = []): readonly string[] =>
      missedThresholds(report, { failOn: [name], minCoverage: {}, allow });
    expect([missed('violations'), missed('response-violations')]).toEqual([[], []]);
    expect(missed('response-differences')[0]).toMatch(
      /^The service differed from the sandbox's assumptions once: response-differences:/,
    );
    expect(missed('response-differences', ['response-differences:get-quiz-details'])).toEqual([]);
  });
});

describe('in front of another sandbox', () => {
  it.each(['conventional', 'always-200', 'problem-json', 'gateway', 'strict'] as const)(
    'nothing differs if both have the profile %s',
    { tags: ['slow'] },
    async (profile) => {
      const { url, sandbox } = await world({ profile });
      const proxy = await proxyTo(url, {}, { profile });
      const own = { 'SERVICE-API-KEY': sandbox.apiKey('riverside') };
      const body = JSON.stringify(Object.values(requestExamples('list-assignments'))[0]?.value);
      await send(proxy.url, { headers: own, path: '/public/list-assignments', body });
      await send(proxy.url, { headers: own, body: '{"data":[{}]}' });
      await send(proxy.url, { headers: own, body: '{"data":[]}' });
      await send(proxy.url, { headers: own, body: '{"data":[{"data":{}}]}' });
      await send(proxy.url, { headers: own, body: '{"data":[{"data":{"quizId":"nobody"}}]}' });
      await send(proxy.url, { headers: own, body: '{', path: '/public/list-assignments' });
      await send(proxy.url, { headers: { ...own, 'Content-Type': 'text/plain' } });
      await send(proxy.url, { headers: { 'SERVICE-API-KEY': `${sandbox.apiKey('riverside')}x` } });
      const found = proxy
        .journal()
        .map(({ responseViolations, responseDifferences }) => [responseViolations, responseDifferences]);
      expect(found).toEqual(found.map(() => [[], []]));
    },
  );
});
