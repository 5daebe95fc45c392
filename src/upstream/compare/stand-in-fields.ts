import { required } from './planned-call.ts';
import type { StandIns } from './stand-ins.ts';

/** The fields with identifiers, and what stands in for each. */
export const standInFor: Readonly<Record<string, (standIns: StandIns) => string>> = {
  quizId: (side) => required(side, 'quizId'),
  courseItemId: (side) => required(side, 'courseItemId'),
  liveEventSessionId: (side) => required(side, 'liveEventSessionId'),
  digitalProductId: (side) => required(side, 'productId'),
  serviceDigitalProductId: (side) => String(required(side, 'coupon')['serviceDigitalProductId']),
  serviceCouponCodeId: (side) => String(required(side, 'coupon')['serviceCouponCodeId']),
  labId: (side) => String(required(side, 'lab')['labId']),
  userId: (side) => required(side, 'userId'),
  userEmail: (side) => required(side, 'userEmail'),
  folderPath: (side) => required(side, 'folder'),
  questionUniqueId: (side) => required(side, 'question').id,
};
