import type { Response } from 'supertest';
import { expect } from 'vitest';
import type { OptionOf } from '../../src/assumptions.ts';
import { coupon, quiz, sessions } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { fetchCall } from '../support/wire.ts';
import { failureOf, outputsOf, type World } from '../support/world.ts';
import { sendText, testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

const nobody = 'f'.repeat(24);
const two = { data: [{ data: {} }, { data: {} }] };

function missingKey(status: 401 | 403): OptionTest {
  return async ({ serve, noted }) => {
    const reply = await (await serve())('get-all-instructors').send(two);
    expect(reply.status).toBe(status);
    expect(reply.headers['www-authenticate']).toBe(
      status === 401 ? 'ApiKey realm="Learning Platform Public API"' : undefined,
    );
    expect(failureOf(reply)).toContain('The call has no API key.');
    noted(reply);
  };
}

/** A key that names an existing sandbox, but no school in it. */
function callAsStranger({ post, sandbox }: World, body: object | string = two): PromiseLike<Response> {
  return post('get-all-instructors')
    .set({ 'SERVICE-API-KEY': `sbx_${sandbox.id}_nowhere`, 'Content-Type': 'application/json' })
    .send(body);
}

function invalidKey(status: 401 | 403): OptionTest {
  return async ({ open, noted }) => {
    const reply = await callAsStranger(await open());
    expect(reply.status).toBe(status);
    expect(reply.headers['www-authenticate']).toBe(
      status === 401 ? 'ApiKey realm="Learning Platform Public API"' : undefined,
    );
    expect(failureOf(reply)).toContain('The API key matches no school.');
    noted(reply);
  };
}

/** A body that is refused for a text that HTML must not take as markup. */
const odd = '{"data":"<b>&</b>"}';
const oddMessage =
  '/data must be an array of elements, but is the string "<b>&</b>". Send {"data":[{"data":{"quizId":…}}]}.';

/** A coupon that can be updated, beside an element that fails. */
function couponBeside(operation: { readonly bad: object }): readonly object[] {
  const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
  return [
    { ...names, description: 'Changed' },
    { ...names, ...operation.bad },
  ];
}

async function couponIsAsBefore({ sandbox }: World): Promise<boolean> {
  return (
    (await sandbox.state.get('coupons', coupon.id))?.description === 'Early-bird price for the next course'
  );
}

function invalidParameters(status: 400 | 422): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    const reply = await place.batch(
      'update-digital-product-coupon',
      couponBeside({ bad: { description: 7 } }),
    );
    expect(reply.status).toBe(status);
    expect(failureOf(reply)).toBe(
      'The parameters are invalid. /data/1/data/description must be a string, but is the number 7.',
    );
    expect(outputsOf(reply)).toHaveLength(1);
    expect(await couponIsAsBefore(place)).toBe(true);
    noted(reply);
  };
}

const noQuiz = `/data/0/data/quizId: The school has no quiz with the identifier "${nobody}".`;

/** Calls with values that match their schemas: a limit of none, and a recording that there is not yet. */
async function ruleFailures({ call }: World) {
  const replies = [
    await call('get-instructor-permission-presets', { limit: 0 }),
    await call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.future }),
  ];
  for (const reply of replies) expect(failureOf(reply)).toMatch(/./);
  return { replies, statuses: replies.map(({ status }) => status) };
}

/** Refusals by a gateway have this body, and those of the service another one. */
function byGateway(type: string, body: unknown): OptionTest {
  return async ({ open, noted }) => {
    const refusalBody = type === 'text/html' ? 'plain-text' : 'html';
    const gatewayTemplate = '{"Message":"{{message}}"}';
    const place = await open({ gatewayTemplate, assumptions: { refusalBody, maxPayload: '100kb' } });
    await place.sandbox.limits.set({ operations: { 'get-all-instructors': 1 } });
    await place.call('get-all-instructors');
    const replies = [
      await callAsStranger(place),
      await sendText(place, 'get-quiz-details', ''.padEnd(102_401)),
      await place.call('get-all-instructors'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 413, 429]);
    for (const reply of replies) {
      expect({ type: reply.type, body: reply.body as unknown }).toEqual({ type, body });
      noted(reply);
    }
    const ofService = await sendText(place, 'get-quiz-details', odd);
    expect(ofService.type).toBe(refusalBody === 'html' ? 'text/html' : 'text/plain');
  };
}

export const refusals = {
  missingKey: {
    'http-401': missingKey(401),
    'http-403': missingKey(403),
    'output-error': async ({ serve, noted }) => {
      const post = await serve();
      const reply = await post('get-all-instructors').send(two);
      expect(reply.status).toBe(200);
      expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error', 'error']);
      const unreadable = await post('get-all-instructors')
        .set('Content-Type', 'application/json')
        .send('{"data":');
      expect(outputsOf(unreadable).map(({ status }) => status)).toEqual(['error']);
      noted(reply);
    },
  },
  invalidKey: {
    'http-401': invalidKey(401),
    'http-403': invalidKey(403),
    'output-error': async ({ open, noted }) => {
      const place = await open();
      const reply = await callAsStranger(place);
      expect(reply.status).toBe(200);
      expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error', 'error']);
      const unreadable = await callAsStranger(place, '{"data":');
      expect(outputsOf(unreadable).map(({ status }) => status)).toEqual(['error']);
      noted(reply);
    },
  },
  refusalBody: {
    envelope: async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ type: reply.type, body: reply.body }).toEqual({
        type: 'application/json',
        body: [{ output: { status: 'error', errorMessage: oddMessage } }],
      });
      noted(reply);
    },
    'problem-json': async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ type: reply.type, body: reply.body }).toEqual({
        type: 'application/problem+json',
        body: {
          type: 'urn:learning-platform-sandbox:malformed',
          title: 'Bad request',
          status: 400,
          detail: oddMessage,
          instance: `/public/get-quiz-details#${reply.headers['sandbox-request-id']}`,
          violations: [{ pointer: '/data', message: oddMessage.slice('/data '.length) }],
        },
      });
      noted(reply);
    },
    'message-json': async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ type: reply.type, body: reply.body }).toEqual({
        type: 'application/json',
        body: { message: oddMessage },
      });
      noted(reply);
    },
    'error-json': async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ type: reply.type, body: reply.body }).toEqual({
        type: 'application/json',
        body: { error: { code: 'malformed', message: oddMessage } },
      });
      noted(reply);
    },
    template: async ({ open, noted }) => {
      const refusalTemplate =
        '{"fault":{"code":"{{code}}","text":"{{message}} ({{ requestId }})"},"status":{{status}}}';
      const reply = await sendText(await open({ refusalTemplate }), 'get-quiz-details', odd);
      expect({ type: reply.type, body: reply.body }).toEqual({
        type: 'application/json',
        body: {
          fault: { code: 'malformed', text: `${oddMessage} (${reply.headers['sandbox-request-id']})` },
          status: 400,
        },
      });
      noted(reply);
    },
    'plain-text': async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ type: reply.type, text: reply.text }).toEqual({ type: 'text/plain', text: `${oddMessage}\n` });
      noted(reply);
    },
    html: async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect(reply.type).toBe('text/html');
      expect(reply.text).toContain('<h1>400 Bad request</h1>');
      expect(reply.text).toContain('&quot;&lt;b&gt;&amp;&lt;/b&gt;&quot;');
      noted(reply);
    },
    empty: async ({ open, noted }) => {
      const reply = await sendText(await open(), 'get-quiz-details', odd);
      expect({ status: reply.status, length: reply.headers['content-length'], type: reply.type }).toEqual({
        status: 400,
        length: '0',
        type: '',
      });
      noted(reply);
    },
  },
  gatewayRefusalBody: {
    'as-refusals': async ({ open, noted }) => {
      const place = await open({ assumptions: { refusalBody: 'message-json' } });
      for (const reply of [await callAsStranger(place), await sendText(place, 'get-quiz-details', odd)])
        expect(reply.body).toEqual({ message: expect.any(String) });
      noted(await callAsStranger(place));
    },
    envelope: byGateway('application/json', [
      { output: { status: 'error', errorMessage: expect.any(String) } },
    ]),
    'problem-json': byGateway(
      'application/problem+json',
      expect.objectContaining({ detail: expect.any(String) }),
    ),
    'message-json': byGateway('application/json', { message: expect.any(String) }),
    'error-json': byGateway('application/json', {
      error: {
        code: expect.stringMatching(/^(invalid-key|too-large|throttled)$/),
        message: expect.any(String),
      },
    }),
    template: byGateway('application/json', { Message: expect.any(String) }),
    'plain-text': byGateway('text/plain', {}),
    html: byGateway('text/html', {}),
    empty: byGateway('', {}),
  },
  operationFailureStatus: {
    'always-200': async ({ open, noted }) => {
      const { call } = await open();
      const unknown = await call('get-quiz-details', { quizId: nobody });
      const future = await call('get-live-event-session-processed-mp4', {
        liveEventSessionId: sessions.future,
      });
      const invalid = await call('get-quiz-details', { quizId: '' });
      expect([unknown, future, invalid].map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const reply of [unknown, future, invalid]) noted(reply);
    },
    'by-kind': async ({ open, noted }) => {
      const { call, batch } = await open();
      const unknown = await call('get-quiz-details', { quizId: nobody });
      const future = await call('get-live-event-session-processed-mp4', {
        liveEventSessionId: sessions.future,
      });
      const invalid = await call('get-quiz-details', { quizId: '' });
      expect([unknown, future, invalid].map(({ status }) => status)).toEqual([404, 409, 422]);
      for (const reply of [unknown, future, invalid]) noted(reply);
      expect((await batch('get-quiz-details', [{ quizId: nobody }, { quizId: nobody }])).status).toBe(200);
      expect((await call('get-quiz-details', { quizId: quiz.id })).status).toBe(200);
    },
  },
  ruleFailureStatus: {
    'by-kind': async ({ open, noted }) => {
      const place = await open({ assumptions: { operationFailureStatus: 'by-kind' } });
      const { statuses, replies } = await ruleFailures(place);
      expect(statuses).toEqual([422, 409]);
      for (const reply of replies) noted(reply);
    },
    'http-400': async ({ open, noted }) => {
      const place = await open({ assumptions: { operationFailureStatus: 'by-kind' } });
      const { statuses, replies } = await ruleFailures(place);
      expect(statuses).toEqual([400, 400]);
      for (const reply of replies) noted(reply);
      // What the schema refuses, and unknown identifiers, have statuses of their own.
      expect((await place.call('get-quiz-details', { quizId: '' })).status).toBe(422);
      expect((await place.call('get-quiz-details', { quizId: nobody })).status).toBe(404);
      const inside = await ruleFailures(await open());
      expect(inside.statuses).toEqual([200, 200]);
    },
  },
  operationFailureBody: {
    envelope: async ({ open, noted }) => {
      const { call } = await open({
        assumptions: { operationFailureStatus: 'by-kind', refusalBody: 'message-json' },
      });
      const reply = await call('get-quiz-details', { quizId: nobody });
      expect([reply.status, failureOf(reply)]).toEqual([404, noQuiz]);
      noted(reply);
    },
    'as-refusals': async ({ open, noted }) => {
      const inEach: readonly (readonly [OptionOf<'refusalBody'>, string])[] = [
        ['envelope', JSON.stringify([{ output: { status: 'error', errorMessage: noQuiz } }])],
        ['message-json', JSON.stringify({ message: noQuiz })],
        ['error-json', JSON.stringify({ error: { code: 'not-found', message: noQuiz } })],
        ['plain-text', `${noQuiz}\n`],
        ['empty', ''],
      ];
      for (const [refusalBody, text] of inEach) {
        const place = await open({ assumptions: { operationFailureStatus: 'by-kind', refusalBody } });
        const reply = await place.call('get-quiz-details', { quizId: nobody });
        expect([reply.status, reply.text]).toEqual([404, text]);
        noted(reply);
        // Faults of outputs change the envelope.
        const faulty = {
          operation: 'get-quiz-details',
          elements: [{ quizId: quiz.id }],
          fault: 'error-without-message',
        };
        const failed = await fetchCall(place.sandbox, faulty);
        expect([failed.status, failed.text]).toEqual([500, '[{"output":{"status":"error"}}]']);
      }
      const inside = await open({ assumptions: { refusalBody: 'message-json' } });
      expect(failureOf(await inside.call('get-quiz-details', { quizId: nobody }))).toBe(noQuiz);
    },
  },
  failureMessages: {
    descriptive: async ({ open, noted }) => {
      const place = await open();
      const reply = await place.call('get-quiz-details', { quizId: nobody });
      expect(failureOf(reply)).toBe(
        `/data/0/data/quizId: The school has no quiz with the identifier "${nobody}".`,
      );
      expect(failureOf(await place.call('get-quiz-details', { quizId: '' }))).toContain(
        '/data/0/data/quizId must have at least 1 character',
      );
      expect(failureOf(await sendText(place, 'get-quiz-details', odd))).toBe(oddMessage);
      noted(reply);
    },
    generic: async ({ open, noted }) => {
      const place = await open();
      const reply = await place.call('get-quiz-details', { quizId: nobody });
      expect(failureOf(reply)).toBe('Not found');
      expect(failureOf(await place.call('get-quiz-details', { quizId: '' }))).toBe('Invalid input');
      const future = { liveEventSessionId: sessions.future };
      expect(failureOf(await place.call('get-live-event-session-processed-mp4', future))).toBe('Conflict');
      expect(failureOf(await sendText(place, 'get-quiz-details', odd))).toBe('Bad request');
      expect(failureOf(await callAsStranger(place))).toBe('Unauthorized');
      const toNothing = await supertest(place.url)
        .post('/public/get-quizzes')
        .set('SERVICE-API-KEY', place.sandbox.apiKey('riverside'));
      expect(toNothing.body).toMatchObject({ status: 404, detail: 'Not found' });
      const withGet = await supertest(place.url)
        .get('/public/get-quiz-details')
        .set('SERVICE-API-KEY', place.sandbox.apiKey('riverside'));
      expect(withGet.body).toMatchObject({ status: 405, detail: 'Method not allowed' });
      noted(reply);
    },
  },
  invalidParameters: {
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const reply = await place.batch(
        'update-digital-product-coupon',
        couponBeside({ bad: { description: 7 } }),
      );
      expect(reply.status).toBe(200);
      expect(outputsOf(reply).map(({ status }) => status)).toEqual(['ok', 'error']);
      expect(await couponIsAsBefore(place)).toBe(false);
      noted(reply);
    },
    'http-400': invalidParameters(400),
    'http-422': invalidParameters(422),
  },
  unknownId: {
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const reply = await place.batch(
        'update-digital-product-coupon',
        couponBeside({ bad: { serviceCouponCodeId: nobody } }),
      );
      expect(reply.status).toBe(200);
      expect(outputsOf(reply).map(({ status }) => status)).toEqual(['ok', 'error']);
      expect(await couponIsAsBefore(place)).toBe(false);
      noted(reply);
    },
    'http-404': async ({ open, noted }) => {
      const place = await open();
      const reply = await place.batch(
        'update-digital-product-coupon',
        couponBeside({ bad: { serviceCouponCodeId: nobody } }),
      );
      expect(reply.status).toBe(404);
      expect(failureOf(reply)).toBe(
        `/data/1/data/serviceCouponCodeId: The school has no coupon with the identifier "${nobody}".`,
      );
      expect(await couponIsAsBefore(place)).toBe(true);
      noted(reply);
    },
    synthesise: async ({ open, noted }) => {
      const place = await open();
      const reply = await place.batch(
        'update-digital-product-coupon',
        couponBeside({ bad: { serviceCouponCodeId: nobody } }),
      );
      expect(outputsOf(reply).map(({ status }) => status)).toEqual(['ok', 'ok']);
      expect(await place.sandbox.state.get('coupons', nobody)).toHaveProperty('productId');
      noted(reply);
    },
  },
} satisfies Partial<OptionTests>;

testOptions(refusals);
