import { describe, expect, it } from 'vitest';
import { coupon, hillcrestQuizId, items, products, quiz } from '../support/demo.ts';
import { failureOf, resultOf, world } from '../support/world.ts';

const noQuiz = (id: string): string => `The school has no quiz with the identifier ${JSON.stringify(id)}.`;

describe('an identifier that no record of the type has', () => {
  it.each([
    [items.article, ' It is the identifier of a course item.'],
    [quiz.itemId, ` It is the identifier of a course item; the quiz that belongs to it is "${quiz.id}".`],
    [coupon.id, ' It is the identifier of a coupon.'],
    [`\t${quiz.id}\n`, ` Did you mean "${quiz.id}"?`],
    [quiz.id.toUpperCase(), ` Did you mean "${quiz.id}"?`],
    [`"${quiz.id}"`, ` Did you mean "${quiz.id}"?`],
    [' ', ' It is blank.'],
    ['{{quizId}}', ' It looks like a placeholder that was not replaced.'],
    ['${QUIZ_ID}', ' It looks like a placeholder that was not replaced.'],
    [':quizId', ' It looks like a placeholder that was not replaced.'],
    ['<quizId>', ' It looks like a placeholder that was not replaced.'],
    ['undefined', ' It looks like the text of an empty variable.'],
    ['null', ' It looks like the text of an empty variable.'],
    ['[object Object]', ' It looks like the text of an empty variable.'],
    ['unknown', ''],
  ])('is explained: %j', async (quizId, hint) => {
    const { call } = await world();
    expect(failureOf(await call('get-quiz-details', { quizId }))).toBe(`${noQuiz(quizId)}${hint}`);
  });

  it('is explained with the first of several records that belong to it', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-course-item-data', { courseItemId: quiz.id }))).toBe(
      `The school has no course item with the identifier "${quiz.id}". It is the identifier of a quiz; the course item that belongs to it is "${quiz.itemId}".`,
    );
    expect(failureOf(await call('get-course-item-data', { courseItemId: products.python }))).toMatch(
      /It is the identifier of a product; the course items that belong to it are "\w{24}", "\w{24}", "\w{24}" and others\.$/,
    );
  });

  it('of another school looks like one that does not exist', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-course-item-data', { courseItemId: hillcrestQuizId }))).toBe(
      `The school has no course item with the identifier "${hillcrestQuizId}".`,
    );
    expect(failureOf(await call('get-quiz-details', { quizId: items.hillcrest }))).toBe(
      noQuiz(items.hillcrest),
    );
    const upper = hillcrestQuizId.toUpperCase();
    expect(failureOf(await call('get-quiz-details', { quizId: upper }))).toBe(noQuiz(upper));
  });
});

describe('a missing parameter', () => {
  it.each<readonly [string, object, string]>([
    [
      'get-quiz-details',
      { id: 'x' },
      'quizId is required, but missing. You sent "id": did you mean "quizId"?',
    ],
    [
      'get-course-item-data',
      { serviceCourseItemId: 'x' },
      'courseItemId is required, but missing. You sent "serviceCourseItemId": did you mean "courseItemId"?',
    ],
    [
      'get-signed-url-data-for-live-event-session-playback',
      { session_id: 'x' },
      'liveEventSessionId is required, but missing. You sent "session_id": did you mean "liveEventSessionId"?',
    ],
    [
      'list-assignments',
      { courseIdentifier: { type: 'product-id', productId: 'x' } },
      'courseIdentifier/digitalProductId is required, but missing. You sent "productId": did you mean "digitalProductId"?',
    ],
    [
      'list-assignments',
      { digitalProductId: 'x' },
      'courseIdentifier is required, but missing. You sent "digitalProductId": move it into "courseIdentifier".',
    ],
    [
      'get-quiz-details',
      { data: { quizId: 'x' } },
      'quizId is required, but missing. You sent it in "data": move it one level up.',
    ],
    ['get-quiz-details', { title: 'x' }, 'quizId is required, but missing.'],
    // Either may be meant.
    [
      'get-quiz-details',
      { courseId: 'x', schoolQuizId: 'y', otherQuizId: 'z' },
      'quizId is required, but missing.',
    ],
  ])('is explained: %s %j', async (operation, parameters, message) => {
    const { call } = await world();
    expect(failureOf(await call(operation, parameters))).toBe(
      `The parameters are invalid. /data/0/data/${message}`,
    );
  });
});

describe('the expiry of a coupon', () => {
  it.each([
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+0200',
    '2026-01-01T00:00:00+02',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    'tomorrow',
  ])('is not %s', async (expireAtIsoString) => {
    const { call } = await world();
    const parameters = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
    const reply = await call('update-digital-product-coupon', { ...parameters, expireAtIsoString });
    expect(failureOf(reply)).toBe(
      `The parameters are invalid. /data/0/data/expireAtIsoString must be an ISO 8601 date-time with a time zone, such as "2026-02-11T09:30:00.000Z", but is the string "${expireAtIsoString}".`,
    );
  });

  it.each(['2026-01-01T00:00:00Z', '2026-01-01t00:00:00.123456z', '2026-01-01T00:00:00-11:30'])(
    'may be %s',
    async (expireAtIsoString) => {
      const { call } = await world();
      const parameters = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
      const reply = await call('update-digital-product-coupon', { ...parameters, expireAtIsoString });
      expect(resultOf(reply)).toEqual({});
    },
  );
});

it('a number that JSON parsers round is refused', async () => {
  const { post, sandbox } = await world();
  const reply = await post('update-digital-product-coupon')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .set('Content-Type', 'application/json')
    .send(
      `{"data":[{"data":{"serviceCouponCodeId":"${coupon.id}","serviceDigitalProductId":"${coupon.productId}","numberOfRedemptionsAllowed":9007199254740993}}]}`,
    );
  expect(failureOf(reply)).toContain(
    '/data/0/data/numberOfRedemptionsAllowed must be at most 9007199254740991',
  );
});

it('a blank userId creates no user', async () => {
  const { call } = await world();
  const reply = await call('submit-user-course-item', { courseItemId: quiz.itemId, userId: ' ' });
  expect(failureOf(reply)).toBe('The userId is blank. Send the identifier of a user.');
});

it('a header whose name has underscores is no key, and is named', async () => {
  const { post, sandbox } = await world();
  const reply = await post('get-all-instructors')
    .set('SERVICE_API_KEY', sandbox.apiKey('riverside'))
    .send({ data: [{ data: {} }] });
  expect(failureOf(reply)).toContain(
    'The call has no API key. It has a header "SERVICE_API_KEY", but the name is SERVICE-API-KEY, with dashes.',
  );
});
