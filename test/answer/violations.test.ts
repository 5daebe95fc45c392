import { describe, expect, it } from 'vitest';
import { coupon, learner, items, quiz } from '../support/demo.ts';
import { failureOf, outputsOf, world } from '../support/world.ts';

describe('parameters that do not fit the contract', () => {
  it('are told all at once, each with a pointer, what was expected and what came', async () => {
    const { call } = await world();
    const reply = await call('update-digital-product-coupon', {
      serviceCouponCodeId: 7,
      serviceDigitalProductId: null,
      description: ['text'],
      expireAtIsoString: 'tomorrow',
      shouldApplyAutomatically: 'yes',
      numberOfRedemptionsAllowed: 1.5,
      couponTypeData: { type: 'percent-off', percentOff: '10' },
    });
    const message = failureOf(reply);
    expect(message).toMatch(/^The parameters are invalid\. \(1\) /);
    const told = message.replace('The parameters are invalid. ', '').split(/ ?\(\d\) /);
    expect(told.slice(1).toSorted()).toEqual([
      '/data/0/data/couponTypeData/percentOff must be a number, but is the string "10".',
      '/data/0/data/description must be a string, but is an array.',
      '/data/0/data/expireAtIsoString must be an RFC 3339 date-time, such as "2026-02-11T09:30:00.000Z", but is the string "tomorrow".',
      '/data/0/data/numberOfRedemptionsAllowed must be an integer, but is the number 1.5.',
      '/data/0/data/serviceCouponCodeId must be a string, but is the number 7.',
      '/data/0/data/serviceDigitalProductId must be a string, but is null.',
      '/data/0/data/shouldApplyAutomatically must be a boolean, but is the string "yes".',
    ]);
  });

  it('are pointed at inside lists', async () => {
    const { call } = await world();
    const questionsToUpsert = [
      { questionUniqueId: quiz.single.id, newSelectedOptionIds: [] },
      { questionUniqueId: 1, newSelectedOptionIds: ['a', 2] },
    ];
    const details = { courseItemType: 'Quiz', questionsToUpsert };
    const message = failureOf(
      await call('submit-user-course-item', { courseItemId: quiz.itemId, userId: learner.id, details }),
    );
    expect(message).toContain(
      '/data/0/data/details/questionsToUpsert/1/questionUniqueId must be a string, but is the number 1.',
    );
    expect(message).toContain(
      '/data/0/data/details/questionsToUpsert/1/newSelectedOptionIds/1 must be a string, but is the number 2.',
    );
    expect(message).not.toContain('questionsToUpsert/0');
  });

  it('fail in their own element; the others run', async () => {
    const { batch } = await world();
    const reply = await batch('get-course-item-data', [
      { courseItemId: 1 },
      { courseItemId: items.article },
      {},
      { courseItemId: items.draft },
    ]);
    const outputs = outputsOf(reply);
    expect(outputs.map(({ status }) => status)).toEqual(['error', 'ok', 'error', 'ok']);
    expect(outputs[0]).toEqual({
      status: 'error',
      errorMessage:
        'The parameters are invalid. /data/0/data/courseItemId must be a string, but is the number 1.',
    });
    expect(outputs[2]).toEqual({
      status: 'error',
      errorMessage: 'The parameters are invalid. /data/2/data/courseItemId is required, but missing.',
    });
  });

  it.each([
    ['http-400', 400],
    ['http-422', 422],
  ] as const)(
    'refuse the whole call under invalidParameters=%s, over all elements, and nothing runs',
    async (invalidParameters, status) => {
      const { batch, sandbox } = await world({ assumptions: { invalidParameters } });
      const reply = await batch('update-digital-product-coupon', [
        { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId, description: 'changed' },
        { serviceCouponCodeId: 1, serviceDigitalProductId: coupon.productId },
        { serviceCouponCodeId: coupon.id, serviceDigitalProductId: 2 },
      ]);
      expect(reply.status).toBe(status);
      expect(failureOf(reply)).toBe(
        'The parameters are invalid. (1) /data/1/data/serviceCouponCodeId must be a string, but is the number 1. ' +
          '(2) /data/2/data/serviceDigitalProductId must be a string, but is the number 2.',
      );
      expect((await sandbox.state.get('coupons', coupon.id))?.description).not.toBe('changed');
    },
  );

  it('are listed as data in a problem document', async () => {
    const { call } = await world({
      assumptions: { invalidParameters: 'http-422', refusalBody: 'problem-json' },
    });
    const { body } = await call('get-quiz-details', { quizId: '' });
    expect(body).toMatchObject({
      title: 'Invalid input',
      status: 422,
      violations: [
        { pointer: '/data/0/data/quizId', message: 'must have at least 1 character, but is the string "".' },
      ],
    });
  });

  it('shorten a long value', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-video-library', { pageNumber: 'x'.repeat(5000) }))).toBe(
      `The parameters are invalid. /data/0/data/pageNumber must be an integer, but is the string "${'x'.repeat(59)}….`,
    );
  });

  it('say what a number beyond all numbers is', async () => {
    const { post, sandbox } = await world();
    const reply = await post('get-video-library')
      .set('SERVICE-API-KEY', sandbox.apiKey('riverside'))
      .set('Content-Type', 'application/json')
      .send('{"data":[{"data":{"pageNumber":1e400}}]}');
    expect(failureOf(reply)).toBe(
      'The parameters are invalid. /data/0/data/pageNumber must be an integer, but is a number outside the supported range, about ±1.8e308.',
    );
  });
});

describe('a name that is close to a known one', () => {
  it.each([
    ['quizid', 'You sent "quizid": did you mean "quizId"?'],
    ['quiz_id', 'You sent "quiz_id": did you mean "quizId"?'],
    ['quizIds', 'You sent "quizIds": did you mean "quizId"?'],
  ])('is recognised where the field %s stands for a missing one', async (sent, hint) => {
    const { call } = await world();
    expect(failureOf(await call('get-quiz-details', { [sent]: quiz.id }))).toBe(
      `The parameters are invalid. /data/0/data/quizId is required, but missing. ${hint}`,
    );
  });

  it('is not made up where no field is close', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-quiz-details', { reference: quiz.id }))).toBe(
      'The parameters are invalid. /data/0/data/quizId is required, but missing.',
    );
  });

  it('is suggested for an unknown field, where those are refused', async () => {
    const { call } = await world({ assumptions: { unknownFields: 'refuse' } });
    expect(failureOf(await call('get-video-library', { filterterm: 'intro' }))).toBe(
      'The parameters are invalid. /data/0/data/filterterm is not a known field. Did you mean "filterTerm"? ' +
        'Known here: filterTerm, pageNumber, folderPath.',
    );
  });

  it('has nothing to suggest where the operation takes no parameters', async () => {
    const { call } = await world({ assumptions: { unknownFields: 'refuse' } });
    expect(failureOf(await call('get-all-live-events', { pageNumber: 1 }))).toBe(
      'The parameters are invalid. /data/0/data/pageNumber is not a known field. There are none.',
    );
  });
});
