import type { OperationName } from '../contract/operation-types.ts';
import { createInstructorAccount } from './create-instructor-account.ts';
import { getAllInstructors } from './get-all-instructors.ts';
import { getAllLiveEvents } from './get-all-live-events.ts';
import { getCourseItemData } from './get-course-item-data.ts';
import { getInstructorPermissionPresets } from './get-instructor-permission-presets.ts';
import { getLiveEventSessionProcessedMp4 } from './get-live-event-session-processed-mp4.ts';
import { getQuizDetails } from './get-quiz-details.ts';
import { getSignedUrlDataForLiveEventSessionPlayback } from './get-signed-url-data-for-live-event-session-playback.ts';
import { getVideoLibrary } from './get-video-library.ts';
import { listAssignments } from './list-assignments.ts';
import type { Operation, Services } from './shared/operation.ts';
import type { SlicedWork } from '../base/sliced-work.ts';
import { submitUserCourseItem } from './submit-user-course-item.ts';
import { updateDigitalProductCoupon } from './update-digital-product-coupon.ts';
import { updateInteractiveCodingLab } from './update-interactive-coding-lab.ts';

/** The operations. The compiler requires one for each path in the contract. */
const list: { readonly [N in OperationName]: Operation<N, keyof Services> } = {
  'get-quiz-details': getQuizDetails,
  'update-digital-product-coupon': updateDigitalProductCoupon,
  'update-interactive-coding-lab': updateInteractiveCodingLab,
  'submit-user-course-item': submitUserCourseItem,
  'create-instructor-account': createInstructorAccount,
  'get-video-library': getVideoLibrary,
  'get-signed-url-data-for-live-event-session-playback': getSignedUrlDataForLiveEventSessionPlayback,
  'list-assignments': listAssignments,
  'get-course-item-data': getCourseItemData,
  'get-instructor-permission-presets': getInstructorPermissionPresets,
  'get-all-live-events': getAllLiveEvents,
  'get-all-instructors': getAllInstructors,
  'get-live-event-session-processed-mp4': getLiveEventSessionProcessedMp4,
};

/** An operation as its caller sees it, with parameters that were validated against the contract. */
export type CheckedOperation = (parameters: unknown, services: Services) => object | SlicedWork<object>;

/** Cast: the parameters were validated for the operation, but a lookup by name cannot express their type. */
export const operations = list as Readonly<Record<OperationName, CheckedOperation>>;
