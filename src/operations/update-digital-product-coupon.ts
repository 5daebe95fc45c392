import { quoted } from '../base/violation.ts';
import type { Records } from '../contract/generated/facts.ts';
import {
  checkRedemptions,
  checkType,
  knownType,
  noteType,
  type CouponTypeData,
} from './shared/coupon-checks.ts';
import { needed, OperationFailed, type Operation, type Services } from './shared/operation.ts';
import { updated } from './shared/update-fields.ts';

const fields = [
  'serviceDigitalProductCouponSlug',
  'description',
  'expireAtIsoString',
  'shouldApplyAutomatically',
  'numberOfRedemptionsAllowed',
  'couponTypeData',
] as const;

/** Updates a coupon of a product (specification, endpoint 2). */
export const updateDigitalProductCoupon: Operation<
  'update-digital-product-coupon',
  'find' | 'state' | 'assume'
> = (parameters, { find, state, assume }) => {
  const { serviceCouponCodeId, serviceDigitalProductId, numberOfRedemptionsAllowed, couponTypeData } =
    parameters;
  const couponId = needed(serviceCouponCodeId, '/serviceCouponCodeId');
  const coupon = find(
    'coupons',
    couponId,
    '/serviceCouponCodeId',
    'coupon',
    serviceDigitalProductId === undefined ? {} : { productId: serviceDigitalProductId },
  );
  if (serviceDigitalProductId !== undefined && serviceDigitalProductId !== coupon.productId) {
    find('products', serviceDigitalProductId, '/serviceDigitalProductId', 'product');
    throw new OperationFailed(
      'not-found',
      '/serviceCouponCodeId',
      `The product ${quoted(serviceDigitalProductId)} has no coupon with the identifier ${quoted(couponId)}. The coupon belongs to the product ${quoted(coupon.productId)}.`,
    );
  }
  checkRedemptions(numberOfRedemptionsAllowed, assume);
  if (couponTypeData === undefined) {
    state.put('coupons', updated(assume, coupon, parameters, fields));
    return {};
  }
  checkType(couponTypeData, assume);
  const sent = { ...parameters, couponTypeData: dataAfter(coupon.couponTypeData, couponTypeData, assume) };
  state.put('coupons', updated(assume, coupon, sent, fields));
  return {};
};

/** Returns the data of a coupon after an update. Of the known type, only known fields are stored. */
function dataAfter(
  before: Records['coupons']['couponTypeData'],
  sent: CouponTypeData,
  assume: Services['assume'],
): Readonly<Record<string, unknown>> {
  const isPartial = sent.type === undefined || sent.percentOff === undefined;
  const staysSame = sent.type === undefined || sent.type === before?.['type'];
  const isMerged = isPartial && staysSame && assume('partialCouponTypeData') === 'merge';
  const after: CouponTypeData = isMerged ? { ...before, ...sent } : sent;
  noteType(after.type, assume);
  if (after.type !== undefined && after.type !== knownType) return after;
  const { type, percentOff } = after;
  return { ...(type === undefined ? {} : { type }), ...(percentOff === undefined ? {} : { percentOff }) };
}
