import type { Response } from 'supertest';
import { expect } from 'vitest';
import type { Records } from '../../src/contract/generated/facts.ts';
import { coupon, labId, products } from '../support/demo.ts';
import { failureOf, resultOf, type World } from '../support/world.ts';
import { testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

/** Updates the one coupon; the reply, and the coupon as it is then. */
async function updateCoupon(
  { call, sandbox }: World,
  changes: object,
): Promise<{ reply: Response; after: Records['coupons'] | null }> {
  const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
  const reply = await call('update-digital-product-coupon', { ...names, ...changes });
  return { reply, after: await sandbox.state.get('coupons', coupon.id) };
}

/** An update that the reading accepts: the state has what was sent. */
function accepts(couponTypeData: object): OptionTest {
  return async ({ open, noted }) => {
    const { reply, after } = await updateCoupon(await open(), { couponTypeData });
    expect(resultOf(reply)).toEqual({});
    expect(after?.couponTypeData).toEqual(couponTypeData);
    noted(reply);
  };
}

/** Updates that the reading refuses: the state stays. */
function refuses(...cases: readonly (readonly [couponTypeData: object, message: string])[]): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    for (const [couponTypeData, message] of cases) {
      const { reply, after } = await updateCoupon(place, { couponTypeData });
      expect(failureOf(reply)).toBe(message);
      expect(after?.couponTypeData).toEqual({ type: 'percent-off', percentOff: 20 });
      noted(reply);
    }
  };
}

function listAssignments({ call }: World, courseIdentifier: object): PromiseLike<Response> {
  return call('list-assignments', { courseIdentifier });
}

export const updates = {
  omittedUpdateFields: {
    keep: async ({ open, noted }) => {
      const place = await open();
      const before = await place.sandbox.state.get('coupons', coupon.id);
      const { reply, after } = await updateCoupon(place, { description: 'Changed' });
      expect(after).toEqual({ ...before, description: 'Changed' });
      noted(reply);
    },
    clear: async ({ open, noted }) => {
      const place = await open();
      const { reply, after } = await updateCoupon(place, { description: 'Changed' });
      expect(after).toEqual({
        id: coupon.id,
        schoolId: after?.schoolId,
        productId: coupon.productId,
        description: 'Changed',
      });
      noted(reply);
      noted(await place.call('update-interactive-coding-lab', { labId, labTitle: 'Renamed' }));
      const lab = await place.sandbox.state.get('labs', labId);
      expect(lab).toEqual({ id: labId, schoolId: after?.schoolId, labTitle: 'Renamed' });
    },
  },
  partialCouponTypeData: {
    merge: async ({ open, noted }) => {
      const place = await open();
      const { reply, after } = await updateCoupon(place, { couponTypeData: { percentOff: 35, note: 'x' } });
      expect(after?.couponTypeData).toEqual({ type: 'percent-off', percentOff: 35 });
      noted(reply);
      expect(reply.headers['sandbox-hint']).toBe(
        '/data/0/data/couponTypeData/note: was not stored: it is not a field of the type "percent-off", which the coupon keeps because you sent no type.',
      );
      const none = await updateCoupon(place, { couponTypeData: {} });
      expect(none.after?.couponTypeData).toEqual({ type: 'percent-off', percentOff: 35 });
    },
    replace: async ({ open, noted }) => {
      const { reply, after } = await updateCoupon(await open(), { couponTypeData: { percentOff: 35 } });
      expect(after?.couponTypeData).toEqual({ percentOff: 35 });
      noted(reply);
    },
  },
  couponTypes: {
    'percent-off-only': refuses([
      { type: 'amount-off' },
      '/data/0/data/couponTypeData/type must be "percent-off", but is "amount-off".',
    ]),
    any: accepts({ type: 'amount-off', amountOff: 500 }),
  },
  percentOffRange: {
    '0-to-100': async (reading) => {
      await refuses(
        [
          { type: 'percent-off', percentOff: 100.5 },
          '/data/0/data/couponTypeData/percentOff must be between 0 and 100, but is 100.5.',
        ],
        [
          { type: 'percent-off', percentOff: -1 },
          '/data/0/data/couponTypeData/percentOff must be between 0 and 100, but is -1.',
        ],
      )(reading);
      const place = await reading.open();
      for (const percentOff of [0, 100]) {
        expect(
          resultOf(
            (await updateCoupon(place, { couponTypeData: { type: 'percent-off', percentOff } })).reply,
          ),
        ).toEqual({});
      }
    },
    any: accepts({ type: 'percent-off', percentOff: 250 }),
  },
  redemptionsRange: {
    'zero-or-more': async ({ open, noted }) => {
      const place = await open();
      const { reply } = await updateCoupon(place, { numberOfRedemptionsAllowed: -1 });
      expect(failureOf(reply)).toBe('/data/0/data/numberOfRedemptionsAllowed must be 0 or more, but is -1.');
      noted(reply);
      expect(resultOf((await updateCoupon(place, { numberOfRedemptionsAllowed: 0 })).reply)).toEqual({});
    },
    any: async ({ open, noted }) => {
      const { reply, after } = await updateCoupon(await open(), { numberOfRedemptionsAllowed: -1 });
      expect(resultOf(reply)).toEqual({});
      expect(after?.numberOfRedemptionsAllowed).toBe(-1);
      noted(reply);
    },
  },
  labTestCaseShape: {
    any: async ({ open, noted }) => {
      const { call, sandbox } = await open();
      const testCases = ['a text', 7, null, ['nested'], { input: '1' }];
      const reply = await call('update-interactive-coding-lab', { labId, testCases });
      expect(resultOf(reply)).toEqual({});
      expect((await sandbox.state.get('labs', labId))?.testCases).toEqual(testCases);
      noted(reply);
    },
    objects: async ({ open, noted }) => {
      const { call } = await open();
      const reply = await call('update-interactive-coding-lab', {
        labId,
        testCases: [{ input: '1' }, 'a text'],
      });
      expect(failureOf(reply)).toBe(
        '/data/0/data/testCases/1 must be an object, but is the string "a text".',
      );
      noted(reply);
      expect(
        resultOf(await call('update-interactive-coding-lab', { labId, testCases: [{ input: '1' }] })),
      ).toEqual({});
    },
  },
  courseIdentifierTypes: {
    'product-id-only': async ({ open, noted }) => {
      const place = await open();
      const reply = await listAssignments(place, { type: 'course-slug', digitalProductId: products.python });
      expect(failureOf(reply)).toBe(
        '/data/0/data/courseIdentifier/type must be "product-id", but is "course-slug".',
      );
      noted(reply);
      const typeless = resultOf(await listAssignments(place, { digitalProductId: products.python }));
      expect(typeless).toEqual(
        resultOf(await listAssignments(place, { type: 'product-id', digitalProductId: products.python })),
      );
    },
    'any-with-product-id': async ({ open, noted }) => {
      const place = await open();
      const reply = await listAssignments(place, { type: 'course-slug', digitalProductId: products.python });
      expect(resultOf(reply)['productId']).toBe(products.python);
      noted(reply);
      expect(
        failureOf(await listAssignments(place, { type: 'course-slug', digitalProductId: 'python' })),
      ).toContain('no product');
    },
  },
} satisfies Partial<OptionTests>;

testOptions(updates);
