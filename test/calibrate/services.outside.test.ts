import { describe, expect, it } from 'vitest';
import { assumptionNames, assumptions, type AssumptionName } from '../../src/assumptions.ts';
import * as always200 from '../upstreams/always-200.ts';
import * as drops from '../upstreams/drops.ts';
import * as firstOnly from '../upstreams/first-only.ts';
import { oid } from '../upstreams/first-only/data.ts';
import * as gateway from '../upstreams/gateway.ts';
import { key } from '../upstreams/gateway/data.ts';
import * as jsonErrors from '../upstreams/json-errors.ts';
import { uuid } from '../upstreams/json-errors/data.ts';
import * as lockedDown from '../upstreams/locked-down.ts';
import { calibrated, knownFrom, type Came, type Service, type Wish } from './services.ts';

/**
 * The options of a service, read from its docstring and `personality`. Null if the service does what no option
 * says. What is left out is not stated there.
 */
type Truth = { readonly [N in AssumptionName]?: string | null };

interface Subject {
  readonly service: Service;
  readonly wish?: Wish;
  readonly truth: Truth;
  /** How many options must be determined at least. */
  readonly least: number;
}

const calm: Service = { ...drops, start: (options) => drops.start({ ...options, rates: drops.calm }) };

/** All services keep the schools apart, and let a web page in only if the truth says so. */
const subjects: Readonly<Record<string, Subject>> = {
  'json-errors': {
    service: jsonErrors,
    wish: { known: { ...knownFrom(jsonErrors), quizId: uuid('quiz', 0, 1) } },
    least: 40,
    truth: {
      missingKey: 'http-401',
      invalidKey: 'http-401',
      refusalBody: 'error-json',
      gatewayRefusalBody: 'as-refusals',
      wrongMethod: 'http-405',
      unknownPath: 'http-404',
      unmatchedBody: 'as-refusals',
      cors: 'none',
      operationFailureStatus: 'by-kind',
      // 409 and 422, but 400 for a missing field.
      ruleFailureStatus: null,
      operationFailureBody: 'as-refusals',
      failureMessages: 'descriptive',
      malformedBody: 'http-400',
      // Wrong types and values; a missing field has another status.
      invalidParameters: 'http-422',
      unknownId: 'http-404',
      // The call is refused, so there are no outputs.
      batchProcessing: null,
      emptyBatch: 'refuse',
      maxBatchSize: '25',
      maxPayload: null,
      unknownFields: 'refuse',
      nullFields: 'refuse',
      emailFormat: null,
      throttleReply: 'http-429',
      retryAfter: 'http-date',
      rateLimitHeaders: 'ratelimit',
      rateLimitWindow: 'fixed-from-first',
      rateLimitScope: 'school-and-operation',
      rateLimitUnit: 'request',
      refusedCallsCount: 'no',
      processedMp4RateLimit: '60',
      videoPageSize: '10',
      presetPageSize: '20',
      pageOutOfRange: 'empty-list',
      firstPageNumber: '1',
      fractionalLimit: 'floor',
      filterMatching: 'substring-ignoring-case',
      folderMatching: 'recursive',
      omittedFolderPath: 'root-folder',
      folderListing: null,
      filteredFolders: 'all',
      // By name.
      listOrder: null,
      responseFields: 'all',
      omittedUpdateFields: 'keep',
      couponTypes: null,
      percentOffRange: '0-to-100',
      redemptionsRange: 'zero-or-more',
      labTestCaseShape: 'any',
      courseIdentifierTypes: 'product-id-only',
      submittedItemTypes: 'quiz-only',
      unknownUser: 'element-error',
      emailOfKnownUser: 'element-error',
      answersOutsideQuiz: 'element-error',
      omittedSelection: 'element-error',
      emptySelection: 'no-option',
      resubmission: 'refuse-after-completion',
      emailMatching: 'ignore-case',
      emptyInstructorName: 'element-error',
      omittedInstructorName: 'element-error',
      existingInstructorName: 'keep',
      instructorTimestampFormat: 'iso-8601',
      openValues: 'plausible',
      unendedSessionEnd: 'null',
      unfinishedSession: 'element-error',
      signedUrlLifetime: '1h',
      signatureQueryForm: 'bare',
      playlistPathForm: 'slash',
    },
  },
  'always-200': {
    service: always200,
    least: 40,
    truth: {
      missingKey: 'output-error',
      invalidKey: 'output-error',
      wrongMethod: null,
      unknownPath: null,
      unmatchedBody: null,
      cors: 'none',
      operationFailureStatus: 'always-200',
      failureMessages: 'generic',
      malformedBody: 'output-error',
      invalidParameters: 'element-error',
      unknownId: 'element-error',
      batchProcessing: 'each-in-order',
      emptyBatch: 'empty-array',
      maxBatchSize: 'none',
      // 64 MiB.
      maxPayload: null,
      unknownFields: 'ignore',
      nullFields: 'as-omitted',
      dateTimeFormat: 'iso-8601',
      throttleReply: 'output-error',
      retryAfter: 'none',
      rateLimitHeaders: 'none',
      rateLimitWindow: 'fixed-aligned',
      rateLimitScope: 'key-and-operation',
      rateLimitUnit: 'request',
      processedMp4RateLimit: 'none',
      firstPageNumber: '0',
      videoPageSize: '20',
      // All presets.
      presetPageSize: null,
      // The last page.
      pageOutOfRange: null,
      fractionalLimit: 'round',
      // As without a limit.
      limitBelowOne: 'default-page-size',
      // All words, in any order.
      filterMatching: null,
      folderMatching: 'recursive',
      omittedFolderPath: 'whole-library',
      unknownFolder: 'empty-list',
      folderListing: 'all-folders',
      filteredFolders: 'all',
      listOrder: 'added',
      omittedUpdateFields: 'keep',
      couponTypes: 'any',
      percentOffRange: 'any',
      redemptionsRange: 'any',
      labTestCaseShape: 'any',
      courseIdentifierTypes: 'any-with-product-id',
      submittedItemTypes: 'any',
      unknownUser: 'create',
      answersOutsideQuiz: 'store',
      omittedSelection: 'no-option',
      emptySelection: 'no-option',
      repeatedOption: 'store',
      repeatedQuestion: 'last-answer',
      severalAnswersToSingleCorrect: 'store',
      resubmission: 'replace',
      withdrawnCompletion: 'ignore',
      emailMatching: 'exact',
      emptyInstructorName: 'store',
      omittedInstructorName: 'local-part',
      existingInstructorName: 'overwrite',
      instructorTimestampFormat: null,
      unendedSessionEnd: 'omitted',
      unfinishedSession: 'empty-sources',
      signedUrlLifetime: null,
      signatureQueryForm: 'question-mark',
      playlistPathForm: 'slash',
    },
  },
  gateway: {
    service: gateway,
    wish: { known: { ...knownFrom(gateway), quizId: key(21, 0, 3) } },
    least: 35,
    truth: {
      missingKey: 'http-403',
      invalidKey: 'http-403',
      refusalBody: 'problem-json',
      gatewayRefusalBody: 'message-json',
      wrongMethod: 'http-404',
      unknownPath: 'http-404',
      // A page.
      unmatchedBody: null,
      cors: 'any-origin',
      operationFailureStatus: 'by-kind',
      // 409 for a conflict, but 400 for a rule.
      ruleFailureStatus: null,
      operationFailureBody: 'as-refusals',
      failureMessages: 'generic',
      // A batch of too many elements, which is maxBatchSize, has another status.
      malformedBody: 'http-400',
      // 400 for one element, outputs for several.
      invalidParameters: null,
      unknownId: 'element-error',
      batchProcessing: 'each-in-order',
      emptyBatch: 'refuse',
      maxBatchSize: null,
      maxPayload: '1mb',
      requiredFields: 'all',
      unknownFields: 'ignore',
      nullFields: 'refuse',
      dateTimeFormat: 'rfc-3339',
      throttleReply: 'http-429',
      retryAfter: 'none',
      rateLimitHeaders: 'none',
      // A bucket.
      rateLimitWindow: null,
      rateLimitScope: 'key-and-operation',
      rateLimitUnit: 'request',
      refusedCallsCount: 'no',
      processedMp4RateLimit: '15',
      // Page 0 counts as 1.
      firstPageNumber: null,
      videoPageSize: null,
      presetPageSize: null,
      pageOutOfRange: null,
      fractionalLimit: 'floor',
      limitBelowOne: null,
      // Beginnings of words.
      filterMatching: null,
      folderMatching: 'exact',
      omittedFolderPath: null,
      folderListing: 'direct-subfolders',
      filteredFolders: 'all',
      // By e-mail address.
      listOrder: null,
      responseFields: 'all',
      couponTypes: 'percent-off-only',
      labTestCaseShape: 'any',
      courseIdentifierTypes: 'product-id-only',
      submittedItemTypes: 'any',
      unknownUser: 'element-error',
      emailOfKnownUser: 'element-error',
      answersOutsideQuiz: 'element-error',
      resubmission: 'replace',
      emailMatching: 'ignore-case',
      emptyInstructorName: 'element-error',
      omittedInstructorName: 'element-error',
      existingInstructorName: 'keep',
      instructorTimestampFormat: 'rfc-1123',
      openValues: 'plausible',
      // An empty text.
      unendedSessionEnd: null,
      unfinishedSession: 'element-error',
      signedUrlLifetime: null,
      signatureQueryForm: 'bare',
      playlistPathForm: 'slash',
    },
  },
  'first-only': {
    service: firstOnly,
    wish: { known: { ...knownFrom(firstOnly), quizId: oid(1, 0, 1) } },
    least: 40,
    truth: {
      missingKey: 'http-401',
      invalidKey: 'http-401',
      refusalBody: 'plain-text',
      gatewayRefusalBody: 'envelope',
      wrongMethod: 'http-404',
      unknownPath: 'http-404',
      unmatchedBody: 'as-refusals',
      cors: 'none',
      operationFailureStatus: 'always-200',
      failureMessages: 'generic',
      malformedBody: 'http-400',
      invalidParameters: 'element-error',
      unknownId: 'element-error',
      batchProcessing: 'first-only',
      emptyBatch: 'empty-array',
      maxBatchSize: 'none',
      maxPayload: '100kb',
      requiredFields: 'stated-only',
      // Stored, but no operation returns the record.
      unknownFields: 'ignore',
      nullFields: 'as-omitted',
      dateTimeFormat: 'iso-8601',
      emailFormat: 'international',
      throttleReply: 'http-429',
      retryAfter: 'none',
      rateLimitHeaders: 'none',
      rateLimitWindow: 'sliding',
      rateLimitScope: 'school-and-operation',
      rateLimitUnit: 'request',
      refusedCallsCount: 'no',
      // Five.
      processedMp4RateLimit: null,
      firstPageNumber: '0',
      videoPageSize: null,
      presetPageSize: '10',
      // Beyond the end, nothing; below 0, an error.
      pageOutOfRange: 'empty-list',
      // Both ends of the page are truncated.
      fractionalLimit: null,
      limitBelowOne: null,
      filterMatching: 'substring',
      folderMatching: 'exact',
      omittedFolderPath: 'whole-library',
      unknownFolder: 'empty-list',
      // Those of the videos on the page.
      folderListing: null,
      filteredFolders: 'with-matches',
      // The newest first by whole seconds.
      listOrder: null,
      responseFields: 'all',
      couponTypes: 'any',
      percentOffRange: 'any',
      redemptionsRange: 'any',
      labTestCaseShape: 'any',
      courseIdentifierTypes: 'product-id-only',
      submittedItemTypes: 'any',
      unknownUser: 'create',
      answersOutsideQuiz: 'store',
      omittedSelection: 'no-option',
      emptySelection: 'no-option',
      repeatedOption: 'store',
      severalAnswersToSingleCorrect: 'store',
      // Added, which no operation shows.
      resubmission: 'replace',
      emailMatching: 'ignore-case',
      emptyInstructorName: 'store',
      omittedInstructorName: 'empty',
      existingInstructorName: 'keep',
      instructorTimestampFormat: null,
      permissionShape: null,
      openValues: 'plausible',
      unendedSessionEnd: null,
      unfinishedSession: null,
      signatureQueryForm: 'bare',
      playlistPathForm: 'bare',
    },
  },
  'drops, on a good day,': {
    service: calm,
    least: 40,
    truth: {
      missingKey: 'http-401',
      invalidKey: 'http-401',
      refusalBody: 'template',
      gatewayRefusalBody: 'as-refusals',
      wrongMethod: 'http-404',
      unknownPath: 'http-404',
      unmatchedBody: 'as-refusals',
      cors: 'none',
      operationFailureStatus: 'always-200',
      failureMessages: 'descriptive',
      invalidParameters: 'element-error',
      unknownId: 'element-error',
      batchProcessing: 'each-in-order',
      emptyBatch: 'refuse',
      maxBatchSize: '100',
      // 5 MiB.
      maxPayload: null,
      unknownFields: 'ignore',
      throttleReply: 'http-429',
      retryAfter: 'seconds',
      rateLimitHeaders: 'none',
      rateLimitWindow: 'sliding',
      rateLimitScope: 'school-and-operation',
      rateLimitUnit: 'request',
      refusedCallsCount: 'yes',
      processedMp4RateLimit: '60',
      firstPageNumber: '1',
      videoPageSize: null,
      presetPageSize: '10',
      // Empty beyond the end, but an error below 1.
      pageOutOfRange: null,
      fractionalLimit: 'round',
      limitBelowOne: 'element-error',
      filterMatching: 'substring-ignoring-case',
      folderMatching: 'recursive',
      unknownFolder: 'empty-list',
      // Those of the videos found.
      folderListing: null,
      filteredFolders: 'with-matches',
      listOrder: 'added',
      omittedUpdateFields: 'keep',
      couponTypes: 'percent-off-only',
      courseIdentifierTypes: 'product-id-only',
      unknownUser: 'element-error',
      emailOfKnownUser: 'element-error',
      answersOutsideQuiz: 'element-error',
      omittedSelection: 'element-error',
      resubmission: 'refuse-after-completion',
      emailMatching: 'ignore-case',
      emptyInstructorName: 'element-error',
      omittedInstructorName: 'element-error',
      existingInstructorName: 'keep',
      instructorTimestampFormat: 'iso-8601',
      unendedSessionEnd: 'omitted',
      unfinishedSession: 'element-error',
      // Ten minutes.
      signedUrlLifetime: null,
      signatureQueryForm: 'bare',
      playlistPathForm: 'slash',
    },
  },
  'locked-down, with its header and authority,': {
    service: lockedDown,
    wish: { trusts: true, headers: ['X-Gateway-Key', lockedDown.gatewayKey] },
    least: 25,
    truth: {
      missingKey: 'http-401',
      invalidKey: 'http-401',
      refusalBody: 'template',
      gatewayRefusalBody: 'as-refusals',
      wrongMethod: 'http-405',
      unknownPath: 'http-404',
      unmatchedBody: 'as-refusals',
      cors: 'none',
      operationFailureStatus: 'always-200',
      failureMessages: 'generic',
      malformedBody: 'http-400',
      invalidParameters: 'element-error',
      unknownId: 'element-error',
      batchProcessing: 'each-in-order',
      emptyBatch: 'refuse',
      // Three.
      maxBatchSize: null,
      // 64 KiB.
      maxPayload: null,
      requiredFields: 'all',
      unknownFields: 'refuse',
      nullFields: 'refuse',
      throttleReply: 'http-429',
      retryAfter: 'seconds',
      rateLimitHeaders: 'none',
      rateLimitWindow: 'fixed-from-first',
      rateLimitScope: 'school-and-operation',
      rateLimitUnit: 'element',
      processedMp4RateLimit: null,
      firstPageNumber: '1',
      videoPageSize: null,
      presetPageSize: null,
      pageOutOfRange: 'element-error',
      fractionalLimit: 'floor',
      limitBelowOne: 'element-error',
      // The beginning, with case.
      filterMatching: null,
      folderMatching: 'exact',
      omittedFolderPath: 'root-folder',
      folderListing: 'all-folders',
      filteredFolders: 'all',
      listOrder: null,
      responseFields: 'all',
      courseIdentifierTypes: 'product-id-only',
      unendedSessionEnd: 'null',
      unfinishedSession: 'element-error',
      // Two minutes.
      signedUrlLifetime: null,
      signatureQueryForm: 'bare',
      playlistPathForm: 'slash',
    },
  },
};

/** The words that are ours, in which a part of a key may occur by chance. */
const ownWords = new RegExp(
  [...assumptionNames, ...assumptionNames.flatMap((name) => Object.keys(assumptions[name].options))]
    .toSorted((one, other) => other.length - one.length)
    .join('|'),
  'g',
);

/** Returns the parts of keys that are shown, of five characters each. */
function partsShown({ keys, shown }: Came): readonly string[] {
  const text = shown.map((one) => one.replaceAll(ownWords, '')).join('\n');
  const parts = keys.flatMap((one) =>
    Array.from({ length: one.length - 4 }, (_, at) => one.slice(at, at + 5)),
  );
  return parts.filter((part) => text.includes(part));
}

function wrongResults({ calibration }: Came, truth: Truth): readonly string[] {
  return (calibration?.verdicts ?? []).flatMap(({ name, option }) => {
    const right = truth[name];
    return option === null || right === undefined || option === right
      ? []
      : [`${name} ${option}, not ${right}`];
  });
}

describe.each(Object.entries(subjects))('calibrate, with the service %s', (_, subject) => {
  it('determines no wrong option, gives a reason for every other, and shows no part of a key', async () => {
    const came = await calibrated(subject.service, subject.wish);
    expect(came.stopped).toBeNull();
    expect(wrongResults(came, subject.truth)).toEqual([]);
    const verdicts = came.calibration?.verdicts ?? [];
    expect(verdicts.filter(({ option, why }) => option === null && why === '')).toEqual([]);
    expect(verdicts.filter(({ option }) => option !== null).length).toBeGreaterThanOrEqual(subject.least);
    expect(partsShown(came)).toEqual([]);
  }, 60_000);
});

describe('calibrate, where it cannot go on,', () => {
  it.each([1, 2, 3, 4, 5])(
    'stops with the reason, or is right, on a bad network (seed %i)',
    async (seed) => {
      const service: Service = {
        ...drops,
        start: (options) => drops.start({ ...options, seed, slowMs: 20 }),
      };
      const came = await calibrated(service, { patienceMs: 500 });
      expect(wrongResults(came, subjects['drops, on a good day,']?.truth ?? {})).toEqual([]);
      expect(partsShown(came)).toEqual([]);
      if (came.calibration === null)
        expect(came.stopped).toMatch(
          /gave no usable response: |did not respond within |is down: |fails: |no longer accepts calls: /,
        );
    },
    60_000,
  );

  it('stops before any call if the authority is unknown', async () => {
    const came = await calibrated(lockedDown);
    expect(came.stopped).toMatch(/certificate that is not trusted .* Set --ca/);
    expect([came.upstream.calls(), partsShown(came)]).toEqual([0, []]);
  });

  it('stops after two calls if a gateway wants a header', async () => {
    const came = await calibrated(lockedDown, { trusts: true });
    expect(came.stopped).toMatch(/refuses this key: HTTP 403, no body$/);
    expect([came.upstream.calls(), partsShown(came)]).toEqual([2, []]);
  });
});
