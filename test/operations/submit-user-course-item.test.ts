import { describe, expect, it } from 'vitest';
import { completed, hillcrestLearner, items, learner, quiz, schools } from '../support/demo.ts';
import { failureOf, outputsOf, resultOf, world, type World } from '../support/world.ts';
import { expectUnknown, missingId } from './unknown-record.ts';

const operation = 'submit-user-course-item';
const now = '2026-10-15T09:00:00.000Z';
const later = '2026-10-15T10:00:00.000Z';
const clock = { mode: 'frozen', now } as const;
const { single, multi } = quiz;
const newcomer = { id: 'a-learner-of-tomorrow', email: 'nils.aalto@students.riverside-academy.example' };

/** The parameters of a submission: answers as a list of question and selected options. */
function submission(
  answers: readonly (readonly [question: string, options: readonly string[]])[],
  more: object = {},
): object {
  const questionsToUpsert = answers.map(([questionUniqueId, newSelectedOptionIds]) => ({
    questionUniqueId,
    newSelectedOptionIds,
  }));
  const details = { courseItemType: 'Quiz', questionsToUpsert };
  return { courseItemId: quiz.itemId, userId: learner.id, userEmail: learner.email, details, ...more };
}

/** The same answers as the state keeps them. */
function kept(
  answers: readonly (readonly [question: string, options: readonly string[]])[],
): readonly object[] {
  return answers.map(([questionUniqueId, selectedOptionIds]) => ({ questionUniqueId, selectedOptionIds }));
}

/** All submissions of a user to a course item. */
async function submissionsOf(
  { sandbox }: World,
  userId: string = learner.id,
  courseItemId: string = quiz.itemId,
) {
  return (await sandbox.state.list('submissions')).filter(
    (one) => one.userId === userId && one.courseItemId === courseItemId,
  );
}

/** All submissions and users: what the operation can change. */
async function everything({ sandbox }: World): Promise<object> {
  return { submissions: await sandbox.state.list('submissions'), users: await sandbox.state.list('users') };
}

const right = [single.id, [single.correct]] as const;
const wrong = [single.id, [single.options[0] ?? '']] as const;
const several = [multi.id, multi.options] as const;

describe('the answers of a submission', () => {
  it('are stored for the user and the course item, and the operation answers with an empty object', async () => {
    const place = await world({ clock });
    const before = await place.sandbox.state.list('submissions');
    expect(resultOf(await place.call(operation, submission([right, several])))).toEqual({});
    const [stored] = await submissionsOf(place);
    expect(stored).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      schoolId: schools.riverside,
      userId: learner.id,
      courseItemId: quiz.itemId,
      courseItemType: 'Quiz',
      answers: kept([right, several]),
      isCompleted: false,
      createdAt: now,
      updatedAt: now,
    });
    expect(await place.sandbox.state.list('submissions')).toEqual([...before, stored]);
  });

  it('are upserted: those to the same question are replaced, the others stay', async () => {
    const place = await world({ clock });
    resultOf(await place.call(operation, submission([wrong, several])));
    const [first] = await submissionsOf(place);
    await place.sandbox.clock.advance({ seconds: 3600 });
    resultOf(await place.call(operation, submission([right])));
    const after = { ...first, answers: kept([right, several]), createdAt: now, updatedAt: later };
    expect(await submissionsOf(place)).toEqual([after]);
  });

  it('are added question by question to those before', async () => {
    const place = await world();
    resultOf(await place.call(operation, submission([right])));
    resultOf(await place.call(operation, submission([several])));
    expect(await submissionsOf(place)).toMatchObject([{ answers: kept([right, several]) }]);
  });

  it('can be taken back with an empty selection', async () => {
    const place = await world();
    resultOf(await place.call(operation, submission([right, several])));
    resultOf(await place.call(operation, submission([[multi.id, []]])));
    expect(await submissionsOf(place)).toMatchObject([{ answers: kept([right, [multi.id, []]]) }]);
  });

  it('count as the last one says where a question comes twice', async () => {
    const place = await world();
    resultOf(await place.call(operation, submission([wrong, right])));
    expect(await submissionsOf(place)).toMatchObject([{ answers: kept([right]) }]);
  });

  it("leave other users' and other course items' answers alone", { tags: ['slow'] }, async () => {
    const place = await world();
    const before = await place.sandbox.state.list('submissions');
    resultOf(await place.call(operation, submission([right])));
    resultOf(
      await place.call(operation, submission([wrong], { userId: newcomer.id, userEmail: newcomer.email })),
    );
    resultOf(await place.call(operation, submission([], { courseItemId: items.article })));
    expect(await submissionsOf(place)).toMatchObject([{ answers: kept([right]) }]);
    expect(await submissionsOf(place, newcomer.id)).toMatchObject([{ answers: kept([wrong]) }]);
    expect(await submissionsOf(place, learner.id, items.article)).toMatchObject([{ answers: [] }]);
    expect(await place.sandbox.state.list('submissions')).toEqual(expect.arrayContaining([...before]));
  });
});

describe('the completion of a course item', () => {
  it('is recorded when a submission marks it, and kept when a later one does not', async () => {
    const place = await world();
    resultOf(await place.call(operation, submission([right])));
    expect(await submissionsOf(place)).toMatchObject([{ isCompleted: false }]);
    resultOf(await place.call(operation, submission([], { shouldMarkAsCompleted: true })));
    expect(await submissionsOf(place)).toMatchObject([{ isCompleted: true, answers: kept([right]) }]);
    resultOf(await place.call(operation, submission([several], { shouldMarkAsCompleted: false })));
    resultOf(await place.call(operation, submission([wrong])));
    expect(await submissionsOf(place)).toMatchObject([
      { isCompleted: true, answers: kept([wrong, several]) },
    ]);
  });

  it('of the seed is kept, and its record taken over, by a new submission', async () => {
    const place = await world({ clock });
    const before = await place.sandbox.state.get('submissions', completed.id);
    resultOf(await place.call(operation, { userId: completed.userId, courseItemId: completed.itemId }));
    expect(await submissionsOf(place, completed.userId, completed.itemId)).toEqual([
      { ...before, updatedAt: now },
    ]);
    expect(before).toHaveProperty('isCompleted', true);
  });

  it('can be recorded of an item without a quiz', async () => {
    const place = await world();
    resultOf(
      await place.call(operation, {
        courseItemId: items.article,
        userId: learner.id,
        shouldMarkAsCompleted: true,
      }),
    );
    expect(await submissionsOf(place, learner.id, items.article)).toMatchObject([
      { answers: [], isCompleted: true },
    ]);
  });
});

describe('the user of a submission', () => {
  it('is made from userId and userEmail where the school knows none', async () => {
    const place = await world();
    const before = await place.sandbox.state.list('users');
    resultOf(
      await place.call(operation, submission([right], { userId: newcomer.id, userEmail: newcomer.email })),
    );
    expect(await place.sandbox.state.list('users')).toEqual([
      ...before,
      { ...newcomer, schoolIds: [schools.riverside] },
    ]);
  });

  it('is made without an address where none is sent', async () => {
    const { call, sandbox } = await world();
    resultOf(await call(operation, { courseItemId: quiz.itemId, userId: newcomer.id }));
    expect(await sandbox.state.get('users', newcomer.id)).toEqual({
      id: newcomer.id,
      schoolIds: [schools.riverside],
    });
  });

  it('is made once, however often it submits', async () => {
    const place = await world();
    const before = await place.sandbox.state.list('users');
    const parameters = submission([right], { userId: newcomer.id, userEmail: newcomer.email });
    for (let time = 0; time < 3; time += 1) resultOf(await place.call(operation, parameters));
    expect(await place.sandbox.state.list('users')).toHaveLength(before.length + 1);
    expect(await submissionsOf(place, newcomer.id)).toHaveLength(1);
  });

  it('keeps the address that the school knows', async () => {
    const { call, sandbox } = await world();
    const before = await sandbox.state.list('users');
    resultOf(
      await call(operation, submission([right], { userEmail: 'another@students.riverside-academy.example' })),
    );
    expect(await sandbox.state.list('users')).toEqual(before);
  });

  it("joins the caller's school where only another one knows it, with the address known there", async () => {
    const { call, sandbox } = await world();
    resultOf(
      await call(operation, submission([right], { userId: hillcrestLearner.id, userEmail: newcomer.email })),
    );
    const schoolIds = [schools.hillcrest, schools.riverside];
    expect(await sandbox.state.get('users', hillcrestLearner.id)).toEqual({
      ...hillcrestLearner,
      name: 'Isla MacRae',
      schoolIds,
    });
  });
});

describe('a submission that does not fit', () => {
  const foreignOption = '5a87bf9202d1667d07b8c531';
  const foreignQuestion = '6f5b03a6701e96699a3fe6a2';

  it.each([
    [
      'a question of no quiz',
      [right, [missingId, []]],
      `/data/0/data/details/questionsToUpsert/1/questionUniqueId: The course item's quiz has no question "${missingId}".`,
    ],
    [
      "another quiz's question",
      [right, [foreignQuestion, [foreignOption]]],
      `/data/0/data/details/questionsToUpsert/1/questionUniqueId: The course item's quiz has no question "${foreignQuestion}". It is the identifier of a question of the quiz "057ea992fc0a75d4ed8b54da"; the course item that belongs to it is "03dea7117bfddc18cabc002f".`,
    ],
    [
      "another question's option",
      [right, [multi.id, [single.correct]]],
      `/data/0/data/details/questionsToUpsert/1/newSelectedOptionIds/0: The question "${multi.id}" has no option "${single.correct}". It is an option of the question "${single.id}".`,
    ],
    [
      'one option of several',
      [[multi.id, [...multi.options, 'none']]],
      `/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds/2: The question "${multi.id}" has no option "none". It looks like the text of an empty variable.`,
    ],
    [
      'several options of a question with one correct one',
      [several, [single.id, single.options]],
      `/data/0/data/details/questionsToUpsert/1/newSelectedOptionIds: The question "${single.id}" has one correct option, but 2 are selected.`,
    ],
  ] as const)('by %s stores nothing: no answer, no completion, no user', async (_, answers, message) => {
    const place = await world();
    resultOf(await place.call(operation, submission([wrong])));
    const before = await everything(place);
    for (const user of [learner, newcomer]) {
      const more = { userId: user.id, userEmail: user.email, shouldMarkAsCompleted: true };
      expect(failureOf(await place.call(operation, submission(answers, more)))).toBe(message);
    }
    expect(await everything(place)).toEqual(before);
  });

  it.each([
    [
      submission([right], { courseItemId: items.article }),
      `/data/0/data/details/questionsToUpsert/0/questionUniqueId: The course item has no quiz, so it has no question "${single.id}". It is the identifier of a question of the quiz "${quiz.id}"; the course item that belongs to it is "${quiz.itemId}".`,
    ],
    [
      submission([right], { details: { courseItemType: 'Article' } }),
      '/data/0/data/details/courseItemType must be "Quiz", but is "Article".',
    ],
    [submission([], { userEmail: 'nobody' }), '/data/0/data/userEmail must be an e-mail address'],
    [submission([], { userId: undefined }), '/data/0/data/userId is required, but missing.'],
    [submission([], { courseItemId: undefined }), '/data/0/data/courseItemId is required, but missing.'],
    [
      submission([], { shouldMarkAsCompleted: 'yes' }),
      '/data/0/data/shouldMarkAsCompleted must be a boolean',
    ],
    [
      submission([], { details: { questionsToUpsert: {} } }),
      '/data/0/data/details/questionsToUpsert must be an array',
    ],
    [
      submission([], { details: { questionsToUpsert: [{ newSelectedOptionIds: [] }] } }),
      '/data/0/data/details/questionsToUpsert/0/questionUniqueId is required, but missing.',
    ],
    [
      submission([], {
        details: { questionsToUpsert: [{ questionUniqueId: '1', newSelectedOptionIds: [7] }] },
      }),
      '/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds/0 must be a string, but is the number 7.',
    ],
  ])('as %j is refused and stores nothing', async (parameters, message) => {
    const place = await world();
    const before = await everything(place);
    expect(failureOf(await place.call(operation, parameters))).toContain(message);
    expect(await everything(place)).toEqual(before);
  });

  it("cannot tell another school's course item from one that does not exist, and stores nothing", async () => {
    const place = await world();
    const before = await everything(place);
    await expectUnknown(place, items.hillcrest, {
      operation,
      parameters: (courseItemId) => submission([right], { courseItemId, userId: newcomer.id }),
      what: 'course item',
    });
    expect(await everything(place)).toEqual(before);
  });

  it('does not keep the others of its batch from being stored, in order', async () => {
    const place = await world();
    const outputs = outputsOf(
      await place.batch(operation, [
        submission([wrong], { shouldMarkAsCompleted: true }),
        submission([right], { courseItemId: missingId }),
        submission([[single.id, ['none']], several]),
        submission([right]),
      ]),
    );
    expect(outputs).toEqual([
      { status: 'ok', data: {} },
      {
        status: 'error',
        errorMessage: `/data/1/data/courseItemId: The school has no course item with the identifier "${missingId}".`,
      },
      {
        status: 'error',
        errorMessage: `/data/2/data/details/questionsToUpsert/0/newSelectedOptionIds/0: The question "${single.id}" has no option "none". It looks like the text of an empty variable.`,
      },
      { status: 'ok', data: {} },
    ]);
    expect(await submissionsOf(place)).toMatchObject([{ answers: kept([right]), isCompleted: true }]);
  });
});
