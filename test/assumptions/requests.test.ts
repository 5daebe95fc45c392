import { expect } from 'vitest';
import { completed, coupon, items, labId, learner, quiz } from '../support/demo.ts';
import { failureOf, resultOf, type World } from '../support/world.ts';
import { testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

const couponNames = { serviceCouponCodeId: coupon.id, serviceDigitalProductId: coupon.productId };

/** Updates the expiry of the coupon. Returns the reply and the stored expiry. */
async function expireAt({ call, sandbox }: World, expireAtIsoString: string) {
  const reply = await call('update-digital-product-coupon', { ...couponNames, expireAtIsoString });
  return { reply, stored: (await sandbox.state.get('coupons', coupon.id))?.expireAtIsoString };
}

/** Date-times as RFC 3339 has them: all options accept and store them. */
const exact = [
  '2026-02-11T09:30:00Z',
  '2026-02-11T09:30:00.123456Z',
  '2026-02-11t09:30:00z',
  '2026-02-11T10:30:00+01:00',
];
/** Date-times that only ISO 8601 allows, with what is stored. */
const lenient: readonly (readonly [sent: string, stored: string])[] = [
  ['2026-02-11', '2026-02-11T00:00:00Z'],
  ['2026-02-11T09:30', '2026-02-11T09:30:00Z'],
  ['2026-02-11T09:30:05', '2026-02-11T09:30:05Z'],
  ['2026-02-11T09:30:05,25', '2026-02-11T09:30:05.25Z'],
  ['2026-02-11T09:30:05+0200', '2026-02-11T09:30:05+02:00'],
  ['2026-02-11T09:30:05-05', '2026-02-11T09:30:05-05:00'],
  ['2026-02-11T09:30Z', '2026-02-11T09:30:00Z'],
  ['2026-02-11 09:30:05Z', '2026-02-11T09:30:05Z'],
];
/** Texts that no option accepts. */
const noDateTimes = ['', '2026-02-30', '2026-13-01', '2026-02-11T24:30', '11.02.2026', '2026-02', 'tomorrow'];

const isNoDateTime = 'must be an RFC 3339 date-time';
/** Date-times with one mistake, which the message names under every option that refuses them. */
const noDays: readonly (readonly [sent: string, hint: string])[] = [
  ['2026-02-30T09:30:00Z', ' There is no day 2026-02-30.'],
  ['2026-02-30', ' There is no day 2026-02-30.'],
  ['2025-02-29T09:30:00+0200', ' There is no day 2025-02-29.'],
];
const noColon = ' It lacks a colon in the time zone: send "2026-02-11T09:30:05+02:00".';

/** Addresses that every option accepts. */
const plain = ['mira@school.example', "o'hara+tag@a.b.example", `${'x'.repeat(64)}@school.example`];
/** Addresses of ASCII characters that are too long for RFC 5321. */
const long = [`${'x'.repeat(65)}@school.example`, `mira@${'x.'.repeat(122)}example`];
const longest = `${'x'.repeat(60)}@${'x.'.repeat(93)}example`;
/** Addresses with letters of other scripts, or at a host without a dot. */
const international = [
  'jürgen@schüler.example',
  '用户@例子.example',
  'mira@localhost',
  'José@school.example',
];
/** Texts that no option accepts. */
const noAddresses = [
  '',
  'mira',
  '@school.example',
  'mira@',
  'mira@school..example',
  'mi ra@school.example',
  '.mira@school.example',
  'a@b@school.example',
  '"mira"@school.example',
];

/** Expects a sandbox to accept addresses of instructors and learners as they are, and to list them. */
async function acceptsAddresses({ call, sandbox }: World, addresses: readonly string[]): Promise<void> {
  for (const [index, address] of addresses.entries()) {
    const instructor = { instructorEmail: address, instructorName: 'Mira' };
    resultOf(await call('create-instructor-account', instructor));
    const userId = `learner-${index}`;
    const submission = { courseItemId: items.article, userId, userEmail: address };
    resultOf(await call('submit-user-course-item', submission));
    expect(await sandbox.state.get('users', userId)).toHaveProperty('email', address);
  }
  const { instructors } = resultOf(await call('get-all-instructors'));
  const listed = JSON.stringify(instructors);
  for (const address of addresses) expect(listed).toContain(JSON.stringify(address));
}

async function refusesAddresses(
  { call }: World,
  addresses: readonly string[],
  message: string,
): Promise<void> {
  for (const address of addresses) {
    const parameters = { instructorEmail: address, instructorName: 'Mira' };
    expect(failureOf(await call('create-instructor-account', parameters))).toContain(
      `/data/0/data/instructorEmail must be ${message}`,
    );
  }
}

function createAt({ call }: World, instructorEmail: string | undefined) {
  return call('create-instructor-account', { instructorEmail, instructorName: 'Mira' });
}

const nullsInside = {
  courseItemId: quiz.itemId,
  userId: learner.id,
  userEmail: null,
  details: {
    courseItemType: null,
    questionsToUpsert: [{ questionUniqueId: quiz.single.id, newSelectedOptionIds: [] }],
  },
  shouldMarkAsCompleted: null,
};

const nullFields = {
  refuse: async ({ open, noted }) => {
    const { call, sandbox } = await open();
    const reply = await call('submit-user-course-item', nullsInside);
    const message = failureOf(reply);
    for (const field of ['userEmail', 'details/courseItemType', 'shouldMarkAsCompleted'])
      expect(message).toContain(`/data/0/data/${field} must be a`);
    noted(reply);
    const before = await sandbox.state.get('coupons', coupon.id);
    noted(await call('update-digital-product-coupon', { ...couponNames, description: null }));
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual(before);
  },
  'as-omitted': async ({ open, noted }) => {
    const { call, sandbox } = await open();
    const reply = await call('submit-user-course-item', nullsInside);
    expect(resultOf(reply)).toEqual({});
    noted(reply);
    const submission = (await sandbox.state.list('submissions')).find(
      ({ userId, courseItemId }) => userId === learner.id && courseItemId === quiz.itemId,
    );
    expect(submission).toMatchObject({ courseItemType: 'Quiz', isCompleted: false });
    expect(await sandbox.state.get('users', learner.id)).toHaveProperty('email', learner.email);
    const before = await sandbox.state.get('coupons', coupon.id);
    const update = { ...couponNames, description: null, couponTypeData: { type: null, percentOff: 35 } };
    noted(await call('update-digital-product-coupon', update));
    expect(await sandbox.state.get('coupons', coupon.id)).toEqual({
      ...before,
      couponTypeData: { type: 'percent-off', percentOff: 35 },
    });
    noted(await call('get-video-library', { filterTerm: null, pageNumber: null, folderPath: null }));
    // A required field is missing, and an undocumented one is unknown.
    expect(failureOf(await call('get-quiz-details', { quizId: null }))).toContain('quizId is required');
    const strict = await open({ assumptions: { unknownFields: 'refuse' } });
    expect(failureOf(await strict.call('get-quiz-details', { quizId: quiz.id, verbose: null }))).toContain(
      'verbose is not a known field',
    );
    // Where any value may be, null is one.
    const testCases = [null, { input: null }];
    resultOf(await call('update-interactive-coding-lab', { labId, labTitle: null, testCases }));
    expect((await sandbox.state.get('labs', labId))?.testCases).toEqual(testCases);
    const other = await open({ assumptions: { couponTypes: 'any' } });
    const amountOff = { type: 'amount-off', currency: null, percentOff: null };
    resultOf(
      await other.call('update-digital-product-coupon', { ...couponNames, couponTypeData: amountOff }),
    );
    expect((await other.sandbox.state.get('coupons', coupon.id))?.couponTypeData).toEqual({
      type: 'amount-off',
      currency: null,
    });
    // Members of lists are not fields.
    const details = { questionsToUpsert: [null] };
    const wrong = { courseItemId: completed.itemId, userId: learner.id, details };
    expect(failureOf(await call('submit-user-course-item', wrong))).toContain(
      'questionsToUpsert/0 must be an object',
    );
  },
} satisfies Record<string, OptionTest>;

function endsWith(end: string): (text: string) => boolean {
  return (text) => text.endsWith(end);
}

const dateTimeFormat = {
  'rfc-3339': async ({ open, noted }) => {
    const place = await open();
    for (const sent of exact) expect((await expireAt(place, sent)).stored).toBe(sent);
    for (const [sent] of lenient) {
      const { reply, stored } = await expireAt(place, sent);
      expect(failureOf(reply)).toContain(
        `${isNoDateTime}, such as "2026-02-11T09:30:00.000Z", but is the string "${sent}"`,
      );
      expect(stored).toBe(exact.at(-1));
      noted(reply);
    }
    for (const sent of noDateTimes)
      expect(failureOf((await expireAt(place, sent)).reply)).toContain(isNoDateTime);
    for (const [sent, hint] of [...noDays, ['2026-02-11T09:30:05+0200', noColon], ['tomorrow', '']] as const)
      expect(failureOf((await expireAt(place, sent)).reply)).toSatisfy(endsWith(`"${sent}".${hint}`));
  },
  'iso-8601': async ({ open, noted }) => {
    const place = await open();
    for (const sent of exact) expect((await expireAt(place, sent)).stored).toBe(sent);
    for (const [sent, expected] of lenient) {
      const { reply, stored } = await expireAt(place, sent);
      expect(resultOf(reply)).toEqual({});
      expect(stored).toBe(expected);
      noted(reply);
    }
    for (const sent of noDateTimes) {
      const message = failureOf((await expireAt(place, sent)).reply);
      expect(message).toContain(
        `must be an ISO 8601 date or date-time in the extended format, such as "2026-02-11T09:30:00.000Z", but is the string "${sent}"`,
      );
    }
    for (const [sent, hint] of noDays)
      expect(failureOf((await expireAt(place, sent)).reply)).toSatisfy(endsWith(`"${sent}".${hint}`));
    // An exported state can be imported again.
    await place.sandbox.state.import(await place.sandbox.state.export());
  },
} satisfies Record<string, OptionTest>;

const emailFormat = {
  ascii: async ({ open, noted }) => {
    const place = await open();
    await acceptsAddresses(place, [...plain, ...long]);
    await refusesAddresses(place, [...international, ...noAddresses], 'an e-mail address, such as');
    noted(await createAt(place, international[0]));
    noted(await createAt(place, long[0]));
  },
  'ascii-limited': async ({ open, noted }) => {
    const place = await open();
    await acceptsAddresses(place, [...plain, longest]);
    const message = 'an e-mail address with at most 64 characters before the @ and 254 in total, such as';
    await refusesAddresses(place, [...long, ...international, ...noAddresses], message);
    noted(await createAt(place, long[1]));
    noted(await createAt(place, international[0]));
  },
  international: async ({ open, noted }) => {
    const place = await open();
    await acceptsAddresses(place, [...plain, ...international]);
    const tooLong = [`mira@${'x.'.repeat(122)}example`, `${'ü'.repeat(121)}@school.example`];
    await refusesAddresses(
      place,
      [...tooLong, ...noAddresses],
      'an e-mail address of at most 254 bytes, such as',
    );
    noted(await createAt(place, international[2]));
    noted(await createAt(place, tooLong[0]));
    // An exported state can be imported again.
    await place.sandbox.state.import(await place.sandbox.state.export());
  },
} satisfies Record<string, OptionTest>;

export const requests = { nullFields, dateTimeFormat, emailFormat } satisfies Partial<OptionTests>;

testOptions(requests);
