import type { Records } from '../../contract/generated/facts.ts';
import type { CollectionName } from '../../sandbox/seed.ts';
import type { Known } from '../calibrate/known.ts';
import type { Twin } from './twin.ts';

/**
 * Returns the identifiers with which the sandbox gets the calls: those of the service if it has such records,
 * otherwise those of its first records.
 */
export function recordsOf({ sandbox: { state }, school }: Twin, known: Known): Known {
  const all = <N extends CollectionName>(name: N): readonly Records[N][] => [...state.collection(name).all()];
  const own = <R extends { readonly schoolId: string }>(records: readonly R[]): readonly R[] =>
    records.filter(({ schoolId }) => schoolId === school.id);
  const items = own(all('courseItems'));
  const quizItem = items.find(({ quizId }) => quizId !== undefined && quizId !== null);
  const item = named(items, known.courseItemId) ?? quizItem ?? items[0];
  const quizzes = own(all('quizzes'));
  const quiz = named(quizzes, known.quizId) ?? named(quizzes, item?.quizId) ?? quizzes[0];
  const users = all('users').filter(({ schoolIds }) => schoolIds.includes(school.id));
  const user = named(users, known.userId) ?? users[0];
  const coupons = own(all('coupons'));
  const labs = own(all('labs'));
  return {
    ...(named(own(all('products')), known.productId) === undefined ? {} : { productId: known.productId }),
    ...(named(own(all('liveEventSessions')), known.liveEventSessionId) === undefined
      ? {}
      : { liveEventSessionId: known.liveEventSessionId }),
    ...(quiz === undefined ? {} : { quizId: quiz.id }),
    ...(item === undefined ? {} : { courseItemId: item.id }),
    ...(user === undefined ? {} : { userId: user.id, userEmail: user.email }),
    ...sent('coupon', named(coupons, known.coupon?.['serviceCouponCodeId']) ?? coupons[0], couponAsSent),
    ...sent('lab', named(labs, known.lab?.['labId']) ?? labs[0], labAsSent),
  };
}

/** Returns the record with an id. */
function named<R extends { readonly id: string }>(records: readonly R[], id: unknown): R | undefined {
  return records.find((one) => one.id === id);
}

function sent<R>(
  name: 'coupon' | 'lab',
  record: R | undefined,
  asSent: (record: R) => Readonly<Record<string, unknown>>,
): Known {
  return record === undefined ? {} : { [name]: asSent(record) };
}

function couponAsSent({
  id,
  productId,
  schoolId: _school,
  ...terms
}: Records['coupons']): Readonly<Record<string, unknown>> {
  return { serviceCouponCodeId: id, serviceDigitalProductId: productId, ...terms };
}

function labAsSent({ id, schoolId: _school, ...terms }: Records['labs']): Readonly<Record<string, unknown>> {
  return { labId: id, ...terms };
}
