import { expect } from 'vitest';
import { completed, hillcrestLearner, items, learner, quiz, schools } from '../support/demo.ts';
import { failureOf, resultOf, type World } from '../support/world.ts';
import { testOptions, type OptionTest, type OptionTests } from './option-tests.ts';

interface Submission {
  readonly userId?: string;
  readonly userEmail?: string;
  readonly courseItemId?: string;
  readonly courseItemType?: string;
  readonly answers?: readonly (readonly [questionId: string, ...optionIds: string[]])[];
  readonly shouldMarkAsCompleted?: boolean;
}

/** Submits answers to the one quiz; the reply, what is stored then, and the user as known then. */
async function submit({ call, sandbox }: World, sent: Submission) {
  const { userId = learner.id, courseItemId = quiz.itemId, courseItemType, answers = [], ...rest } = sent;
  const questionsToUpsert = answers.map(([questionUniqueId, ...newSelectedOptionIds]) => ({
    questionUniqueId,
    newSelectedOptionIds,
  }));
  const details = { courseItemType, questionsToUpsert };
  const reply = await call('submit-user-course-item', { courseItemId, userId, details, ...rest });
  const submissions = await sandbox.state.list('submissions');
  const stored = submissions.find((one) => one.userId === userId && one.courseItemId === courseItemId);
  const user = await sandbox.state.get('users', userId);
  return {
    reply,
    answers: stored?.answers.map((one) => [one.questionUniqueId, ...one.selectedOptionIds]),
    isCompleted: stored?.isCompleted,
    user,
  };
}

const right = [quiz.single.id, quiz.single.correct] as const;
const strangeQuestion = ['a'.repeat(24), quiz.single.correct] as const;
const strangeOption = [quiz.multi.id, 'b'.repeat(24)] as const;
const twice = [quiz.single.id, quiz.single.correct, quiz.single.correct] as const;
const several = [quiz.single.id, ...quiz.single.options] as const;
const { riverside } = schools;
const newcomer = { userId: 'c'.repeat(24), userEmail: 'new.learner@students.example' };
const otherAddress = 'hana@elsewhere.example';

/** Answers of which two are not the quiz's: what is stored of them. */
function answersOutsideQuiz(stored: readonly (readonly string[])[]): OptionTest {
  return async ({ open, noted }) => {
    const { reply, answers } = await submit(await open(), {
      answers: [right, strangeQuestion, strangeOption],
    });
    expect(resultOf(reply)).toEqual({});
    expect(answers).toEqual(stored);
    noted(reply);
  };
}

/** Submits an answer, and then the same with a misspelled field. */
async function submitMisspelled(place: World) {
  await submit(place, { answers: [right] });
  const { call, sandbox } = place;
  const answer = { questionUniqueId: quiz.single.id, selectedOptionIds: [quiz.single.correct] };
  const details = { courseItemType: 'Quiz', questionsToUpsert: [answer] };
  const reply = await call('submit-user-course-item', {
    courseItemId: quiz.itemId,
    userId: learner.id,
    details,
  });
  const submissions = await sandbox.state.list('submissions');
  const stored = submissions.find((one) => one.userId === learner.id && one.courseItemId === quiz.itemId);
  return { reply, answers: stored?.answers.map((one) => [one.questionUniqueId, ...one.selectedOptionIds]) };
}

function emailOfKnownUser(address: string): OptionTest {
  return async ({ open, noted }) => {
    const { reply, user, answers } = await submit(await open(), {
      userEmail: otherAddress,
      answers: [right],
    });
    expect(resultOf(reply)).toEqual({});
    expect({ email: user?.email, answers }).toEqual({ email: address, answers: [right] });
    noted(reply);
  };
}

/** Whether a completed item is still completed after answers with `shouldMarkAsCompleted: false`. */
function withdrawnCompletion(stays: boolean): OptionTest {
  return async ({ open, noted }) => {
    const place = await open();
    expect((await submit(place, { answers: [right], shouldMarkAsCompleted: false })).isCompleted).toBe(false);
    expect((await submit(place, { shouldMarkAsCompleted: true })).isCompleted).toBe(true);
    const { reply, answers, isCompleted } = await submit(place, { shouldMarkAsCompleted: false });
    expect(resultOf(reply)).toEqual({});
    expect({ answers, isCompleted }).toEqual({ answers: [right], isCompleted: stays });
    noted(reply);
  };
}

export const submissions = {
  submittedItemTypes: {
    'quiz-only': async ({ open, noted }) => {
      const place = await open();
      const { reply, answers } = await submit(place, { courseItemType: 'Essay', answers: [right] });
      expect(failureOf(reply)).toBe('/data/0/data/details/courseItemType must be "Quiz", but is "Essay".');
      expect(answers).toBeUndefined();
      noted(reply);
      expect(resultOf((await submit(place, { answers: [right] })).reply)).toEqual({});
    },
    any: async ({ open, noted }) => {
      const { reply } = await submit(await open(), { courseItemType: 'Essay', courseItemId: items.article });
      expect(resultOf(reply)).toEqual({});
      noted(reply);
    },
  },
  unknownUser: {
    create: async ({ open, noted }) => {
      const place = await open();
      const { reply, user, answers } = await submit(place, { ...newcomer, answers: [right] });
      expect(resultOf(reply)).toEqual({});
      expect(user).toEqual({ id: newcomer.userId, email: newcomer.userEmail, schoolIds: [riverside] });
      expect(answers).toEqual([right]);
      noted(reply);
      // Somebody whom only another school knows is as unknown.
      noted((await submit(place, { userId: hillcrestLearner.id, answers: [right] })).reply);
    },
    'element-error': async ({ open, noted }) => {
      const { reply, user, answers } = await submit(await open(), { ...newcomer, answers: [right] });
      expect(failureOf(reply)).toBe(
        `/data/0/data/userId: The school has no user with the identifier "${newcomer.userId}".`,
      );
      expect({ user, answers }).toEqual({ user: null, answers: undefined });
      noted(reply);
    },
  },
  emailOfKnownUser: {
    keep: emailOfKnownUser(learner.email),
    update: emailOfKnownUser(otherAddress),
    'element-error': async ({ open, noted }) => {
      const { reply, user, answers } = await submit(await open(), {
        userEmail: otherAddress,
        answers: [right],
      });
      expect(failureOf(reply)).toBe(
        `/data/0/data/userEmail: The user "${learner.id}" has a different e-mail address than "${otherAddress}".`,
      );
      expect({ email: user?.email, answers }).toEqual({ email: learner.email, answers: undefined });
      noted(reply);
      const capitals = await submit(await open(), {
        userEmail: learner.email.toUpperCase(),
        answers: [right],
      });
      expect(resultOf(capitals.reply)).toEqual({});
    },
  },
  answersOutsideQuiz: {
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const [question, option] = [
        await submit(place, { answers: [right, strangeQuestion] }),
        await submit(place, { answers: [right, strangeOption] }),
      ];
      expect(failureOf(question.reply)).toBe(
        `/data/0/data/details/questionsToUpsert/1/questionUniqueId: The course item's quiz has no question "${strangeQuestion[0]}".`,
      );
      expect(failureOf(option.reply)).toBe(
        `/data/0/data/details/questionsToUpsert/1/newSelectedOptionIds/0: The question "${quiz.multi.id}" has no option "${strangeOption[1]}".`,
      );
      expect([question.answers, option.answers]).toEqual([undefined, undefined]);
      for (const { reply } of [question, option]) noted(reply);
    },
    ignore: answersOutsideQuiz([right]),
    store: answersOutsideQuiz([right, strangeQuestion, strangeOption]),
  },
  repeatedQuestion: {
    'last-answer': async ({ open, noted }) => {
      const { reply, answers } = await submit(await open(), { answers: [[quiz.single.id], right] });
      expect(resultOf(reply)).toEqual({});
      expect(answers).toEqual([[...right]]);
      noted(reply);
    },
    'element-error': async ({ open, noted }) => {
      const { reply, answers } = await submit(await open(), { answers: [[quiz.single.id], right] });
      expect(failureOf(reply)).toBe(
        `/data/0/data/details/questionsToUpsert/1/questionUniqueId: The call has several answers to the question "${quiz.single.id}". Send one.`,
      );
      expect(answers).toBeUndefined();
      noted(reply);
    },
  },
  omittedSelection: {
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const { reply, answers } = await submitMisspelled(place);
      expect(failureOf(reply)).toBe(
        '/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds is required, but missing. Send [] to select no option. You sent "selectedOptionIds": did you mean "newSelectedOptionIds"?',
      );
      expect(answers).toEqual([[...right]]);
      noted(reply);
      // An empty list is a choice.
      expect((await submit(place, { answers: [[quiz.single.id]] })).answers).toEqual([[quiz.single.id]]);
    },
    'no-option': async ({ open, noted }) => {
      const { reply, answers } = await submitMisspelled(await open());
      expect(answers).toEqual([[quiz.single.id]]);
      noted(reply);
    },
  },
  emptySelection: {
    'no-option': async ({ open, noted }) => {
      const place = await open();
      await submit(place, { answers: [right] });
      const { reply, answers } = await submit(place, { answers: [[quiz.single.id]] });
      expect(resultOf(reply)).toEqual({});
      expect(answers).toEqual([[quiz.single.id]]);
      noted(reply);
    },
    'element-error': async ({ open, noted }) => {
      const place = await open();
      await submit(place, { answers: [right] });
      const { reply, answers } = await submit(place, { answers: [[quiz.single.id]] });
      expect(failureOf(reply)).toBe(
        '/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds selects no option. Send at least one.',
      );
      expect(answers).toEqual([[...right]]);
      noted(reply);
      // The message about a missing list does not recommend an empty one.
      expect(failureOf((await submitMisspelled(place)).reply)).not.toContain('Send []');
    },
  },
  repeatedOption: {
    store: async ({ open, noted }) => {
      const { reply, answers } = await submit(await open(), { answers: [twice] });
      expect(resultOf(reply)).toEqual({});
      expect(answers).toEqual([twice]);
      noted(reply);
    },
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const { reply, answers } = await submit(place, { answers: [twice] });
      expect(failureOf(reply)).toBe(
        `/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds/1 selects the option "${quiz.single.correct}" more than once. Send it once.`,
      );
      expect(answers).toBeUndefined();
      noted(reply);
      const multi = [quiz.multi.id, ...quiz.multi.options] as const;
      expect((await submit(place, { answers: [multi] })).answers).toEqual([multi]);
    },
  },
  severalAnswersToSingleCorrect: {
    'element-error': async ({ open, noted }) => {
      const place = await open();
      const { reply, answers } = await submit(place, { answers: [several] });
      expect(failureOf(reply)).toBe(
        `/data/0/data/details/questionsToUpsert/0/newSelectedOptionIds: The question "${quiz.single.id}" has one correct option, but 2 are selected.`,
      );
      expect(answers).toBeUndefined();
      noted(reply);
      // The same option twice is one option.
      expect(resultOf((await submit(await open(), { answers: [twice] })).reply)).toEqual({});
      const multi = [quiz.multi.id, ...quiz.multi.options] as const;
      expect((await submit(place, { answers: [multi] })).answers).toEqual([multi]);
    },
    store: async ({ open, noted }) => {
      const { reply, answers } = await submit(await open(), { answers: [several] });
      expect(answers).toEqual([several]);
      noted(reply);
    },
  },
  resubmission: {
    replace: async ({ open, noted }) => {
      const place = await open();
      const before = (await place.sandbox.state.get('submissions', completed.id))?.answers ?? [];
      const [first, ...others] = before.map((one) => [one.questionUniqueId, ...one.selectedOptionIds]);
      const changed = [`${first?.[0]}`] as const;
      const again = { userId: completed.userId, courseItemId: completed.itemId, answers: [changed] };
      const { reply, answers } = await submit(place, again);
      expect(answers).toEqual([changed, ...others]);
      expect(await place.sandbox.state.get('submissions', completed.id)).toHaveProperty('isCompleted', true);
      noted(reply);
    },
    'refuse-after-completion': async ({ open, noted }) => {
      const place = await open();
      const before = await place.sandbox.state.get('submissions', completed.id);
      const { reply } = await submit(place, { userId: completed.userId, courseItemId: completed.itemId });
      expect(failureOf(reply)).toBe(
        `/data/0/data/courseItemId: The user "${completed.userId}" has already completed the course item "${completed.itemId}".`,
      );
      expect(await place.sandbox.state.get('submissions', completed.id)).toEqual(before);
      noted(reply);
      // Until it is completed, answers may come again and again.
      await submit(place, { answers: [right] });
      expect(resultOf((await submit(place, { answers: [right] })).reply)).toEqual({});
    },
  },
  withdrawnCompletion: {
    ignore: withdrawnCompletion(true),
    withdraw: async (reading) => {
      await withdrawnCompletion(false)(reading);
      // A call that does not mention the completion leaves it alone.
      const place = await reading.open();
      await submit(place, { answers: [right], shouldMarkAsCompleted: true });
      expect((await submit(place, { answers: [right] })).isCompleted).toBe(true);
      const refusing = await reading.open({ assumptions: { resubmission: 'refuse-after-completion' } });
      await submit(refusing, { shouldMarkAsCompleted: true });
      const { reply, isCompleted } = await submit(refusing, { shouldMarkAsCompleted: false });
      expect(failureOf(reply)).toContain('has already completed the course item');
      expect(isCompleted).toBe(true);
    },
  },
} satisfies Partial<OptionTests>;

testOptions(submissions);
