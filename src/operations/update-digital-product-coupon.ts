import { quoted } from '../base/violation.ts';
import { checkRedemptions, checkType } from './shared/coupon-checks.ts';
import { typeDataAfter } from './shared/coupon-type-data.ts';
import { needed, OperationFailed, type Operation } from './shared/operation.ts';
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
  'find' | 'state' | 'assume' | 'dropField'
> = (parameters, { find, state, assume, dropField }) => {
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
  const sent = {
    ...parameters,
    couponTypeData: typeDataAfter(coupon.couponTypeData, couponTypeData, { assume, dropField }),
  };
  state.put('coupons', updated(assume, coupon, sent, fields));
  return {};
};
