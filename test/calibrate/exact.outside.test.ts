import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assumptionNames,
  assumptions,
  type AssumptionName,
  type Options,
  type PartialOptions,
} from '../../src/assumptions.ts';
import type { Calibration } from '../../src/upstream/calibrate/calibrate.ts';
import { exampleCalls } from '../../src/upstream/compare/example-calls.ts';
import { mistakeCalls } from '../../src/upstream/compare/mistake-calls.ts';
import { isAnnounced } from '../compare/announced.ts';
import { twoSandboxes } from '../compare/two-sandboxes.ts';
import { secondSandbox, verdictOn } from './second-sandbox.ts';

const second = secondSandbox();
const two = twoSandboxes();
const empty = secondSandbox('empty');

/**
 * Whether nothing fails inside an element though it fits the contract, so that no reading of batches and
 * statuses shows.
 */
function hasNoFailures(o: Options): boolean {
  return o.unknownId !== 'element-error' && hasNoPairedRuleFailures(o);
}

/** Whether no rule of an operation makes one of two elements fail. */
function hasNoPairedRuleFailures(o: Options): boolean {
  return (
    o.limitBelowOne !== 'element-error' &&
    o.fractionalLimit !== 'refuse' &&
    o.pageOutOfRange !== 'element-error' &&
    o.courseIdentifierTypes !== 'product-id-only' &&
    o.unfinishedSession !== 'element-error' &&
    o.requiredFields !== 'stated-only' &&
    o.couponTypes !== 'percent-off-only' &&
    o.percentOffRange !== '0-to-100' &&
    o.redemptionsRange !== 'zero-or-more' &&
    o.labTestCaseShape !== 'objects' &&
    o.emptyInstructorName !== 'element-error' &&
    o.submittedItemTypes !== 'quiz-only' &&
    o.answersOutsideQuiz !== 'element-error' &&
    o.omittedSelection !== 'element-error' &&
    o.emptySelection !== 'element-error' &&
    o.repeatedOption !== 'element-error' &&
    o.repeatedQuestion !== 'element-error' &&
    o.severalAnswersToSingleCorrect !== 'element-error'
  );
}

/** Whether no rule of an operation makes an element fail, alone or beside another. */
function hasNoRuleFailures(o: Options): boolean {
  return (
    hasNoPairedRuleFailures(o) &&
    o.emailOfKnownUser !== 'element-error' &&
    (o.omittedInstructorName !== 'element-error' || o.requiredFields === 'all') &&
    o.resubmission !== 'refuse-after-completion'
  );
}

/** Whether no call is refused because of stored data: one status for all rules shows only there. */
function hasNoConflicts(o: Options): boolean {
  return (
    o.unfinishedSession !== 'element-error' &&
    o.emailOfKnownUser !== 'element-error' &&
    o.resubmission !== 'refuse-after-completion'
  );
}

function hasNoSingleFailures(o: Options): boolean {
  return hasNoFailures(o) && o.invalidParameters !== 'element-error';
}

/**
 * A refusal in the envelope looks like the failure of a single element with the same status, and no batch
 * tells them apart.
 */
function failsAlike(o: Options): boolean {
  return (
    o.operationFailureStatus === 'by-kind' && (o.maxBatchSize === '1' || o.batchProcessing === 'first-only')
  );
}

/**
 * No call is turned away by the service itself with a status of its own that could be nothing else. A refusal
 * that a gateway may send does not show the form of the others.
 */
function refusesNothing(o: Options): boolean {
  const isInside = o.malformedBody === 'output-error';
  const isPlain = o.refusalBody !== 'envelope' || !failsAlike(o);
  const isRefused =
    o.invalidParameters === 'http-400' ||
    (isPlain && (o.unknownId === 'http-404' || o.invalidParameters === 'http-422'));
  return isInside && !isRefused;
}

function looksAlike(o: Options): boolean {
  const isSameBody = o.refusalBody === 'envelope' || o.operationFailureBody === 'as-refusals';
  return failsAlike(o) && (isSameBody || refusesNothing(o));
}

/**
 * The assumptions that no client can see, and when: another option hides their effect, or no response
 * depends on it.
 */
const hidden: { readonly [N in AssumptionName]?: (options: Options) => boolean } = {
  omittedUpdateFields: () => true,
  partialCouponTypeData: () => true,
  // No operation reads submissions back, and resubmission=refuse-after-completion refuses to withdraw a completion.
  withdrawnCompletion: () => true,
  nullFields: (o) => o.requiredFields === 'all',
  ruleFailureStatus: (o) =>
    o.operationFailureStatus === 'always-200' ||
    hasNoRuleFailures(o) ||
    (o.ruleFailureStatus === 'http-400' && hasNoConflicts(o)),
  answersOutsideQuiz: (o) => o.answersOutsideQuiz !== 'element-error',
  refusedCallsCount: (o) => o.rateLimitUnit === 'request' && o.rateLimitWindow !== 'sliding',
  batchProcessing: (o) =>
    o.maxBatchSize === '1' || (hasNoFailures(o) && o.invalidParameters !== 'element-error'),
  maxBatchSize: (o) =>
    o.rateLimitUnit === 'element' &&
    o.processedMp4RateLimit !== 'none' &&
    ['100', 'none'].includes(o.maxBatchSize),
  // A batch of two is then one failed output, whether it is too large or throttled, and is counted either way.
  rateLimitUnit: (o) =>
    o.maxBatchSize === '1' &&
    o.malformedBody === 'output-error' &&
    o.throttleReply === 'output-error' &&
    (o.rateLimitUnit === 'request' || o.refusedCallsCount === 'yes'),
  omittedFolderPath: (o) => o.folderMatching === 'recursive',
  unendedSessionEnd: (o) => o.responseFields !== 'all' && o.unendedSessionEnd !== 'scheduled-end',
  // The control needs an instructor account of the user, which calibrate creates only for a user of its own.
  emailOfKnownUser: (o) => o.unknownUser === 'element-error' && o.emailOfKnownUser === 'keep',
  omittedSelection: (o) => o.requiredFields === 'all',
  omittedInstructorName: (o) => o.requiredFields === 'all',
  presetPageSize: (o) => o.requiredFields === 'all' && o.limitBelowOne === 'element-error',
  unknownId: looksAlike,
  invalidParameters: (o) => looksAlike(o) && o.invalidParameters !== 'http-400',
  refusalBody: refusesNothing,
  gatewayRefusalBody: (o) =>
    refusesNothing(o) ||
    [o.missingKey, o.invalidKey, o.throttleReply].every((option) => option === 'output-error'),
  operationFailureStatus: hasNoSingleFailures,
  operationFailureBody: (o) =>
    o.operationFailureStatus === 'always-200' ||
    o.refusalBody === 'envelope' ||
    hasNoSingleFailures(o) ||
    refusesNothing(o),
  unmatchedBody: (o) => o.refusalBody === 'problem-json' || refusesNothing(o),
  // A page without details may come from a gateway.
  failureMessages: (o) =>
    (['empty', 'template'].includes(o.refusalBody) ||
      (['html', 'plain-text'].includes(o.refusalBody) && o.failureMessages === 'generic')) &&
    (hasNoSingleFailures(o) || o.operationFailureBody === 'as-refusals'),
};

/** The option that a calibration tells: a gateway with the form of the service has no form of its own. */
function tellable<N extends AssumptionName>(name: N, options: Options): Options[N] | 'as-refusals' {
  const { gatewayRefusalBody: ofGateway, refusalBody: ofService } = options;
  const isAlike = name === 'gatewayRefusalBody' && ofGateway === ofService && ofGateway !== 'template';
  return isAlike ? 'as-refusals' : options[name];
}

/**
 * Expects a calibration to tell every option that shows, to be right about it, and to say why it cannot tell
 * the others.
 */
async function expectExact(chosen: PartialOptions, over?: 'http'): Promise<Calibration> {
  const done = await second.calibrated(chosen, over === undefined ? {} : { over });
  const { options } = done;
  expect(done.departures).toEqual([]);
  const told = done.verdicts.filter(({ option }) => option !== null);
  expect(Object.fromEntries(told.map(({ name, option }) => [name, option]))).toEqual(
    Object.fromEntries(told.map(({ name }) => [name, tellable(name, options)])),
  );
  for (const { name, left, why } of done.verdicts.filter(({ option }) => option === null)) {
    const advice = 'Add a probe in src/upstream/calibrate/probes/, or an entry in `hidden` above.';
    expect(hidden[name]?.(options), `${name} is not found: ${why} ${advice}`).toBe(true);
    expect(left).toContain(tellable(name, options));
    expect(why).toMatch(/\w/);
  }
  return done;
}

/** Expects a comparison with the options that a calibration found to show only what it said. */
async function expectAnnounced(chosen: PartialOptions, calibration: Calibration): Promise<void> {
  const found = Object.fromEntries(
    calibration.verdicts.flatMap(({ name, option }) => (option === null ? [] : [[name, option]])),
  );
  const calls = [...exampleCalls(), ...mistakeCalls()];
  const { differences } = await two.compared(chosen, found, { calls, probes: null });
  expect(differences.filter((one) => !isAnnounced(one, calibration))).toEqual([]);
}

const anyOptions = fc.record(
  Object.fromEntries(
    assumptionNames.map((name) => [name, fc.constantFrom(...Object.keys(assumptions[name].options))]),
  ),
);

/** Each step would calibrate again. The message names the assumption anyway. */
const withoutShrinking = { endOnFailure: true } as const;

/** The time limit of a test is that of one calibration. */
function timeoutOf(calibrations: number): number {
  return calibrations * 60_000;
}

describe('lp-sandbox calibrate finds exactly what a second sandbox was started with', () => {
  it('under the defaults, over the network', async () => {
    await expectExact({}, 'http');
  });

  it.each(
    assumptionNames.flatMap((name) =>
      Object.keys(assumptions[name].options)
        .filter((option) => option !== assumptions[name].default)
        .map((option) => ({ name, option })),
    ),
  )('under $name=$option, and compare then finds only what was announced', async ({ name, option }) => {
    const chosen = { [name]: option };
    await expectAnnounced(chosen, await expectExact(chosen));
  });

  it('under any choice of all options', { timeout: timeoutOf(8) }, async () => {
    await fc.assert(
      fc.asyncProperty(anyOptions, async (chosen) => {
        await expectExact(chosen);
      }),
      { numRuns: 8, ...withoutShrinking },
    );
  });
});

describe('lp-sandbox calibrate names no wrong option', () => {
  const nothingKnown = { known: {}, keys: { own: 'sbx_default_hillcrest', second: null, other: null } };

  it.each([
    ['of a school that has little', () => second, 20],
    ['of a school that has nothing', () => empty, 15],
  ])('%s, though nobody gives it anything', { timeout: timeoutOf(4) }, async (_, place, least) => {
    await fc.assert(
      fc.asyncProperty(anyOptions, async (chosen) => {
        const { verdicts, options } = await place().calibrated(chosen, nothingKnown);
        const wrong = verdicts.filter(({ name, option, left }) =>
          option === null ? !left.includes(tellable(name, options)) : option !== tellable(name, options),
        );
        expect(wrong).toEqual([]);
        expect(verdicts.filter(({ option }) => option !== null).length).toBeGreaterThan(least);
      }),
      { numRuns: 4, ...withoutShrinking },
    );
  });
});

/** Stops at the failure, whose status is that of the failure alone. No rule makes an element fail. */
const stopping: PartialOptions = {
  batchProcessing: 'stop-at-first-error',
  operationFailureStatus: 'by-kind',
  unknownId: 'http-404',
  invalidParameters: 'http-422',
  limitBelowOne: 'default-page-size',
  courseIdentifierTypes: 'any-with-product-id',
  unfinishedSession: 'empty-sources',
  couponTypes: 'any',
  percentOffRange: 'any',
  redemptionsRange: 'any',
  emptyInstructorName: 'store',
  submittedItemTypes: 'any',
  answersOutsideQuiz: 'store',
  omittedSelection: 'no-option',
  severalAnswersToSingleCorrect: 'store',
};

it.each<PartialOptions>([
  { pageOutOfRange: 'element-error' },
  { courseIdentifierTypes: 'product-id-only' },
  { unfinishedSession: 'element-error' },
  { percentOffRange: '0-to-100' },
  { labTestCaseShape: 'objects' },
  { emptyInstructorName: 'element-error' },
  { emptySelection: 'element-error' },
])(
  'lp-sandbox calibrate finds that a service stops at the first failure if it fails only by %j',
  async (rule) => {
    await expectExact({ ...stopping, ...rule });
  },
);

/** Leaves out all probes but that of live events. */
function leftOut({ name }: { readonly name: string }): string | null {
  return name === 'live-events' ? null : 'left out';
}

it.each(['all', 'not-null', 'not-empty'] as const)(
  'the live events show responseFields=%s: one has no sessions',
  async (responseFields) => {
    const { left } = verdictOn('responseFields', await second.calibrated({ responseFields }, { leftOut }));
    expect(left).toEqual(responseFields === 'not-empty' ? ['not-empty'] : ['all', 'not-null']);
  },
);

describe('the probes that write', () => {
  it('put a coupon and a lab back as they are known to be', async () => {
    const { coupon, lab } = second.known;
    const anything: PartialOptions = {
      couponTypes: 'any',
      percentOffRange: 'any',
      redemptionsRange: 'any',
      labTestCaseShape: 'any',
      requiredFields: 'stated-only',
    };
    for (const omittedUpdateFields of ['keep', 'clear'] as const) {
      await second.calibrated({ ...anything, omittedUpdateFields });
      const { serviceCouponCodeId, serviceDigitalProductId: _product, ...terms } = coupon ?? {};
      expect(second.record('coupons', String(serviceCouponCodeId))).toMatchObject(terms);
      const { labId, ...rest } = lab ?? {};
      expect(second.record('labs', String(labId))).toMatchObject(rest);
    }
  });

  it('say that a record has to be put back by hand, where that fails', async () => {
    let coupons = 0;
    const failing = second.calibrated(
      { couponTypes: 'any' },
      {
        change: (sent, reply) => {
          if (sent.url.endsWith('/update-digital-product-coupon')) coupons += 1;
          return coupons >= 3 ? new Response('', { status: 502 }) : reply;
        },
      },
    );
    await expect(failing).rejects.toThrow(
      'The coupon of --known could not be restored after a coupon of the type lp-sandbox-calibrate: HTTP 502, no body. Restore it manually.',
    );
  });
});

describe('what cannot be told', () => {
  it.each<readonly [AssumptionName, PartialOptions, RegExp]>([
    ['batchProcessing', { maxBatchSize: '1' }, /not visible if maxBatchSize is 1$/],
    [
      'refusedCallsCount',
      {},
      /not visible if rateLimitWindow is fixed-from-first and rateLimitUnit is request$/,
    ],
    [
      'presetPageSize',
      { requiredFields: 'all' },
      /not visible if requiredFields is all and limitBelowOne is element-error$/,
    ],
    ['omittedFolderPath', { folderMatching: 'recursive' }, /not visible if folderMatching is recursive$/],
    ['omittedUpdateFields', {}, /no operation reads coupons or labs back$/],
  ])('says what is in the way of %s under %j', async (name, chosen, why) => {
    expect(verdictOn(name, await second.calibrated(chosen))).toMatchObject({
      option: null,
      why: expect.stringMatching(why),
    });
  });

  it('is no different under each option that is left', async () => {
    const chosen: PartialOptions = { maxBatchSize: '1', operationFailureStatus: 'by-kind' };
    const shown = async (more: PartialOptions) => {
      const { verdicts } = await second.calibrated({ ...chosen, ...more });
      return verdicts.map(({ name, option, left }) => ({ name, option, left }));
    };
    const first = await shown({});
    expect(first).toContainEqual({
      name: 'unknownId',
      option: null,
      left: expect.arrayContaining(['element-error', 'http-404']),
    });
    expect(await shown({ unknownId: 'http-404' })).toEqual(first);
    expect(await shown({ batchProcessing: 'all-or-nothing' })).toEqual(first);
  });

  it('says what is to be given', async () => {
    const { own } = second.keys;
    const done = await second.calibrated({}, { known: {}, keys: { own, second: null, other: null } });
    const whys = (['couponTypes', 'labTestCaseShape', 'unknownUser', 'rateLimitScope'] as const).map(
      (name) => verdictOn(name, done).why,
    );
    expect(whys).toEqual([
      'coupon-updates: add all fields of a coupon to --known, so that it can be restored',
      'lab-updates: add all fields of a lab to --known, so that it can be restored',
      'submissions: add courseItemId (of the course item of a quiz) to --known',
      "rate-limit: give --second-key (another key of the school) and --other-key (another school's key)",
    ]);
  });
});
