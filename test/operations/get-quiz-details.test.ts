import { describe, expect, it } from 'vitest';
import { hillcrestQuizId, quiz } from '../support/demo.ts';
import { failureOf, resultOf, world } from '../support/world.ts';

describe('get-quiz-details', () => {
  it('reads a quiz with its questions and options', async () => {
    const { call, sandbox } = await world();
    const result = resultOf(await call('get-quiz-details', { quizId: quiz.id }));
    const { createdAtIso, quizTitle, questions } = (await sandbox.state.get('quizzes', quiz.id)) ?? {};
    expect(result).toEqual({ createdAtIso, quizTitle, questions });
    expect(quizTitle).toBe('Lists, Tuples and Dictionaries');
  });

  it("cannot tell another school's quiz from one that does not exist", async () => {
    const { call } = await world();
    const foreign = failureOf(await call('get-quiz-details', { quizId: hillcrestQuizId }));
    const missing = failureOf(await call('get-quiz-details', { quizId: 'f'.repeat(24) }));
    expect(foreign).toBe(
      `/data/0/data/quizId: The school has no quiz with the identifier "${hillcrestQuizId}".`,
    );
    expect(foreign.replace(hillcrestQuizId, '')).toBe(missing.replace('f'.repeat(24), ''));
  });

  it('refuses a missing and an empty quizId with a pointer to it', async () => {
    const { call } = await world();
    expect(failureOf(await call('get-quiz-details', { quizID: quiz.id }))).toBe(
      'The parameters are invalid. /data/0/data/quizId is required, but missing. You sent "quizID": did you mean "quizId"?',
    );
    expect(failureOf(await call('get-quiz-details', { quizId: '' }))).toContain(
      '/data/0/data/quizId must have at least 1 character',
    );
  });
});
