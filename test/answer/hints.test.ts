import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { coupon, hillcrestQuizId, items, learner, products, quiz } from '../support/demo.ts';
import { failureOf, resultOf, world } from '../support/world.ts';

const noQuiz = (id: string): string =>
  `/data/0/data/quizId: The school has no quiz with the identifier ${JSON.stringify(id)}.`;

const otherQuiz = {
  question: '6f5b03a6701e96699a3fe6a2',
  option: '0b5620cdbd8446f0dc1247db',
  words:
    'the quiz "057ea992fc0a75d4ed8b54da"; the course item that belongs to it is "03dea7117bfddc18cabc002f"',
};

describe('an identifier that no record of the type has', () => {
  it.each([
    [items.article, ' It is the identifier of a course item.'],
    [quiz.itemId, ` It is the identifier of a course item; the quiz that belongs to it is "${quiz.id}".`],
    [coupon.id, ' It is the identifier of a coupon.'],
    [`\t${quiz.id}\n`, ` Did you mean "${quiz.id}"?`],
    [quiz.id.toUpperCase(), ` Did you mean "${quiz.id}"?`],
    [`"${quiz.id}"`, ` Did you mean "${quiz.id}"?`],
    [` ${quiz.id}`, ` Did you mean "${quiz.id}"?`],
    [`ObjectId("${quiz.id}")`, ` Did you mean "${quiz.id}"?`],
    [`quiz_${quiz.id}`, ` Did you mean "${quiz.id}"?`],
    [quiz.id.slice(0, -1), ` Did you mean "${quiz.id}"?`],
    [quiz.single.id, ` It is the identifier of a question of the quiz "${quiz.id}".`],
    [quiz.single.correct, ` It is the identifier of an option of the quiz "${quiz.id}".`],
    [learner.id, ' It is the identifier of a user.'],
    [' ', ' It is blank.'],
    ['\u200b\u2060', ' It is blank.'],
    ['""', ' It is blank.'],
    ['__proto__', ''],
    ['__QUIZ_ID__', ' It looks like a placeholder that was not replaced.'],
    ['YOUR_QUIZ_ID', ' It looks like a placeholder that was not replaced.'],
    ['string', ' It looks like a placeholder that was not replaced.'],
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
      `/data/0/data/courseItemId: The school has no course item with the identifier "${quiz.id}". It is the identifier of a quiz; the course item that belongs to it is "${quiz.itemId}".`,
    );
    expect(failureOf(await call('get-course-item-data', { courseItemId: products.python }))).toMatch(
      /It is the identifier of a product; the course items that belong to it are "\w{24}", "\w{24}", "\w{24}" and others\.$/,
    );
  });

  it('is explained if it is another field of a record', async () => {
    const { call } = await world();
    const parameters = {
      serviceCouponCodeId: 'PYTHON-EARLY-BIRD',
      serviceDigitalProductId: coupon.productId,
    };
    expect(failureOf(await call('update-digital-product-coupon', parameters))).toBe(
      `/data/0/data/serviceCouponCodeId: The school has no coupon with the identifier "PYTHON-EARLY-BIRD". It is the serviceDigitalProductCouponSlug of the coupon with the identifier "${coupon.id}".`,
    );
  });

  it.each([
    [
      quiz.single.correct,
      [],
      `"${quiz.single.correct}". It is the identifier of an option of the question "${quiz.single.id}".`,
    ],
    [
      quiz.single.id.toUpperCase(),
      [],
      `"${quiz.single.id.toUpperCase()}". Did you mean "${quiz.single.id}"?`,
    ],
    [quiz.single.id, [quiz.single.id], `no option "${quiz.single.id}". It is the identifier of a question.`],
    [quiz.single.id, quiz.multi.options, `It is an option of the question "${quiz.multi.id}".`],
    [quiz.single.id, [` ${quiz.single.correct}`], `Did you mean "${quiz.single.correct}"?`],
    [quiz.id, [], `The course item's quiz has no question "${quiz.id}". It is the identifier of a quiz.`],
    [quiz.itemId, [], 'It is the identifier of a course item.'],
    [learner.id, [], 'It is the identifier of a user.'],
    [quiz.single.id, [quiz.id], `has no option "${quiz.id}". It is the identifier of a quiz.`],
    [`${quiz.single.id.slice(0, -1)}z`, [], `z". Did you mean "${quiz.single.id}"?`],
    [quiz.single.id, [`z${quiz.single.correct.slice(1)}`], `Did you mean "${quiz.single.correct}"?`],
    // Of another quiz of the school.
    [otherQuiz.question, [], `It is the identifier of a question of ${otherQuiz.words}.`],
    [quiz.single.id, [otherQuiz.option], `It is the identifier of an option of ${otherQuiz.words}.`],
    [quiz.single.id, [otherQuiz.question], `It is the identifier of a question of ${otherQuiz.words}.`],
    // Of another school.
    [hillcrestQuizId, [], `no question "${hillcrestQuizId}".`],
  ])(
    'of a question or an option is explained: %s %j',
    async (questionUniqueId, newSelectedOptionIds, hint) => {
      const { call } = await world();
      const questionsToUpsert = [{ questionUniqueId, newSelectedOptionIds }];
      const details = { courseItemType: 'Quiz', questionsToUpsert };
      const reply = await call('submit-user-course-item', {
        courseItemId: quiz.itemId,
        userId: learner.id,
        details,
      });
      expect(failureOf(reply)).toContain(hint);
    },
  );

  it('is listed with its place in a problem document', async () => {
    const { batch } = await world({ assumptions: { unknownId: 'http-404', refusalBody: 'problem-json' } });
    const { body } = await batch('get-quiz-details', [{ quizId: quiz.id }, { quizId: 'q' }]);
    expect(body).toMatchObject({
      detail: '/data/1/data/quizId: The school has no quiz with the identifier "q".',
      violations: [
        { pointer: '/data/1/data/quizId', message: 'The school has no quiz with the identifier "q".' },
      ],
    });
  });

  it('of another school looks like one that does not exist', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-course-item-data', { courseItemId: hillcrestQuizId }))).toBe(
      `/data/0/data/courseItemId: The school has no course item with the identifier "${hillcrestQuizId}".`,
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
    [
      'get-quiz-details',
      { quiz: { id: 'x' } },
      'quizId is required, but missing. You sent "id" in "quiz": send it one level up, as "quizId".',
    ],
    [
      'get-quiz-details',
      { quizzes: [{ quizId: 'x' }] },
      'quizId is required, but missing. You sent it in "quizzes": move it one level up.',
    ],
    [
      'get-quiz-details',
      { uniqueId: 'x' },
      'quizId is required, but missing. You sent "uniqueId": did you mean "quizId"?',
    ],
    [
      'create-instructor-account',
      { email: 'a@b.example', name: 'A' },
      'instructorEmail is required, but missing. You sent "email": did you mean "instructorEmail"?',
    ],
    [
      'create-instructor-account',
      { instructor: { email: 'a@b.example', name: 'A' } },
      'instructorEmail is required, but missing. You sent "email" in "instructor": send it one level up, as "instructorEmail".',
    ],
    [
      'submit-user-course-item',
      { courseItemId: 'x', details: { userId: 'y' } },
      'userId is required, but missing. You sent it in "details": move it one level up.',
    ],
    [
      'list-assignments',
      { productId: 'x' },
      'courseIdentifier is required, but missing. You sent "productId": move it into "courseIdentifier", as "digitalProductId".',
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

const meant = (sent: string, name: string): string => ` You sent "${sent}": did you mean "${name}"?`;

describe('a field that can be meant for several missing parameters', () => {
  const item = '/data/0/data/courseItemId is required, but missing.';
  const user = '/data/0/data/userId is required, but missing.';
  const code = '/data/0/data/serviceCouponCodeId is required, but missing.';
  const product = '/data/0/data/serviceDigitalProductId is required, but missing.';
  const courseItem = 'submit-user-course-item';
  const update = 'update-digital-product-coupon';

  it.each<readonly [string, object, string]>([
    [
      courseItem,
      { serviceCourseItemId: 'x' },
      `(1) ${item}${meant('serviceCourseItemId', 'courseItemId')} (2) ${user}`,
    ],
    [courseItem, { itemId: 'x', uid: 'y' }, `(1) ${item}${meant('itemId', 'courseItemId')} (2) ${user}`],
    [
      courseItem,
      { itemId: 'x', personId: 'y' },
      `(1) ${item}${meant('itemId', 'courseItemId')} (2) ${user}${meant('personId', 'userId')}`,
    ],
    [
      courseItem,
      { accountId: 'x', ITEM_ID: 'y', courseItemID: 'z' },
      `(1) ${item}${meant('courseItemID', 'courseItemId')} (2) ${user}`,
    ],
    [courseItem, { id: 'x' }, `(1) ${item}${meant('id', 'courseItemId')} (2) ${user}`],
    [
      courseItem,
      { id: 'x', userIdentifier: 'y' },
      `(1) ${item}${meant('id', 'courseItemId')} (2) ${user}${meant('userIdentifier', 'userId')}`,
    ],
    [
      courseItem,
      { item: { id: 'x' }, user: { id: 'y' } },
      `(1) ${item} You sent "id" in "item": send it one level up, as "courseItemId". (2) ${user} You sent "id" in "user": send it one level up, as "userId".`,
    ],
    [
      courseItem,
      { parameters: { id: 'x' } },
      `(1) ${item} You sent "id" in "parameters": send it one level up, as "courseItemId". (2) ${user}`,
    ],
    [
      update,
      { couponCodeId: 'x' },
      `(1) ${code}${meant('couponCodeId', 'serviceCouponCodeId')} (2) ${product}`,
    ],
    [
      update,
      { productId: 'x', couponId: 'y' },
      `(1) ${code}${meant('couponId', 'serviceCouponCodeId')} (2) ${product}${meant('productId', 'serviceDigitalProductId')}`,
    ],
    [update, { id: 'x' }, `(1) ${code}${meant('id', 'serviceCouponCodeId')} (2) ${product}`],
  ])('is offered for the best match only: %s %j', async (operation, parameters, message) => {
    const { call } = await world();
    const required = failureOf(await call(operation, parameters));
    expect(required.replace(/ \(3\) \/data\/0\/data\/details is required.*$/, '')).toBe(
      `The parameters are invalid. ${message}`,
    );
  });
});

describe('the expiry of a coupon', () => {
  it.each([
    ['2026-02-11T09:30Z', ' It lacks seconds: send "2026-02-11T09:30:00Z".'],
    ['2026-01-01 00:00:00Z', ' It lacks a "T" before the time: send "2026-01-01T00:00:00Z".'],
    ['2026-01-01T00:00:00+0200', ' It lacks a colon in the time zone: send "2026-01-01T00:00:00+02:00".'],
    ['2026-01-01T00:00:00+02', ' It lacks minutes in the time zone: send "2026-01-01T00:00:00+02:00".'],
    ['2026-01-01T00:00:00', ' It lacks a time zone: send "2026-01-01T00:00:00Z" for UTC.'],
    ['2026-01-01T00:00:00,5Z', ' It lacks a dot before the fraction: send "2026-01-01T00:00:00.5Z".'],
    [
      '2026-01-01 09:30',
      ' It lacks a "T" before the time, seconds and a time zone: send "2026-01-01T09:30:00Z" for UTC.',
    ],
    ['2026-01-01', ' It lacks a time and a time zone: send "2026-01-01T00:00:00Z" for UTC.'],
    ['20260101T000000Z', ' It is in the basic format of ISO 8601: send "2026-01-01T00:00:00Z".'],
    ['2026-01-01T093000-0500', ' It is in the basic format of ISO 8601: send "2026-01-01T09:30:00-05:00".'],
    ['20260101', ' It is in the basic format of ISO 8601: send "2026-01-01T00:00:00Z" for UTC.'],
    ['20260230T000000Z', ''],
    ['2026-02-30T00:00:00Z', ' There is no day 2026-02-30.'],
    ['tomorrow', ''],
  ])('is not %s', async (expireAtIsoString, hint) => {
    const { call } = await world();
    const parameters = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
    const reply = await call('update-digital-product-coupon', { ...parameters, expireAtIsoString });
    expect(failureOf(reply)).toBe(
      `The parameters are invalid. /data/0/data/expireAtIsoString must be an RFC 3339 date-time, such as "2026-02-11T09:30:00.000Z", but is the string "${expireAtIsoString}".${hint}`,
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
    '/data/0/data/numberOfRedemptionsAllowed must be at most 9007199254740991, but is the number 9007199254740992 (rounded: JSON readers keep only numbers up to ±9007199254740991 exactly).',
  );
});

it.each([
  [
    'update-digital-product-coupon',
    { serviceCouponCodeId: coupon.id, couponTypeData: { percentOff: 2 ** 53 } },
  ],
  ['get-instructor-permission-presets', { pageNumber: 1, limit: -(2 ** 53) }],
])('a number that JSON readers round is said to be rounded: %s', async (operation, parameters) => {
  const { call } = await world({ assumptions: { requiredFields: 'stated-only' } });
  expect(failureOf(await call(operation, parameters))).toContain(
    '9007199254740992 (rounded: JSON readers keep only numbers up to ±9007199254740991 exactly).',
  );
});

it.each<readonly [body: unknown, message: string]>([
  [{ data: [{ Data: {} }] }, '/data/0/data is required, but missing. You sent "Data": did you mean "data"?'],
  [{ data: [{ dta: {} }] }, '/data/0/data is required, but missing. You sent "dta": did you mean "data"?'],
  [{ DATA: [] }, '/data is required, but missing. You sent "DATA": did you mean "data"?'],
])('a misspelled "data" is named: %j', async (body, message) => {
  const { post, sandbox } = await world();
  const reply = await post('get-all-instructors')
    .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
    .send(body as object);
  expect(failureOf(reply)).toContain(message);
});

it.each([' ', '\u200b\u2060\ufeff'])('a blank userId creates no user: %j', async (userId) => {
  const { call } = await world();
  const reply = await call('submit-user-course-item', { courseItemId: quiz.itemId, userId });
  expect(failureOf(reply)).toBe('/data/0/data/userId is blank. Send the identifier of a user.');
});

describe('a value on another level', () => {
  it.each<readonly [string, object, string]>([
    [
      'list-assignments',
      { courseIdentifier: 'x' },
      'courseIdentifier must be an object, but is the string "x". Send an object with type, digitalProductId.',
    ],
    [
      'get-quiz-details',
      { quizId: { id: 'x' } },
      'quizId must be a string, but is an object. It has "id": send only its value.',
    ],
    [
      'create-instructor-account',
      { instructorEmail: ' mira@school.example' },
      'instructorEmail must be an e-mail address, such as "mira@school.example", but is the string " mira@school.example". Remove the whitespace around it.',
    ],
  ])('is explained: %s %j', async (operation, parameters, message) => {
    const { call } = await world();
    expect(failureOf(await call(operation, parameters))).toBe(
      `The parameters are invalid. /data/0/data/${message}`,
    );
  });

  it.each([[{ data: [{ data: {}, quizId: 'x' }] }], [{ data: [{ data: {} }], quizId: 'x' }]])(
    'is explained beside data: %j',
    async (body) => {
      const { post, sandbox } = await world();
      const reply = await post('get-quiz-details')
        .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
        .send(body);
      expect(failureOf(reply)).toBe(
        'The parameters are invalid. /data/0/data/quizId is required, but missing. You sent it beside "data": move it into "data".',
      );
    },
  );

  it('is explained in an element without data', async () => {
    const { post, sandbox } = await world();
    const reply = await post('get-quiz-details')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .send({ data: [{ id: 'x' }] });
    expect(failureOf(reply)).toBe(
      '/data/0/data is required, but missing. It has "id": parameters belong in "data".',
    );
  });
});

describe('a folder that the library does not have', () => {
  it.each([
    ['/biology', ' Did you mean "/Biology"?'],
    ['genetics', ' Did you mean "/Biology/Genetics"?'],
    ['/undefined', ' It looks like the text of an empty variable.'],
    ['{{folder}}', ' It looks like a placeholder that was not replaced.'],
    ['/Chemistry', ''],
  ])('is explained: %s', async (folderPath, hint) => {
    const { call } = await world();
    expect(failureOf(await call('get-video-library', { folderPath }))).toMatch(
      new RegExp(
        `^/data/0/data/folderPath: The video library has no folder "[^"]+"\\.${hint.replace('?', '\\?')}$`,
      ),
    );
  });
});

it('a value that is close to the only known one is explained', async () => {
  const { call } = await world();
  const courseIdentifier = { type: 'PRODUCT_ID', digitalProductId: products.python };
  expect(failureOf(await call('list-assignments', { courseIdentifier }))).toBe(
    '/data/0/data/courseIdentifier/type must be "product-id", but is "PRODUCT_ID". Did you mean "product-id"?',
  );
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

describe('a header with the name of a property of every object', () => {
  it.each(['__proto__', 'constructor'])('is a header as any other: %s', async (name) => {
    const { sandbox } = await world();
    const status = await new Promise((done) => {
      const headers = ['Host', new URL(sandbox.baseUrl).host, name, 'x', 'Content-Length', '0'];
      const call = request(`${sandbox.baseUrl}/public/get-all-instructors`, { method: 'POST', headers });
      call.on('response', (response) => done(response.resume().statusCode)).end();
    });
    expect(status).toBe(401);
  });
});
