import { describe, expect, it } from 'vitest';
import { faultNames } from '../../src/faults/index.ts';
import { operationNames } from '../../src/contract/operation-types.ts';
import { quiz } from '../support/demo.ts';
import { world, type World } from '../support/world.ts';

describe('the situations of a report', () => {
  it('are an answer and a failing element of every operation, a refused key, and every fault', async () => {
    const { situations } = await (await world()).sandbox.report();
    expect(situations).toMatchObject({
      met: 0,
      percent: 0,
      of: 2 * operationNames.length + 1 + faultNames.length,
    });
    const named = (kind: string): readonly string[] =>
      situations.missing.filter((one) => one.kind === kind).map(({ name }) => name);
    expect(named('answer')).toEqual(operationNames);
    expect(named('element-error')).toEqual(operationNames);
    expect(named('refusal')).toEqual(['invalid-key']);
    expect(named('fault')).toEqual(faultNames);
  });

  it.each([
    ['answer', 'get-quiz-details', (own: World) => own.call('get-quiz-details', { quizId: quiz.id })],
    [
      'element-error',
      'get-quiz-details',
      (own: World) => own.batch('get-quiz-details', [{ quizId: quiz.id }, { quizId: 'gone' }]),
    ],
    [
      'fault',
      'http-error',
      (own: World) =>
        own.call('get-quiz-details', { quizId: quiz.id }).set('Sandbox-Fault', 'http-error; status=503'),
    ],
    [
      'refusal',
      'invalid-key',
      (own: World) =>
        own
          .post('get-quiz-details')
          .set('SERVICE-API-KEY', `sbx_${own.sandbox.id}_nobody`)
          .send({ data: [] }),
    ],
  ])('are met one by one: %s %s', async (kind, name, meet) => {
    const own = await world();
    await meet(own);
    const { met, missing } = (await own.sandbox.report()).situations;
    expect(met).toBe(1);
    expect(missing.some((one) => one.kind === kind && one.name === name)).toBe(false);
  });

  it('count a real limit as the fault throttled', async () => {
    const own = await world();
    await own.sandbox.limits.set({ scale: 0.05 });
    for (let call = 0; call < 2; call += 1) await own.call('get-all-instructors');
    expect((await own.sandbox.report()).situations.missing.map(({ name }) => name)).not.toContain(
      'throttled',
    );
  });
});

describe('the use of fields', () => {
  it('tells which forms of the parameters the client sent', async () => {
    const own = await world();
    await own.batch('update-digital-product-coupon', [
      {
        serviceCouponCodeId: 'x',
        serviceDigitalProductId: 'y',
        shouldApplyAutomatically: true,
        couponTypeData: { type: 'percent-off' },
      },
      { serviceCouponCodeId: 'x', serviceDigitalProductId: 'y' },
    ]);
    const used = (await own.sandbox.report()).coverage.find(
      ({ operation }) => operation === 'update-digital-product-coupon',
    )?.parameters;
    expect(used).toEqual(
      expect.arrayContaining([
        { pointer: '/serviceCouponCodeId', option: 'given', count: 2 },
        { pointer: '/shouldApplyAutomatically', option: 'true', count: 1 },
        { pointer: '/shouldApplyAutomatically', option: 'false', count: 0 },
        { pointer: '/shouldApplyAutomatically', option: 'left out', count: 1 },
        { pointer: '/couponTypeData/type', option: '"percent-off"', count: 1 },
        { pointer: '/couponTypeData/percentOff', option: 'left out', count: 1 },
      ]),
    );
    expect(used).not.toContainEqual(
      expect.objectContaining({ pointer: '/serviceCouponCodeId', option: 'left out' }),
    );
  });

  it('tells which forms of the result the client was answered, also those that a fault made', async () => {
    const own = await world();
    await own.call('get-quiz-details', { quizId: quiz.id });
    const fields = async (): Promise<readonly object[] | undefined> =>
      (await own.sandbox.report()).coverage.find(({ operation }) => operation === 'get-quiz-details')?.fields;
    expect(await fields()).toEqual(
      expect.arrayContaining([
        { pointer: '/quizTitle', option: 'given', count: 1 },
        { pointer: '/questions', option: 'not empty', count: 1 },
        { pointer: '/questions', option: 'empty', count: 0 },
        expect.objectContaining({ pointer: '/questions/*/type', option: '"SingleCorrect"' }),
        expect.objectContaining({ pointer: '/questions/*/explanation', option: 'null' }),
      ]),
    );
    await own.call('get-quiz-details', { quizId: quiz.id }).set('Sandbox-Fault', 'empty-lists');
    expect(await fields()).toContainEqual({ pointer: '/questions', option: 'empty', count: 1 });
  });
});
