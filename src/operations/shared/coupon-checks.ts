import { shownNumber } from '../../base/violation.ts';
import type { Parameters } from '../../contract/operation-types.ts';
import { notOnly } from './not-only.ts';
import { OperationFailed, type Services } from './operation.ts';

export const knownType = 'percent-off';

/** The fields of the known type. */
export const knownFields: readonly string[] = ['type', 'percentOff'];

export type CouponTypeData = NonNullable<Parameters<'update-digital-product-coupon'>['couponTypeData']>;

/** Refuses the type or the discount of a coupon unless an assumption allows it. */
export function checkType({ type, percentOff }: CouponTypeData, assume: Services['assume']): void {
  if (type !== undefined && type !== knownType && assume('couponTypes') === 'percent-off-only') {
    throw new OperationFailed('invalid', '/couponTypeData/type', notOnly(knownType, type));
  }
  if (
    percentOff !== undefined &&
    !(percentOff >= 0 && percentOff <= 100) &&
    assume('percentOffRange') === '0-to-100'
  ) {
    throw new OperationFailed(
      'invalid',
      '/couponTypeData/percentOff',
      `must be between 0 and 100, but is ${shownNumber(percentOff)}.`,
    );
  }
}

/** Whether data of a type is stored with all its fields: of another type, or, if all types are accepted, of none. */
export function hasAllFields(type: unknown, assume: Services['assume']): boolean {
  if (type === knownType) return false;
  return assume('couponTypes') === 'any' || type !== undefined;
}

/** Refuses a negative number of redemptions unless an assumption allows it. */
export function checkRedemptions(allowed: number | undefined, assume: Services['assume']): void {
  if (allowed === undefined || allowed >= 0 || assume('redemptionsRange') === 'any') return;
  throw new OperationFailed(
    'invalid',
    '/numberOfRedemptionsAllowed',
    `must be 0 or more, but is ${shownNumber(allowed)}.`,
  );
}
