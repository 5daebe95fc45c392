import { describe, expect, it } from 'vitest';
import { coupon, hillcrestCoupon, products } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';
import { expectUnknown, missingId } from './unknown-record.ts';

const operation = 'update-digital-product-coupon';
const names = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };
const changes = {
  serviceDigitalProductCouponSlug: 'PYTHON-AUTUMN',
  description: 'Autumn price, für alle 🍂',
  expireAtIsoString: '2027-01-31T23:59:59+01:00',
  shouldApplyAutomatically: true,
  numberOfRedemptionsAllowed: 7,
  couponTypeData: { type: 'percent-off', percentOff: 33.5 },
};

describe('update-digital-product-coupon', () => {
  it('changes every field that is sent, and answers with an empty object', async () => {
    const { call, sandbox } = await world();
    expect(resultOf(await call(operation, { ...names, ...changes }))).toEqual({});
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual({
      id: coupon.id,
      schoolId: (await sandbox.state.get('products', coupon.productId))?.schoolId,
      productId: coupon.productId,
      ...changes,
    });
  });

  it.each(Object.entries(changes))('keeps all other fields when %s alone is sent', async (field, value) => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.get('coupons', coupon.id);
    resultOf(await call(operation, { ...names, [field]: value }));
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual({ ...before, [field]: value });
  });

  it('changes nothing when no field is sent', async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('coupons');
    expect(resultOf(await call(operation, names))).toEqual({});
    expect(await sandbox.state.list('coupons')).toEqual(before);
  });

  it('builds on the updates before it, and touches no other coupon', async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('coupons');
    const { description, numberOfRedemptionsAllowed } = changes;
    resultOf(await call(operation, { ...names, description: 'Overwritten at once' }));
    resultOf(await call(operation, { ...names, numberOfRedemptionsAllowed }));
    resultOf(await call(operation, { ...names, description }));
    expect(await sandbox.state.list('coupons')).toEqual(
      before.map((kept) =>
        kept.id === coupon.id ? { ...kept, description, numberOfRedemptionsAllowed } : kept,
      ),
    );
  });

  it.each([
    ['false', { shouldApplyAutomatically: false }],
    ['zero', { numberOfRedemptionsAllowed: 0 }],
    ['an empty text', { description: '' }],
    ['nothing off', { couponTypeData: { type: 'percent-off', percentOff: 0 } }],
    ['everything off', { couponTypeData: { type: 'percent-off', percentOff: 100 } }],
  ])('stores %s as it is sent', async (_, change) => {
    const { call, sandbox } = await world();
    resultOf(await call(operation, { ...names, shouldApplyAutomatically: true }));
    resultOf(await call(operation, { ...names, ...change }));
    expect(await sandbox.state.get('coupons', coupon.id)).toMatchObject(change);
  });

  it.each([
    [
      { couponTypeData: { type: 'amount-off', percentOff: 5 } },
      '/data/0/data/couponTypeData/type must be "percent-off", but is "amount-off".',
    ],
    [
      { couponTypeData: { type: 'percent-off', percentOff: 100.01 } },
      '/data/0/data/couponTypeData/percentOff must be between 0 and 100, but is 100.01.',
    ],
    [
      { couponTypeData: { type: 'percent-off', percentOff: -1 } },
      '/data/0/data/couponTypeData/percentOff must be between 0 and 100, but is -1.',
    ],
    [
      { numberOfRedemptionsAllowed: 2.5 },
      '/data/0/data/numberOfRedemptionsAllowed must be an integer, but is the number 2.5.',
    ],
    [{ expireAtIsoString: 'tomorrow' }, '/data/0/data/expireAtIsoString must be an RFC 3339 date-time'],
    [
      { shouldApplyAutomatically: 'yes' },
      '/data/0/data/shouldApplyAutomatically must be a boolean, but is the string "yes".',
    ],
    [{ description: null }, '/data/0/data/description must be a string, but is null.'],
  ])('refuses %j and changes nothing, valid fields beside it included', async (change, message) => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('coupons');
    const parameters = { ...names, serviceDigitalProductCouponSlug: 'MUST-NOT-STICK', ...change };
    expect(failureOf(await call(operation, parameters))).toContain(message);
    expect(await sandbox.state.list('coupons')).toEqual(before);
  });
});

describe('update-digital-product-coupon for what the school does not have', () => {
  it("cannot tell another school's coupon from one that does not exist, and leaves it alone", async () => {
    const place = await world();
    const before = await place.sandbox.state.list('coupons');
    for (const serviceDigitalProductId of [hillcrestCoupon.productId, coupon.productId]) {
      await expectUnknown(place, hillcrestCoupon.id, {
        operation,
        parameters: (serviceCouponCodeId) => ({ ...changes, serviceCouponCodeId, serviceDigitalProductId }),
        what: 'coupon',
      });
    }
    expect(await place.sandbox.state.list('coupons')).toEqual(before);
  });

  it("cannot tell another school's product from one that does not exist", async () => {
    const place = await world();
    const before = await place.sandbox.state.list('coupons');
    await expectUnknown(place, products.hillcrest, {
      operation,
      parameters: (serviceDigitalProductId) => ({ ...changes, ...names, serviceDigitalProductId }),
      what: 'product',
    });
    expect(await place.sandbox.state.list('coupons')).toEqual(before);
  });

  it("refuses a coupon under another of the school's own products, and changes nothing", async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('coupons');
    const parameters = { ...changes, ...names, serviceDigitalProductId: products.withoutAssignments };
    expect(failureOf(await call(operation, parameters))).toBe(
      `/data/0/data/serviceCouponCodeId: The product "${products.withoutAssignments}" has no coupon with the identifier "${coupon.id}". The coupon belongs to the product "${coupon.productId}".`,
    );
    expect(await sandbox.state.list('coupons')).toEqual(before);
  });

  it.each(['serviceCouponCodeId', 'serviceDigitalProductId'] as const)(
    'refuses a missing %s',
    async (field) => {
      const { call } = await world();
      const { [field]: _, ...rest } = names;
      expect(failureOf(await call(operation, { ...rest, ...changes }))).toContain(
        `/data/0/data/${field} is required, but missing.`,
      );
    },
  );
});

describe('a batch of update-digital-product-coupon', () => {
  it('takes effect element by element, in order, around those that fail', async () => {
    const { batch, sandbox } = await world();
    const before = await sandbox.state.get('coupons', coupon.id);
    const outputs = outputsOf(
      await batch(operation, [
        { ...names, description: 'First', numberOfRedemptionsAllowed: 1 },
        { ...names, serviceCouponCodeId: missingId, description: 'Second' },
        { ...names, description: 'Third', numberOfRedemptionsAllowed: 'many' },
        { ...names, description: 'Fourth' },
      ]),
    );
    expect(outputs).toEqual([
      { status: 'ok', data: {} },
      {
        status: 'error',
        errorMessage: `/data/1/data/serviceCouponCodeId: The school has no coupon with the identifier "${missingId}".`,
      },
      {
        status: 'error',
        errorMessage: expect.stringContaining('/data/2/data/numberOfRedemptionsAllowed must be an integer'),
      },
      { status: 'ok', data: {} },
    ]);
    const after = { ...before, description: 'Fourth', numberOfRedemptionsAllowed: 1 };
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual(after);
  });
});
