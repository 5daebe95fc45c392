import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  pre,
  record,
  sample,
  shuffledSubarray,
  string,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PartialOptions } from '../../src/assumptions.ts';
import type { OperationName } from '../../src/contract/operation-types.ts';
import type { Records } from '../../src/contract/generated/facts.ts';
import type { SandboxHandle } from '../../src/index.ts';
import type { Recording } from '../../src/upstream/seed-recorder/recording.ts';
import { readSeed } from '../../src/store/read-seed.ts';
import { schools } from '../support/demo.ts';
import { callSeen, frozenSandbox, recordingWith, replay, type Output } from './passing.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

const now = '2026-11-20T10:07:00.000Z';
const seed = await readSeed('demo');

interface Call {
  readonly school: 'riverside' | 'hillcrest';
  readonly operation: OperationName;
  readonly parameters: object;
}

function idsOf(collection: keyof Records): readonly string[] {
  return [...seed.collections[collection].byId.keys()];
}

const everyReading: readonly Call[] = (['riverside', 'hillcrest'] as const).flatMap((school) => {
  const call = (operation: OperationName, parameters: object): Call => ({ school, operation, parameters });
  return [
    call('get-all-live-events', {}),
    call('get-all-instructors', {}),
    ...idsOf('quizzes').map((quizId) => call('get-quiz-details', { quizId })),
    ...idsOf('courseItems').map((courseItemId) => call('get-course-item-data', { courseItemId })),
    ...idsOf('products').map((id) =>
      call('list-assignments', { courseIdentifier: { type: 'product-id', digitalProductId: id } }),
    ),
    ...idsOf('liveEventSessions').flatMap((liveEventSessionId) => [
      call('get-signed-url-data-for-live-event-session-playback', { liveEventSessionId }),
      call('get-live-event-session-processed-mp4', { liveEventSessionId }),
    ]),
  ];
});

const libraries: readonly Call[] = (['riverside', 'hillcrest'] as const).flatMap((school) => {
  const folders = [...seed.collections.videos.byId.values()]
    .filter(({ schoolId }) => schoolId === schools[school])
    .map((one) => one.folderPath);
  return [
    ...[0, 1, 2, 3, 4, 5].map((pageNumber) => ({
      school,
      operation: 'get-video-library' as const,
      parameters: { pageNumber },
    })),
    ...[...new Set(folders)].map((folderPath) => ({
      school,
      operation: 'get-video-library' as const,
      parameters: { folderPath },
    })),
    ...[0, 1, 2, 3, 4].map((pageNumber) => ({
      school,
      operation: 'get-instructor-permission-presets' as const,
      parameters: { pageNumber, limit: 3.5 },
    })),
  ];
});

const addresses = [
  'mira.okafor@riverside-academy.example',
  'KENJI@morisawa-workshop.example',
  'new.one@school.org',
  'other@gmail.com',
];

/** Calls that write, most of which succeed. */
const writing: Arbitrary<Call> = oneof(
  constantFrom(...seed.collections.coupons.byId.values()).chain(({ id, productId }) =>
    record(
      {
        description: string(),
        numberOfRedemptionsAllowed: nat(),
        couponTypeData: constant({ type: 'percent-off', percentOff: 5 }),
      },
      { requiredKeys: [] },
    ).map((fields) => ({
      school: 'riverside' as const,
      operation: 'update-digital-product-coupon' as const,
      parameters: { serviceCouponCodeId: id, serviceDigitalProductId: productId, ...fields },
    })),
  ),
  record({ labId: constantFrom(...idsOf('labs')), labTitle: string(), testCases: array(jsonValue()) }).map(
    (parameters) => ({
      school: 'hillcrest' as const,
      operation: 'update-interactive-coding-lab' as const,
      parameters,
    }),
  ),
  record({ instructorEmail: constantFrom(...addresses), instructorName: string({ minLength: 1 }) }).map(
    (parameters) => ({
      school: 'riverside' as const,
      operation: 'create-instructor-account' as const,
      parameters,
    }),
  ),
  constantFrom(...seed.collections.submissions.byId.values()).map(({ userId, courseItemId, answers }) => ({
    school: 'riverside' as const,
    operation: 'submit-user-course-item' as const,
    parameters: {
      userId,
      courseItemId,
      details: {
        courseItemType: 'Quiz',
        questionsToUpsert: answers.map((answer) => ({
          questionUniqueId: answer.questionUniqueId,
          newSelectedOptionIds: answer.selectedOptionIds,
        })),
      },
      shouldMarkAsCompleted: true,
    },
  })),
);

function shuffled(calls: readonly Call[], least: number): Arbitrary<Call[]> {
  return shuffledSubarray([...calls], { minLength: least });
}

interface Made extends Call {
  readonly output: Output;
}

/** Makes calls one after the other. `order` gets the schools in the order in which they first succeed. */
async function make(
  calls: readonly Call[],
  sandbox: SandboxHandle,
  recording: Recording,
  order: string[],
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const call of calls) {
    const output = await callSeen(sandbox, call.school, call.operation, call.parameters, recording);
    if (output.status === 'ok' && !order.includes(call.school)) order.push(call.school);
    made.push({ ...call, output });
  }
  return made;
}

/**
 * What recording leaves out goes, what stands for this server is the same for all, and folders have no order
 * of their own.
 */
function comparable(result: unknown, origin: string): unknown {
  const text = JSON.stringify(result).replaceAll(`${origin}/assets/`, '/assets/');
  const {
    playbackSources,
    downloadUrl: _,
    absoluteFolderPaths,
    ...rest
  } = JSON.parse(text) as Record<string, unknown>;
  if (Array.isArray(playbackSources)) return playbackSources.length;
  return Array.isArray(absoluteFolderPaths)
    ? { ...rest, absoluteFolderPaths: absoluteFolderPaths.map(String).toSorted() }
    : rest;
}

/** Holds the recorded sandbox to answering what the real one answered, masked. */
async function expectSame(
  readings: readonly Made[],
  recording: Recording,
  recorded: SandboxHandle,
  order: readonly string[],
): Promise<void> {
  for (const { school, operation, parameters, output } of readings) {
    if (output.status !== 'ok') continue;
    const asked = withoutPause(recording.mask(operation, 'parameters', parameters));
    const answer = await callSeen(recorded, `school-${order.indexOf(school) + 1}`, operation, asked, null);
    const [got, wanted] = [
      answer,
      { status: 'ok', data: withoutPause(recording.mask(operation, 'result', output.data)) },
    ].map((one) => (one.status === 'ok' && 'data' in one ? comparable(one.data, recorded.baseUrl) : one));
    expect([operation, parameters, got]).toEqual([operation, parameters, wanted]);
  }
}

describe('a recorded seed', () => {
  it('answers the calls that were recorded as the service did, masked', async () => {
    let compared = 0;
    const property = asyncProperty(
      array(writing, { maxLength: 12 }),
      shuffled(everyReading, 1),
      async (writes, reads) => {
        const upstream = await frozenSandbox(now);
        const recording = recordingWith();
        const order: string[] = [];
        await make([...reads.slice(0, 5), ...writes], upstream, recording, order);
        const readings = await make(reads, upstream, recording, order);
        pre(order.length > 0);
        await expectSame(readings, recording, await replay(recording, now), order);
        compared += readings.filter(({ output }) => output.status === 'ok').length;
      },
    );
    await assert(property, { numRuns: 2, seed: 20_261_120 });
    expect(compared).toBeGreaterThan(20);
  });

  it.each<PartialOptions>([
    {},
    {
      openValues: 'plausible',
      firstPageNumber: '0',
      folderMatching: 'recursive',
      folderListing: 'all-folders',
      videoPageSize: '10',
    },
  ])('has the pages of a library that was walked through, in whichever order: %j', async (assumptions) => {
    const property = asyncProperty(shuffled(libraries, libraries.length), async (calls) => {
      const upstream = await frozenSandbox(now, 'demo', assumptions);
      const recording = recordingWith();
      const order: string[] = [];
      const readings = await make(calls, upstream, recording, order);
      await expectSame(readings, recording, await replay(recording, now, assumptions), order);
    });
    await assert(property, { numRuns: 1 });
  });

  it('takes the writing calls again that were recorded', async () => {
    const upstream = await frozenSandbox(now);
    const recording = recordingWith();
    const order: string[] = [];
    const [calls = []] = sample(array(writing, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 4 });
    const made = await make(calls, upstream, recording, order);
    const recorded = await replay(recording, now);
    const again: string[] = [];
    for (const { school, operation, parameters, output } of made) {
      if (output.status !== 'ok') continue;
      const asked = withoutPause(recording.mask(operation, 'parameters', parameters));
      const answer = await callSeen(recorded, `school-${order.indexOf(school) + 1}`, operation, asked, null);
      expect([operation, parameters, answer]).toEqual([
        operation,
        parameters,
        expect.objectContaining({ status: 'ok' }),
      ]);
      again.push(operation);
    }
    expect(new Set(again)).toEqual(new Set(made.map(({ operation }) => operation)));
  });
});
