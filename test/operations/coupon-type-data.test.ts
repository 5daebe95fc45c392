import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import type { Records } from '../../src/contract/generated/facts.ts';
import { coupon } from '../support/demo.ts';
import { failureOf, world, type World } from '../support/world.ts';

/** Updates the one coupon; the reply, and the coupon as it is then. */
async function updateCoupon(
  { call, sandbox }: World,
  changes: object,
): Promise<{ reply: Response; after: Records['coupons'] | null }> {
  const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
  const reply = await call('update-digital-product-coupon', { ...names, ...changes });
  return { reply, after: await sandbox.state.get('coupons', coupon.id) };
}

describe('data of a coupon that the update sends only in part', () => {
  const amountOff = { type: 'amount-off', amountOff: 5, currency: 'EUR' };
  const any = { couponTypes: 'any' } as const;

  it.each<readonly [PartialOptions, stored: object, sent: object, after: object]>([
    [any, amountOff, { amountOff: 6 }, { ...amountOff, amountOff: 6 }],
    [any, amountOff, { percentOff: 6 }, { ...amountOff, percentOff: 6 }],
    [any, amountOff, { type: 'amount-off', percentOff: 6 }, { ...amountOff, percentOff: 6 }],
    [any, amountOff, { type: 'percent-off' }, { type: 'percent-off' }],
    [{ ...any, partialCouponTypeData: 'replace' }, amountOff, { amountOff: 6 }, { amountOff: 6 }],
    [{ ...any, partialCouponTypeData: 'replace' }, amountOff, { percentOff: 6 }, { percentOff: 6 }],
    [{ ...any, unknownFields: 'refuse' }, amountOff, { amountOff: 6 }, { ...amountOff, amountOff: 6 }],
    [any, {}, { amountOff: 6 }, { amountOff: 6 }],
    // The type was stored by other means than the operation.
    [{}, amountOff, { amountOff: 9 }, { ...amountOff, amountOff: 9 }],
    [
      {},
      { type: 'percent-off', percentOff: 20, note: 'x' },
      { percentOff: 6 },
      { type: 'percent-off', percentOff: 6, note: 'x' },
    ],
  ])(
    'is stored with all that was sent: under %j, %j and %j become %j',
    async (assumptions, stored, sent, expected) => {
      const place = await world({ assumptions });
      await place.sandbox.state.patch('coupons', coupon.id, { couponTypeData: null });
      await place.sandbox.state.patch('coupons', coupon.id, { couponTypeData: stored });
      const { reply, after } = await updateCoupon(place, { couponTypeData: sent });
      expect(reply.body).toEqual([{ output: { status: 'ok', data: {} } }]);
      expect(after?.couponTypeData).toEqual(expected);
      expect(reply.headers).not.toHaveProperty('sandbox-hint');
    },
  );

  const percentOff = { type: 'percent-off', percentOff: 20 };

  it.each<readonly [PartialOptions, sent: object, why: string]>([
    [
      any,
      { amountOff: 6 },
      'a field of the type "percent-off", which the coupon keeps because you sent no type.',
    ],
    [any, { ...percentOff, amountOff: 6 }, 'a field of the type "percent-off".'],
    [
      { partialCouponTypeData: 'replace' },
      { percentOff: 20, amountOff: 6 },
      'a known field of a coupon without a type.',
    ],
  ])('names each field that is not stored: under %j, %j', async (assumptions, sent, why) => {
    const { reply, after } = await updateCoupon(await world({ assumptions }), { couponTypeData: sent });
    expect(reply.headers['sandbox-hint']).toBe(
      `/data/0/data/couponTypeData/amountOff: was not stored: it is not ${why}`,
    );
    expect(after?.couponTypeData).not.toHaveProperty('amountOff');
    expect(after?.couponTypeData).toHaveProperty('percentOff', 20);
  });

  it('is refused if it has a field of another type, and unknown fields are refused', async () => {
    const place = await world({ assumptions: { ...any, unknownFields: 'refuse' } });
    const { reply, after } = await updateCoupon(place, { couponTypeData: { amountOff: 6 } });
    expect(failureOf(reply)).toBe(
      '/data/0/data/couponTypeData/amountOff is not a field of the type "percent-off", which the coupon keeps because you sent no type.',
    );
    expect(after?.couponTypeData).toEqual(percentOff);
  });
});
