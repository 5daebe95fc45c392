import { describe, expect, it } from 'vitest';
import { operationNames, type OperationName } from '../../src/contract/operation-types.ts';
import { items } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world } from '../support/world.ts';

const isNeeded = (name: string): string => `/data/0/data/${name} is required, but missing.`;

/**
 * What each operation says of elements that lack a parameter which it cannot do without; null where it needs
 * none.
 */
const messages: readonly (readonly [operation: OperationName, parameters: object, message: string | null])[] =
  [
    ['get-all-instructors', {}, null],
    ['update-digital-product-coupon', {}, isNeeded('serviceCouponCodeId')],
    ['get-instructor-permission-presets', {}, null],
    ['submit-user-course-item', {}, isNeeded('courseItemId')],
    ['submit-user-course-item', { courseItemId: items.article }, isNeeded('userId')],
    ['create-instructor-account', {}, isNeeded('instructorEmail')],
    ['get-video-library', {}, null],
    ['get-signed-url-data-for-live-event-session-playback', {}, isNeeded('liveEventSessionId')],
    ['list-assignments', {}, isNeeded('courseIdentifier/digitalProductId')],
    ['list-assignments', { courseIdentifier: {} }, isNeeded('courseIdentifier/digitalProductId')],
    // The specification itself says that this one is required, so the check of the parameters names it.
    ['get-quiz-details', {}, 'The parameters are invalid. /data/0/data/quizId is required, but missing.'],
    ['get-course-item-data', {}, isNeeded('courseItemId')],
    ['get-all-live-events', {}, null],
    ['update-interactive-coding-lab', {}, isNeeded('labId')],
    ['get-live-event-session-processed-mp4', {}, isNeeded('liveEventSessionId')],
  ];

describe('where only what the specification states is required', () => {
  it.each(messages)(
    '%s of %j names the parameter that it cannot do without: %s',
    async (operation, parameters, message) => {
      const { call, sandbox } = await world({ assumptions: { requiredFields: 'stated-only' } });
      const reply = await call(operation, parameters);
      if (message === null) expect(resultOf(reply)).toBeTypeOf('object');
      else expect(failureOf(reply)).toBe(message);
      expect(await sandbox.describe()).toHaveProperty('changedRecords', 0);
    },
  );

  it.each(operationNames)(
    '%s succeeds without parameters, or names the one that is missing',
    async (operation) => {
      const { call } = await world({ assumptions: { requiredFields: 'stated-only' } });
      const [output] = outputsOf(await call(operation, {}));
      const missing = expect.stringMatching(
        /^(The parameters are invalid\. )?\/data\/0\/data\/\S+ is required, but missing\.$/,
      );
      expect([
        { status: 'ok', data: expect.anything() },
        { status: 'error', errorMessage: missing },
      ]).toContainEqual(output);
    },
  );
});
