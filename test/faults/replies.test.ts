import { describe, expect, it } from 'vitest';
import { faultGroups } from '../../src/faults/index.ts';
import { startSandbox, type NewFaultRule, type NewSandbox } from '../../src/index.ts';
import { quiz } from '../support/demo.ts';
import { failureOf, outputsOf, world } from '../support/world.ts';
import { aQuiz, fetchCall, frozen, newTerms, openPlace, type WireReply } from '../support/wire.ts';

const unable = 'The service could not complete the request.';

/** The reply to a call of a quiz that is hit by a fault, and to one that is not. */
async function hitAndSound(
  fault: string,
  request: NewSandbox = {},
): Promise<{ readonly hit: WireReply; readonly sound: WireReply }> {
  const { sandbox } = await world(request);
  return { hit: await fetchCall(sandbox, { ...aQuiz, fault }), sound: await fetchCall(sandbox, aQuiz) };
}

/** The envelope of a refusal that says something. */
function saying(text: string): unknown {
  return [{ output: { status: 'error', errorMessage: text } }];
}

describe('http-error', () => {
  it.each([400, 401, 403, 404, 409, 418, 422, 429, 451, 499, 500, 501, 502, 503, 504, 507, 520, 599])(
    'answers with the status %d',
    async (status) => {
      const { hit } = await hitAndSound(`http-error; status=${status}`);
      expect(hit.status).toBe(status);
      expect(JSON.parse(hit.text)).toEqual(saying(unable));
      expect(hit.headers).not.toHaveProperty('retry-after');
    },
  );

  it.each([200, 399, 600])('does not answer with the status %d', async (status) => {
    const { hit } = await hitAndSound(`http-error; status=${status}`);
    expect(hit.status).toBe(400);
    expect(hit.text).toContain(
      `\\"status\\" must be a whole number from 400 to 599, but is the number ${status}.`,
    );
  });

  it('is 500 where no status is given', async () => {
    expect((await hitAndSound('http-error')).hit.status).toBe(500);
  });

  it.each([0, 2, 86_400])('says when to come back: after %d s', async (seconds) => {
    const { hit } = await hitAndSound(`http-error; status=503; retry-after=${seconds}`);
    expect(hit).toMatchObject({ status: 503, headers: { 'retry-after': String(seconds) } });
  });

  it.each([
    [
      'envelope',
      'application/json; charset=utf-8',
      (text: string) => JSON.parse(text) as unknown,
      saying('Down for <repairs>'),
    ],
    [
      'problem-json',
      'application/problem+json; charset=utf-8',
      (text: string) => JSON.parse(text) as unknown,
      expect.objectContaining({ status: 503, detail: 'Down for <repairs>' }),
    ],
    [
      'message-json',
      'application/json; charset=utf-8',
      (text: string) => JSON.parse(text) as unknown,
      { message: 'Down for <repairs>' },
    ],
    [
      'error-json',
      'application/json; charset=utf-8',
      (text: string) => JSON.parse(text) as unknown,
      { error: { code: 'fault', message: 'Down for <repairs>' } },
    ],
    ['plain-text', 'text/plain; charset=utf-8', (text: string) => text, 'Down for <repairs>\n'],
    [
      'html',
      'text/html; charset=utf-8',
      (text: string) => text,
      expect.stringContaining('Down for &lt;repairs&gt;'),
    ],
    ['empty', undefined, (text: string) => text, ''],
  ] as const)(
    'has the body that refusals have, with its message: %s',
    async (refusalBody, type, read, expected) => {
      const { hit } = await hitAndSound('http-error; status=503; message="Down for <repairs>"', {
        assumptions: { refusalBody },
      });
      expect(hit.status).toBe(503);
      expect(hit.headers['content-type']).toBe(type);
      expect(read(hit.text)).toEqual(expected);
      expect(hit.headers['sandbox-assumed']).toContain(`refusalBody=${refusalBody}`);
    },
  );

  it('keeps its message where the messages of failures tell little', async () => {
    const { hit } = await hitAndSound('http-error; message="Look here"', {
      assumptions: { failureMessages: 'generic' },
    });
    expect(JSON.parse(hit.text)).toEqual(saying('Look here'));
  });

  it('takes a message in any script from a rule', async () => {
    const { sandbox } = await world();
    const message = 'Zu spät 🍂\r\nX-Injected: yes';
    await sandbox.faults.add({ fault: 'http-error', with: { message } });
    const reply = await fetchCall(sandbox, aQuiz);
    expect(JSON.parse(reply.text)).toEqual(saying(message));
    expect(reply.headers).not.toHaveProperty('x-injected');
  });

  it('hits a call before anything is made of its parameters or its body', async () => {
    const { sandbox } = await world();
    expect(
      (await fetchCall(sandbox, { ...aQuiz, elements: [{}], fault: 'http-error; status=503' })).status,
    ).toBe(503);
    const reply = await fetch(`${sandbox.baseUrl}/public/get-quiz-details`, {
      method: 'POST',
      headers: {
        'SERVICE-API-KEY': sandbox.apiKey('riverside'),
        'Content-Type': 'application/json',
        'Sandbox-Fault': 'http-error; status=503',
      },
      body: 'no JSON',
    });
    expect(reply.status).toBe(503);
  });
});

describe('output-error', () => {
  it.each([1, 3])('is HTTP 200 with an error for each of %d elements', async (count) => {
    const { batch } = await world();
    const reply = await batch(
      'get-quiz-details',
      Array.from({ length: count }, () => ({ quizId: quiz.id })),
    ).set('Sandbox-Fault', 'output-error');
    expect(reply.status).toBe(200);
    expect(outputsOf(reply)).toEqual(
      Array.from({ length: count }, () => ({ status: 'error', errorMessage: unable })),
    );
  });

  it('is HTTP 200 even where failures have a status of their own, and keeps its message where others tell little', async () => {
    const { call } = await world({
      assumptions: { operationFailureStatus: 'by-kind', failureMessages: 'generic' },
    });
    const reply = await call('get-quiz-details', { quizId: quiz.id }).set(
      'Sandbox-Fault',
      'output-error; message="Look here"',
    );
    expect({ status: reply.status, message: failureOf(reply) }).toEqual({
      status: 200,
      message: 'Look here',
    });
  });
});

describe('throttled', () => {
  it.each([
    ['http-429', 429],
    ['http-503', 503],
    ['http-403', 403],
    ['output-error', 200],
  ] as const)('is answered like a call over the limit: %s', async (throttleReply, status) => {
    const { call } = await world({ assumptions: { throttleReply } });
    const hit = await call('get-quiz-details', { quizId: quiz.id }).set('Sandbox-Fault', 'throttled');
    const message = 'The rate limit of get-quiz-details is exceeded. Try again in 60 s.';
    expect({ status: hit.status, message: failureOf(hit), after: hit.headers['retry-after'] }).toEqual({
      status,
      message,
      after: '60',
    });
    expect(hit.headers['sandbox-assumed']).toContain(`throttleReply=${throttleReply}`);
    expect((await call('get-quiz-details', { quizId: quiz.id })).headers).not.toHaveProperty('retry-after');
  });

  it.each([
    ['seconds', '90'],
    ['http-date', 'Mon, 02 Mar 2026 10:01:30 GMT'],
    ['none', undefined],
  ] as const)('says when to come back as %s', async (retryAfter, expected) => {
    const { call } = await world({ ...frozen, assumptions: { retryAfter } });
    const reply = await call('get-quiz-details', { quizId: quiz.id }).set(
      'Sandbox-Fault',
      'throttled; retry-after=90',
    );
    expect(reply.headers['retry-after']).toBe(expected);
  });

  it('fails every element alike where throttled calls are answered inside the body, and tells little where failures do', async () => {
    const { batch } = await world({
      assumptions: { throttleReply: 'output-error', failureMessages: 'generic' },
    });
    const reply = await batch('get-quiz-details', [{ quizId: quiz.id }, {}]).set(
      'Sandbox-Fault',
      'throttled',
    );
    const output = { status: 'error', errorMessage: 'Rate limit exceeded' };
    expect(outputsOf(reply)).toEqual([output, output]);
  });
});

describe('not-found', () => {
  const one = { quizId: quiz.id };
  const missing = 'The school has no record with this identifier.';

  it.each([
    ['always-200', 200],
    ['by-kind', 404],
  ] as const)('has the status of a failed operation: %s', async (operationFailureStatus, status) => {
    const { call } = await world({ assumptions: { operationFailureStatus } });
    const reply = await call('get-quiz-details', one).set('Sandbox-Fault', 'not-found');
    expect({ status: reply.status, message: failureOf(reply) }).toEqual({ status, message: missing });
  });

  it('is an error of the elements that it hits, the others are well', async () => {
    const { batch } = await world();
    const reply = await batch('get-quiz-details', [one, one, one]).set('Sandbox-Fault', 'not-found; index=1');
    expect(outputsOf(reply).map(({ status }) => status)).toEqual(['ok', 'error', 'ok']);
  });

  it('refuses the whole call where unknown identifiers do, and nothing of it takes effect', async () => {
    const { sandbox, terms } = await openPlace({ assumptions: { unknownId: 'http-404' } });
    const before = await terms();
    const { operation, elements } = newTerms('Refused');
    const reply = await fetchCall(sandbox, {
      operation,
      elements: [...elements, ...elements],
      fault: 'not-found; index=1',
    });
    expect({ status: reply.status, body: JSON.parse(reply.text) as unknown }).toEqual({
      status: 404,
      body: saying(missing),
    });
    expect(await terms()).toBe(before);
  });

  it('tells little where failures do', async () => {
    const { call } = await world({ assumptions: { failureMessages: 'generic' } });
    expect(failureOf(await call('get-quiz-details', one).set('Sandbox-Fault', 'not-found'))).toBe(
      'Not found',
    );
  });
});

describe('html-error-page', () => {
  it.each([
    ['html-error-page', 502, '502 Bad Gateway'],
    ['html-error-page; status=503', 503, '503 Service Temporarily Unavailable'],
    ['html-error-page; status=504', 504, '504 Gateway Time-out'],
    ['html-error-page; status=418', 418, '418 Error'],
  ])('is a page of a gateway instead of JSON: %s', async (fault, status, title) => {
    const { hit } = await hitAndSound(fault, { profile: 'problem-json' });
    expect(hit).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(hit.text).toContain(`<h1>${title}</h1>`);
    expect(() => JSON.parse(hit.text) as unknown).toThrow(SyntaxError);
  });

  it('carries nothing of the service behind it but what finds it in the journal', async () => {
    const { hit, sound } = await hitAndSound('html-error-page', {
      assumptions: { rateLimitHeaders: 'ietf', requiredFields: 'all' },
    });
    expect(sound.headers).toHaveProperty('ratelimit');
    const names = Object.keys(hit.headers).filter(
      (name) => !['connection', 'date', 'content-length', 'content-type'].includes(name),
    );
    expect(names.toSorted()).toEqual(['sandbox-fault', 'sandbox-request-id']);
  });
});

describe('malformed-json', () => {
  it('comes whole, declared as JSON, but cannot be parsed', async () => {
    const { hit, sound } = await hitAndSound('malformed-json');
    expect(hit).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(hit.headers['content-length']).toBe(String(Buffer.byteLength(hit.text)));
    expect(hit.text).toBe(`${sound.text.slice(0, -1)},`);
    expect(() => JSON.parse(hit.text) as unknown).toThrow(SyntaxError);
  });

  it('has the length that it declares whatever its characters', async () => {
    const { sandbox } = await world();
    const { headers, text } = await fetchCall(sandbox, {
      operation: 'get-all-instructors',
      elements: [{}],
      fault: 'malformed-json',
    });
    expect(text.length).toBeLessThan(Buffer.byteLength(text));
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  it.each(['envelope', 'problem-json', 'empty'] as const)(
    'cannot be parsed as a refusal either: %s',
    async (refusalBody) => {
      const { hit } = await hitAndSound('http-error; status=503, malformed-json', {
        assumptions: { refusalBody },
      });
      expect(hit.status).toBe(503);
      expect(() => JSON.parse(hit.text) as unknown).toThrow(SyntaxError);
    },
  );
});

describe('wrong-content-type', () => {
  it.each([
    ['wrong-content-type', 'text/plain; charset=utf-8'],
    ['wrong-content-type; type="text/html"', 'text/html'],
    ['wrong-content-type; type="application/octet-stream"', 'application/octet-stream'],
  ])('is the right reply under another name: %s', async (fault, type) => {
    const { hit, sound } = await hitAndSound(fault);
    expect(hit).toMatchObject({ status: 200, text: sound.text, headers: { 'content-type': type } });
  });

  it('declares no more than a media type', async () => {
    const { sandbox } = await world();
    const rule: NewFaultRule = {
      fault: 'wrong-content-type',
      with: { type: 'text/html\r\nX-Injected: yes' },
    };
    await expect(sandbox.faults.add(rule)).rejects.toThrow(
      '/with/type must be a media type such as text/html',
    );
  });
});

describe('several faults in one header', () => {
  it.each([
    ['a refusal that comes late', 'http-error; status=503; retry-after=2, delay; ms=5'],
    ['a wait first', 'delay; ms=5, http-error; status=503; retry-after=2'],
  ])('do all that they do: %s', async (_, fault) => {
    const { hit } = await hitAndSound(fault);
    expect(hit).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  });

  it('change a reply one after the other', async () => {
    const { hit, sound } = await hitAndSound(
      'extra-fields, wrong-content-type, malformed-json, slow-body; bytes=1000; ms=1',
    );
    expect(hit.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(hit.text).toMatch(/"addedLater":.*\},$/s);
    expect(hit.text.length).toBeGreaterThan(sound.text.length);
  });

  it('leave nothing to change where one of them sends nothing', async () => {
    const { sandbox } = await world();
    await expect(
      fetchCall(sandbox, { ...aQuiz, fault: 'empty-response, http-error; status=503, malformed-json' }),
    ).rejects.toThrow('fetch failed');
  });

  it('may be written as several headers', async () => {
    const { sandbox } = await world();
    const headers = new Headers({
      'SERVICE-API-KEY': sandbox.apiKey('riverside'),
      'Content-Type': 'application/json',
    });
    headers.append('Sandbox-Fault', 'http-error; status=503');
    headers.append('Sandbox-Fault', 'wrong-content-type');
    const reply = await fetch(`${sandbox.baseUrl}/public/get-quiz-details`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

/** Every fault that leaves a reply with headers. */
const labelled = [
  'http-error',
  'output-error',
  'throttled',
  'not-found',
  'html-error-page',
  'malformed-json',
  'wrong-content-type',
  'delay; ms=1',
  'slow-body; bytes=5000',
  ...faultGroups.batch.map(({ name }) => name),
  ...faultGroups.shape.map(({ name }) => name),
];
const nameOf = (fault: string): string => fault.split(';')[0] ?? '';

describe('the label', () => {
  it.each(labelled)('tells an injected reply from a real one, and so does the journal: %s', async (fault) => {
    const { sandbox } = await world();
    expect((await fetchCall(sandbox, { ...aQuiz, fault })).headers['sandbox-fault']).toBe(nameOf(fault));
    const faults = [
      { fault: nameOf(fault), phase: expect.stringMatching(/^(before|after)$/) as string, rule: null },
    ];
    expect(await sandbox.journal.list()).toMatchObject([{ outcome: 'fault', faults }]);
  });

  it.each(labelled)('is left out, but not in the journal, where the server is told so: %s', async (fault) => {
    await using server = await startSandbox({ port: 0, labels: false });
    const reply = await fetchCall(server.default, { ...aQuiz, fault });
    expect(reply.headers).toHaveProperty('sandbox-request-id');
    expect(reply.headers).not.toHaveProperty('sandbox-fault');
    expect(await server.default.journal.list()).toMatchObject([
      { outcome: 'fault', faults: [{ fault: nameOf(fault) }] },
    ]);
  });

  it('names every fault that hit the call', async () => {
    const { hit } = await hitAndSound('delay; ms=1, http-error; status=503; phase=after');
    expect(hit.headers['sandbox-fault']).toBe('delay, http-error');
  });

  it('names the rule where one has fired', async () => {
    const { sandbox } = await world();
    await sandbox.faults.add({ id: 'maintenance', fault: 'http-error', phase: 'after' });
    expect((await fetchCall(sandbox, aQuiz)).headers['sandbox-fault']).toBe('maintenance');
    const faults = [{ fault: 'http-error', phase: 'after', rule: 'maintenance' }];
    expect(await sandbox.journal.list()).toMatchObject([{ status: 500, outcome: 'fault', faults }]);
  });

  it.each([
    ['a reply that no fault has hit', {}],
    ['the failure of an operation', { elements: [{ quizId: 'f'.repeat(24) }] }],
    ['the refusal of a fault that nobody knows', { fault: 'earthquake' }],
  ])('is not on %s', async (_, change) => {
    const { sandbox } = await world();
    expect((await fetchCall(sandbox, { ...aQuiz, ...change })).headers).not.toHaveProperty('sandbox-fault');
    expect(await sandbox.journal.list()).toMatchObject([{ faults: [] }]);
  });
});
