import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract/operation-types.ts';
import type { Recording, Recorded } from '../../src/upstream/seed-recorder/recording.ts';
import { reportText } from '../../src/upstream/seed-recorder/report.ts';
import { derivedId } from '../../src/sandbox/random.ts';
import { recordingWith } from './passing.ts';
import { withoutPause } from '../../src/base/sliced-work.ts';

/** A recording that is told of successes, one element each. */
class Told {
  readonly recording: Recording = recordingWith();

  tell(operation: OperationName, parameters: object, result: object = {}, key = 'one'): this {
    const requestBody = JSON.stringify({ data: [{ data: parameters }] });
    const responseBody = JSON.stringify([{ output: { status: 'ok', data: result } }]);
    withoutPause(this.recording.observe({ operation, requestBody, responseBody, status: 200, key }));
    return this;
  }

  instructors(ids: readonly string[], key?: string): this {
    const instructors = ids.map((id) => ({ serviceInstructorId: id, email: `${id}@school.org`, name: id }));
    return this.tell('get-all-instructors', {}, { instructors }, key);
  }

  /** An id as it is recorded. */
  id(id: string): string {
    return (
      withoutPause(this.recording.mask('get-quiz-details', 'parameters', { quizId: id })) as {
        quizId: string;
      }
    ).quizId;
  }

  finish(): Recorded {
    return this.recording.finish();
  }
}

function event(liveEventId: string, ...sessions: string[]): object {
  return {
    liveEventId,
    sessions: sessions.map((liveEventSessionId) => ({ liveEventSessionId })),
  };
}

function course(...ids: string[]): object {
  return {
    productId: 'p',
    productTitle: 't',
    assignments: ids.map((assignmentId) => ({ assignmentId })),
  };
}

function submit(question: string, options: string[], shouldMarkAsCompleted: boolean): object {
  return {
    courseItemId: 'i',
    userId: 'u',
    userEmail: 'u@school.org',
    details: {
      courseItemType: 'Quiz',
      questionsToUpsert: [{ questionUniqueId: question, newSelectedOptionIds: options }],
    },
    shouldMarkAsCompleted,
  };
}

function quizWith(questionId: string): object {
  return {
    createdAtIso: '2026-01-01T00:00:00Z',
    quizTitle: 'A',
    questions: [{ questionId }],
  };
}

function preset(name: string): object {
  return {
    requiresResourceIds: false,
    permissionSets: [{ permissions: [name], resourceIdType: 'All' }],
  };
}

describe('what is inferred', () => {
  it('is the newest that was seen, field by field', () => {
    const told = new Told();
    told.tell('update-digital-product-coupon', {
      serviceCouponCodeId: 'c',
      serviceDigitalProductId: 'p',
      numberOfRedemptionsAllowed: 1,
      shouldApplyAutomatically: true,
    });
    told.tell('update-digital-product-coupon', {
      serviceCouponCodeId: 'c',
      serviceDigitalProductId: 'p',
      numberOfRedemptionsAllowed: 2,
    });
    expect(told.finish().collections.coupons).toEqual([
      expect.objectContaining({
        id: told.id('c'),
        productId: told.id('p'),
        numberOfRedemptionsAllowed: 2,
        shouldApplyAutomatically: true,
      }),
    ]);
  });

  it('forgets what a later whole list does not show', () => {
    const told = new Told()
      .instructors(['x', 'y', 'z'], 'one')
      .instructors(['x'], 'two')
      .instructors(['z', 'y'], 'one');
    const { instructors, schools } = told.finish().collections;
    const [one, two] = schools;
    expect(instructors.map(({ id, schoolIds }) => [id, schoolIds])).toEqual([
      [told.id('x'), [two?.id]],
      [told.id('z'), [one?.id]],
      [told.id('y'), [one?.id]],
    ]);
    const events = new Told().tell(
      'get-all-live-events',
      {},
      { liveEvents: [event('a', '1', '2'), event('b', '3')] },
    );
    events.tell('get-all-live-events', {}, { liveEvents: [event('a', '2')] });
    const { collections } = events.finish();
    expect(
      [collections.liveEvents, collections.liveEventSessions].map((list) => list.map(({ id }) => id)),
    ).toEqual([[events.id('a')], [events.id('2')]]);
    const courses = new Told()
      .tell('list-assignments', {}, course('1', '2'))
      .tell('list-assignments', {}, course('2'));
    expect(courses.finish().collections.assignments.map(({ id }) => id)).toEqual([courses.id('2')]);
  });

  it('is two schools for two keys, and one where both showed what only one school can have', () => {
    const quiz = { createdAtIso: '2026-01-01T00:00:00Z', quizTitle: 'A', questions: [] };
    const apart = new Told()
      .tell('get-quiz-details', { quizId: '1' }, quiz, 'one')
      .tell('get-quiz-details', { quizId: '2' }, quiz, 'two');
    expect(apart.finish().collections.schools.map(({ slug }) => slug)).toEqual(['school-1', 'school-2']);
    const shared = new Told().instructors(['x'], 'one').instructors(['x'], 'two');
    expect(shared.finish().collections.schools).toHaveLength(2);
    const same = new Told()
      .tell('get-quiz-details', { quizId: '1' }, quiz, 'one')
      .instructors(['x'], 'two')
      .tell('get-quiz-details', { quizId: '1' }, quiz, 'two');
    const { collections, report } = same.finish();
    expect(collections.schools).toHaveLength(1);
    expect(report.keys).toBe(2);
    expect(collections.instructors[0]?.schoolIds).toEqual([collections.schools[0]?.id]);
  });

  it('puts answers to the same questions together, under the id that the sandbox gives them', () => {
    const told = new Told();
    told
      .tell('submit-user-course-item', submit('q1', ['a'], true))
      .tell('submit-user-course-item', submit('q2', ['b', 'c'], false));
    told.tell('submit-user-course-item', submit('q1', ['d'], false));
    const { submissions, schools, courseItems, quizzes } = told.finish().collections;
    const answer = (question: string, ...options: string[]) => ({
      questionUniqueId: told.id(question),
      selectedOptionIds: options.map((id) => told.id(id)),
    });
    expect(submissions).toEqual([
      expect.objectContaining({
        id: derivedId(schools[0]?.id ?? '', told.id('u'), told.id('i')),
        answers: [answer('q1', 'd'), answer('q2', 'b', 'c')],
        isCompleted: true,
      }),
    ]);
    expect(courseItems).toEqual([
      expect.objectContaining({ id: told.id('i'), type: 'Quiz', quizId: quizzes[0]?.id }),
    ]);
    expect(quizzes[0]?.questions.map(({ questionId, type }) => [questionId, type])).toEqual([
      [told.id('q1'), 'SingleCorrect'],
      [told.id('q2'), 'MultiCorrect'],
    ]);
  });

  it('takes each element of a batch by itself, and none where outputs and elements are not as many', () => {
    const recording = recordingWith();
    const requestBody = JSON.stringify({ data: ['1', '2', '3'].map((quizId) => ({ data: { quizId } })) });
    const ok = { output: { status: 'ok', data: { quizTitle: 'A' } } };
    const observe = (outputs: readonly object[]): void =>
      withoutPause(
        recording.observe({
          operation: 'get-quiz-details',
          requestBody,
          responseBody: JSON.stringify(outputs),
          status: 200,
          key: 'one',
        }),
      );
    observe([ok, ok]);
    expect(recording.isEmpty).toBe(true);
    observe([{ output: { status: 'error', errorMessage: 'No.' } }, ok, ok]);
    const { collections, report } = recording.finish();
    const masked = withoutPause(recording.mask('get-quiz-details', 'parameters', { quizId: '2' })) as {
      quizId: string;
    };
    expect(collections.quizzes).toHaveLength(2);
    expect(collections.quizzes[0]?.id).toBe(masked.quizId);
    expect(report.operations).toEqual([{ operation: 'get-quiz-details', calls: 2, told: 2, toldNothing: 4 }]);
  });

  it('knows the quiz of an item by the questions that were answered', () => {
    const told = new Told();
    told
      .tell('get-quiz-details', { quizId: 'other' }, quizWith('q0'))
      .tell('get-quiz-details', { quizId: 'quiz' }, quizWith('q1'));
    told.tell('submit-user-course-item', {
      courseItemId: 'i',
      userId: 'u',
      details: { questionsToUpsert: [{ questionUniqueId: 'q1' }] },
    });
    const { courseItems, quizzes } = told.finish().collections;
    expect(courseItems[0]?.quizId).toBe(told.id('quiz'));
    expect(quizzes).toHaveLength(2);
  });

  it('gives a session the sources that it played', () => {
    const told = new Told();
    const play = (liveEventSessionId: string, sources: number): unknown =>
      told.tell(
        'get-signed-url-data-for-live-event-session-playback',
        { liveEventSessionId },
        { playbackSources: Array.from({ length: sources }, () => ({})) },
      );
    const ended = ['0', '1', '2', '3'].map((id) => ({
      liveEventSessionId: id,
      endedAtIso: '2026-01-01T00:00:00Z',
    }));
    told.tell(
      'get-all-live-events',
      {},
      { liveEvents: [{ liveEventId: 'e', sessions: [...ended, { liveEventSessionId: 'running' }] }] },
    );
    for (const [id, sources] of [
      ['0', 0],
      ['1', 1],
      ['3', 3],
      ['running', 0],
    ] as const)
      play(id, sources);
    told.tell(
      'get-live-event-session-processed-mp4',
      { liveEventSessionId: 'elsewhere' },
      { downloadUrl: 'https://school.org/x.mp4' },
    );
    const { liveEventSessions, liveEvents } = told.finish().collections;
    const sources = new Map(liveEventSessions.map(({ id, recordedSources }) => [id, recordedSources.length]));
    expect(['0', '1', '2', '3', 'running', 'elsewhere'].map((id) => sources.get(told.id(id)))).toEqual([
      0, 1, 1, 2, 1, 1,
    ]);
    expect(liveEvents).toHaveLength(2);
  });

  it('takes the deepest folder that showed a video for its own', () => {
    const told = new Told();
    for (const folderPath of ['/A', '/A/B', '/', ''])
      told.tell('get-video-library', { folderPath }, { videoData: [{ videoId: 'v' }] });
    told.tell(
      'get-video-library',
      {},
      { videoData: [{ videoId: 'v' }, { videoId: 'w' }], totalResults: 5, absoluteFolderPaths: ['/A', '/C'] },
    );
    const { collections, report } = told.finish();
    expect(collections.videos.map(({ folderPath }) => folderPath.split('/').length)).toEqual([3, 2]);
    expect(report.unseen).toEqual([
      { what: 'videos', seen: 2, of: 5 },
      { what: 'folders', seen: 1, of: 2 },
    ]);
    expect(reportText(report)).toContain(
      'Only 2 of 5 videos were seen.\nOnly 1 of 2 folders showed a video.\n',
    );
  });

  it.each([
    [
      'numbered from 1',
      [
        [1, 'ab'],
        [2, 'cd'],
        [undefined, 'ab'],
        [3, ''],
      ],
      'abcd',
    ],
    [
      'numbered from 0',
      [
        [1, 'cd'],
        [0, 'ab'],
        [undefined, 'ab'],
      ],
      'abcd',
    ],
    [
      'the first of which is 0 and 1',
      [
        [0, 'ab'],
        [1, 'ab'],
        [2, 'c'],
      ],
      'abc',
    ],
    ['of which only the first was asked for', [[undefined, 'ab']], 'ab'],
  ] as const)('puts pages of presets together: %s', (_, pages, whole) => {
    const told = new Told();
    for (const [pageNumber, names] of pages)
      told.tell(
        'get-instructor-permission-presets',
        { pageNumber, limit: 2 },
        { presets: Array.from(names, preset) },
      );
    expect(
      told
        .finish()
        .collections.permissionPresets.map(({ permissionSets }) => permissionSets[0]?.permissions[0])
        .join(''),
    ).toBe(whole);
  });

  it('is told in the report: what was replaced, dropped and filled in', () => {
    const told = new Told().tell(
      'get-all-instructors',
      {},
      {
        instructors: [
          { serviceInstructorId: 'x', name: 'Anna', salary: 1, 'Anna 2': 2, email: 5, tagline: '' },
        ],
        total: 1,
      },
    );
    const { report } = told.finish();
    expect(report.fields).toEqual([
      {
        field: 'get-all-instructors result.instructors[].name',
        kind: 'name',
        kept: 0,
        replaced: 1,
        leftOut: 0,
      },
      {
        field: 'get-all-instructors result.instructors[].serviceInstructorId',
        kind: 'id',
        kept: 0,
        replaced: 1,
        leftOut: 0,
      },
      {
        field: 'get-all-instructors result.instructors[].tagline',
        kind: 'text',
        kept: 1,
        replaced: 0,
        leftOut: 0,
      },
    ]);
    expect(report.dropped.map(({ field }) => field)).toEqual([
      'get-all-instructors result.instructors[].(other names)',
      'get-all-instructors result.instructors[].email',
      'get-all-instructors result.total',
    ]);
    expect(report.filledIn).toEqual(
      ['createdAt', 'email', 'lastUpdatedAt', 'longDescriptionMarkdown', 'profilePhotoUrl', 'userId'].map(
        (field) => ({
          field: `instructors.${field}`,
          times: 1,
        }),
      ),
    );
    expect(report.records).toMatchObject({ schools: 1, instructors: 1, users: 1, videos: 0 });
    expect(reportText(report)).toContain('1 call with 1 key; 0 elements without data');
  });
});
