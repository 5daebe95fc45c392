import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/operation-types.ts';
import { documentedPlaces, shapeDifferences, shapeOf } from '../../src/upstream/compare/shape.ts';

function shapeOfAll(all: readonly object[]) {
  return shapeOf(all.map((data) => ({ output: { status: 'ok', data } })));
}

/** Returns where the results of several elements of an operation differ. */
function outputsDiffering(operation: OperationName, left: readonly object[], right: readonly object[]) {
  return shapeDifferences(shapeOfAll(left), shapeOfAll(right), documentedPlaces(operation)).map(
    (difference) => ({ ...difference, pointer: difference.pointer.replace('/output/data', '') }),
  );
}

function differingIn(operation: OperationName, left: object, right: object) {
  return outputsDiffering(operation, [left], [right]);
}

/** Returns where the instructors of two sides differ. */
function differing(left: readonly object[], right: readonly object[]) {
  return differingIn('get-all-instructors', { instructors: left }, { instructors: right });
}

const madeAt = (times: readonly unknown[]) => times.map((createdAt) => ({ createdAt }));
const sessionsDiffering = (left: readonly object[], right: readonly object[]) =>
  differingIn(
    'get-all-live-events',
    { liveEvents: [{ sessions: left }] },
    { liveEvents: [{ sessions: right }] },
  );
const introduced = (createdAt: string, tagline: string) => [{ createdAt, tagline }];

describe('a field that only some records of the service have', () => {
  it('is a difference if the contract does not know it', () => {
    expect(differing([{ id: '1', badges: ['gold'] }, { id: '2' }], [{ id: '3' }])).toEqual([
      { pointer: '/instructors/*/badges', left: 'list or absent', right: 'absent' },
    ]);
    expect(differing([{ id: '3' }], [{ id: '1', rating: null }, { id: '2' }])).toEqual([
      { pointer: '/instructors/*/rating', left: 'absent', right: 'null or absent' },
    ]);
  });

  it('is data if the contract knows it', () => {
    expect(differing([{ id: '1', tagline: 'Hello' }, { id: '2' }], [{ id: '3' }])).toEqual([]);
  });
});

describe('a field that the contract knows only elsewhere', () => {
  it.each<[OperationName, object, object, string]>([
    [
      'get-video-library',
      { videoData: [{ videoId: '1', description: 'About' }] },
      { videoData: [{ videoId: '2' }] },
      '/videoData/*/description',
    ],
    ['get-quiz-details', { description: 'A quiz' }, {}, '/description'],
    [
      'get-quiz-details',
      { questions: [{ options: [{ explanation: 'because' }] }] },
      { questions: [{ options: [{}] }] },
      '/questions/*/options/*/explanation',
    ],
    [
      'get-all-live-events',
      { liveEvents: [{ sessions: [{ title: 'x' }, {}] }] },
      { liveEvents: [{ sessions: [{}] }] },
      '/liveEvents/*/sessions/*/title',
    ],
    [
      'get-all-live-events',
      { liveEvents: [{ endedAtIso: '2026-01-01T00:00:00Z' }] },
      { liveEvents: [{}] },
      '/liveEvents/*/endedAtIso',
    ],
  ])('is a difference: %s, %j', (operation, left, right, pointer) => {
    expect(differingIn(operation, left, right)).toMatchObject([{ pointer }]);
    expect(differingIn(operation, right, left)).toMatchObject([{ pointer }]);
    expect(differingIn(operation, left, left)).toEqual([]);
  });
});

describe('a value that the contract forbids in a single record', () => {
  it.each<[OperationName, (value: unknown) => object, unknown, unknown]>([
    ['get-all-instructors', (email) => ({ instructors: [{ email }] }), 'a@school.example', 'not an address'],
    ['get-all-instructors', (email) => ({ instructors: [{ email }] }), 'a@school.example', ''],
    ['get-quiz-details', (questionId) => ({ questions: [{ questionId }] }), '1', ''],
    ['get-quiz-details', (optionId) => ({ questions: [{ options: [{ optionId }] }] }), '1', ''],
    ['get-video-library', (createdAt) => ({ videoData: [{ createdAt }] }), '2026-01-01T00:00:00Z', ''],
    [
      'get-instructor-permission-presets',
      (one) => ({ presets: [{ permissionSets: [{ permissions: ['a', one] }] }] }),
      'b',
      5,
    ],
  ])('is a difference: %s', (operation, dataWith, right, wrong) => {
    const [good, bad] = [dataWith(right), dataWith(wrong)];
    expect(outputsDiffering(operation, [good, bad], [good])).toHaveLength(1);
    expect(outputsDiffering(operation, [good], [bad, good])).toHaveLength(1);
    expect(outputsDiffering(operation, [bad, good], [good, bad])).toEqual([]);
  });
});

describe('a time of the contract', () => {
  const zoned = { scheduledStartAtIso: '2026-01-01T00:00:00Z' };
  const zoneless = { scheduledStartAtIso: '2026-01-01T00:00:00' };

  it('is a difference if a single record has it without a time zone', () => {
    expect(sessionsDiffering([zoned, zoneless], [zoned])).toHaveLength(1);
    expect(sessionsDiffering([zoned], [zoneless, zoned])).toHaveLength(1);
    expect(sessionsDiffering([zoned, zoneless], [zoneless, zoned])).toEqual([]);
  });
});

describe('a value of another type', () => {
  it.each([
    [[], {}, 'empty list', 'object'],
    ['', [1], 'empty text', 'list'],
    [[], 3, 'empty list', 'number'],
  ])('is a difference also if it is empty: %j in place of %j', (one, other, left, right) => {
    const at = [{ pointer: '', left, right }];
    expect(shapeDifferences(shapeOf([one]), shapeOf([other]))).toEqual(at);
    expect(shapeDifferences(shapeOf([other]), shapeOf([one]))).toEqual([
      { pointer: '', left: right, right: left },
    ]);
  });

  it('is none if the values of one side are empty', () => {
    expect(shapeDifferences(shapeOf([[]]), shapeOf([['a']]))).toEqual([]);
    expect(shapeDifferences(shapeOf(['']), shapeOf(['a']))).toEqual([]);
  });

  it.each([
    [['2026-01-01T00:00:00Z', 5], ['2026-01-01T00:00:00Z']],
    [
      ['2026-01-01T00:00:00Z', false],
      ['2026-01-01T00:00:00Z', null],
    ],
  ])('is a difference if the contract forbids it, whatever other records have: %j', (left, right) => {
    expect(differing(madeAt(left), madeAt(right))).toHaveLength(1);
    expect(differing(madeAt(right), madeAt(left))).toHaveLength(1);
    expect(differing(madeAt(left), madeAt(left))).toEqual([]);
  });

  it('is a difference if the other side has no value', () => {
    for (const endedAtIso of [0, {}, false])
      for (const other of [{ endedAtIso: null }, {}])
        expect(sessionsDiffering([{ endedAtIso }], [other])).toHaveLength(1);
    expect(sessionsDiffering([{ endedAtIso: '2026-01-01T00:00:00Z' }], [{}])).toEqual([]);
  });

  it('is one if it is the empty text in place of a time, but not of any other text', () => {
    expect(differing(introduced('', ''), introduced('2026-01-01T00:00:00Z', 'Hello'))).toMatchObject([
      { pointer: '/instructors/*/createdAt', left: 'empty text' },
    ]);
  });
});
