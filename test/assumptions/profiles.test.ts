import type { Response } from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseOptions, profiles, type ProfileName } from '../../src/assumptions.ts';
import { startSandbox } from '../../src/index.ts';
import { completed, coupon, items, labId, learner, quiz, sessions } from '../support/demo.ts';
import { supertest } from '../support/supertest.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';
import { assumedBy, frozenAt, sendText } from './option-tests.ts';

const still = frozenAt('2026-11-20T10:00:00.000Z');

/** A call without a key belongs to the default sandbox, so the profile is the server's. */
async function callWithoutKey(profile: ProfileName): Promise<Response> {
  const { url, close } = await startSandbox({ port: 0, profile });
  onTestFinished(close);
  return supertest(url)
    .post('/public/get-all-instructors')
    .send({ data: [{ data: {} }] });
}

function callAsStranger({ post, sandbox }: World): PromiseLike<Response> {
  return post('get-all-instructors').set('SERVICE-API-KEY', `sbx_${sandbox.id}_nowhere`).send({ data: [] });
}

/** The reply to the 16th call of a minute, where 15 are allowed. */
async function throttled({ call }: World): Promise<Response> {
  for (let made = 0; made < 15; made += 1) expect((await call('get-all-live-events')).status).toBe(200);
  return call('get-all-live-events');
}

function quizzes(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({ quizId: quiz.id }));
}

describe('conventional', () => {
  it('is what a sandbox does when nobody has chosen a profile', () => {
    expect(chooseOptions('conventional')).toEqual(chooseOptions());
  });

  it('answers refusals with their HTTP statuses, and failures inside 200', { tags: ['slow'] }, async () => {
    const place = await world({ ...still, profile: 'conventional' });
    const missing = await callWithoutKey('conventional');
    const replies = [
      missing,
      await callAsStranger(place),
      await sendText(place, 'get-quiz-details', '{'),
      await throttled(place),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 400, 429]);
    expect((await place.call('get-quiz-details', { quizId: '?' })).status).toBe(200);
  });
});

describe('always-200', () => {
  it(
    'answers every refusal and every failure with HTTP 200 and an error output',
    { tags: ['slow'] },
    async () => {
      const place = await world({ ...still, profile: 'always-200', assumptions: { maxPayload: '100kb' } });
      const replies = [
        await callWithoutKey('always-200'),
        await callAsStranger(place),
        await sendText(place, 'get-quiz-details', '{'),
        await sendText(place, 'get-quiz-details', ''.padEnd(102_401)),
        await sendText(place, 'get-quiz-details', '{"data":[]}', 'text/plain'),
        await throttled(place),
        await place.call('get-quiz-details'),
        await place.call('get-quiz-details', { quizId: '?' }),
        await place.call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.future }),
      ];
      for (const reply of replies) {
        expect(reply.status).toBe(200);
        expect(outputsOf(reply).map(({ status }) => status)).toEqual(['error']);
      }
    },
  );
});

describe('problem-json', () => {
  it('answers refusals with problem documents', { tags: ['slow'] }, async () => {
    const place = await world({ ...still, profile: 'problem-json' });
    const missing = await callWithoutKey('problem-json');
    const replies = [
      missing,
      await callAsStranger(place),
      await sendText(place, 'get-quiz-details', '{'),
      await throttled(place),
    ];
    expect(replies.map(({ type, body }) => [type, (body as { type: string; status: number }).type])).toEqual([
      ['application/problem+json', 'urn:learning-platform-sandbox:missing-key'],
      ['application/problem+json', 'urn:learning-platform-sandbox:invalid-key'],
      ['application/problem+json', 'urn:learning-platform-sandbox:malformed'],
      ['application/problem+json', 'urn:learning-platform-sandbox:throttled'],
    ]);
  });

  it(
    'answers the failure of a single element with a problem document and a status of its kind',
    { tags: ['slow'] },
    async () => {
      const { call, batch } = await world({ profile: 'problem-json' });
      const replies = [
        await call('get-quiz-details', { quizId: 'unknown' }),
        await call('get-live-event-session-processed-mp4', { liveEventSessionId: sessions.future }),
        await call('get-quiz-details', { quizId: '' }),
      ];
      expect(replies.map(({ status, type }) => [status, type])).toEqual([
        [404, 'application/problem+json'],
        [409, 'application/problem+json'],
        [422, 'application/problem+json'],
      ]);
      expect(replies[0]?.body).toMatchObject({
        type: 'urn:learning-platform-sandbox:not-found',
        title: 'Not found',
        status: 404,
        detail: '/data/0/data/quizId: The school has no quiz with the identifier "unknown".',
        violations: [{ pointer: '/data/0/data/quizId' }],
      });
      expect(replies[2]?.body).toMatchObject({ violations: [{ pointer: '/data/0/data/quizId' }] });
      // Of several elements, some may have succeeded.
      const several = await batch('get-quiz-details', [{ quizId: 'unknown' }, { quizId: 'unknown' }]);
      expect(several.status).toBe(200);
      expect(outputsOf(several).map(({ status }) => status)).toEqual(['error', 'error']);
    },
  );
});

describe('gateway', () => {
  it(
    'answers as gateways do: HTML, 403 for keys, 503 without Retry-After for limits; the service itself does not',
    { tags: ['slow'] },
    async () => {
      const place = await world({ ...still, profile: 'gateway' });
      const replies = [await callWithoutKey('gateway'), await callAsStranger(place), await throttled(place)];
      expect(replies.map(({ status, type }) => [status, type])).toEqual([
        [403, 'text/html'],
        [403, 'text/html'],
        [503, 'text/html'],
      ]);
      expect(replies[2]?.headers).not.toHaveProperty('retry-after');
      expect((await sendText(place, 'get-quiz-details', '{')).type).toBe('application/json');
    },
  );
});

describe('strict', () => {
  it('refuses what leaves a documented field out, adds one, or has no element', async () => {
    const { call, batch } = await world({ profile: 'strict' });
    expect(failureOf(await call('get-video-library', { filterTerm: '', pageNumber: 1 }))).toContain(
      'folderPath is required',
    );
    expect(failureOf(await call('get-quiz-details', { quizId: quiz.id, verbose: true }))).toContain(
      'verbose is not a known field',
    );
    expect((await batch('get-quiz-details', [])).status).toBe(400);
  });

  it('fails where looser readings make the best of it', async () => {
    const { call } = await world({ profile: 'strict' });
    const details = { courseItemType: 'Quiz', questionsToUpsert: [] };
    const whole = {
      courseItemId: quiz.itemId,
      details,
      userId: learner.id,
      userEmail: learner.email,
      shouldMarkAsCompleted: false,
    };
    const failing: readonly (readonly [operation: string, parameters: object, assumed: string])[] = [
      ['get-instructor-permission-presets', { pageNumber: 1, limit: 2.5 }, 'fractionalLimit=refuse'],
      ['get-instructor-permission-presets', { pageNumber: 2, limit: 20 }, 'pageOutOfRange=element-error'],
      [
        'get-video-library',
        { filterTerm: '', pageNumber: 1, folderPath: '/Nowhere' },
        'unknownFolder=element-error',
      ],
      ['update-interactive-coding-lab', labWith(['a text']), 'labTestCaseShape=objects'],
      ['submit-user-course-item', { ...whole, userId: 'nobody' }, 'unknownUser=element-error'],
      [
        'submit-user-course-item',
        { ...whole, userEmail: 'other@postbox.example' },
        'emailOfKnownUser=element-error',
      ],
      [
        'submit-user-course-item',
        { ...whole, userId: completed.userId, courseItemId: completed.itemId },
        'resubmission=refuse-after-completion',
      ],
    ];
    for (const [operation, parameters, assumed] of failing) {
      const reply = await call(operation, parameters);
      expect(failureOf(reply)).toMatch(/./);
      expect(assumedBy(reply)).toContain(assumed);
    }
    expect(resultOf(await call('submit-user-course-item', whole))).toEqual({});
    expect(resultOf(await call('get-course-item-data', { courseItemId: items.article }))).toHaveProperty(
      'courseItemData',
    );
  });

  it('allows only small batches, and counts their elements', async () => {
    const { batch } = await world({ ...still, profile: 'strict' });
    expect((await batch('get-quiz-details', quizzes(26))).status).toBe(400);
    expect((await batch('get-quiz-details', quizzes(25))).status).toBe(200);
    expect((await batch('get-quiz-details', quizzes(25))).status).toBe(429);
  });

  it('takes coupons of other types as they are, with all fields required and unknown ones refused', async () => {
    const { call, sandbox } = await world({ profile: 'strict', assumptions: { couponTypes: 'any' } });
    const before = await sandbox.state.get('coupons', coupon.id);
    const {
      id: serviceCouponCodeId,
      productId: serviceDigitalProductId,
      schoolId: _,
      ...fields
    } = before ?? {};
    const update = { serviceCouponCodeId, serviceDigitalProductId, ...fields };
    const amountOff = { type: 'amount-off', amountOff: 500 };
    resultOf(await call('update-digital-product-coupon', { ...update, couponTypeData: amountOff }));
    expect((await sandbox.state.get('coupons', coupon.id))?.couponTypeData).toEqual(amountOff);
    const wrong = { type: 'percent-off', amountOff: 500 };
    const message = failureOf(
      await call('update-digital-product-coupon', { ...update, couponTypeData: wrong }),
    );
    expect(message).toContain('/couponTypeData/percentOff is required');
    expect(message).toContain('/couponTypeData/amountOff is not a known field');
    expect(message).not.toContain('else');
  });

  it('accepts any fields without a type if the stored type can be any, and refuses them otherwise', async () => {
    const update = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
    for (const couponTypes of ['any', 'percent-off-only'] as const) {
      const { call, sandbox } = await world({ assumptions: { unknownFields: 'refuse', couponTypes } });
      const send = (couponTypeData: object) =>
        call('update-digital-product-coupon', { ...update, couponTypeData });
      const unknown = 'amountOff is not a known field';
      expect(failureOf(await send({ type: 'percent-off', amountOff: 6 }))).toContain(unknown);
      if (couponTypes === 'percent-off-only') {
        expect(failureOf(await send({ amountOff: 6 }))).toContain(unknown);
        continue;
      }
      resultOf(await send({ type: 'amount-off', amountOff: 5 }));
      resultOf(await send({ amountOff: 6 }));
      expect((await sandbox.state.get('coupons', coupon.id))?.couponTypeData).toEqual({
        type: 'amount-off',
        amountOff: 6,
      });
      expect(failureOf(await send({ percentOff: '6' }))).toContain('percentOff must be a number');
    }
  });

  it('counts a sliding minute, and what was refused too', async () => {
    const place = await world({ ...still, profile: 'strict' });
    await throttled(place);
    await place.sandbox.clock.advance({ seconds: 59 });
    for (let made = 0; made < 15; made += 1)
      expect((await place.call('get-all-live-events')).status).toBe(429);
    await place.sandbox.clock.advance({ seconds: 2 });
    expect((await place.call('get-all-live-events')).status).toBe(429);
    await place.sandbox.clock.advance({ seconds: 60 });
    expect((await place.call('get-all-live-events')).status).toBe(200);
  });
});

describe('single options', () => {
  it('change what a profile says, and the profile what is the default', () => {
    const options = chooseOptions('gateway', { retryAfter: 'http-date' });
    expect(options).toEqual({ ...chooseOptions(), ...profiles.gateway, retryAfter: 'http-date' });
  });
});

/** A whole update of a lab, so that no field is missing. */
function labWith(testCases: readonly unknown[]): object {
  return {
    labId,
    labTitle: 'Word Frequency Counter',
    labDescriptionAsMarkdown: 'Count **words**.',
    defaultGitRepositoryUrl: 'https://code.riverside-academy.example/labs/words.git',
    defaultGitRepositoryBranchName: 'main',
    evaluationScriptBashCommand: 'pytest',
    evaluationScriptTestFileContent: '',
    testCases,
  };
}
