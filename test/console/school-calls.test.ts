import { describe, expect, it } from 'vitest';
import {
  couponCall,
  courseCall,
  curlOf,
  eventsCall,
  firstAnswersCall,
  instructorsCall,
  itemCall,
  labCall,
  quizCall,
  sessionCall,
  submissionCall,
  videoCall,
  type ApiCall,
} from '../../src/console/school/api-call.ts';
import { failureRule, ruleIdOf, stateOf } from '../../src/console/school/failure-rule.ts';
import { ancestorsOf } from '../../src/console/school/folders.ts';
import { rightAnswers } from '../../src/console/school/score.ts';
import type { SandboxHandle } from '../../src/index.ts';
import { supertest } from '../support/supertest.ts';
import { resultOf, world } from '../support/world.ts';

/** The first record of Riverside. */
async function first<N extends 'products' | 'courseItems' | 'quizzes' | 'coupons' | 'labs' | 'submissions'>(
  { state }: SandboxHandle,
  collection: N,
) {
  const [record] = await state.list(collection);
  if (record === undefined) throw new Error(`There are no ${collection}.`);
  return record;
}

async function arm(url: string, { id }: SandboxHandle, call: ApiCall): Promise<void> {
  await supertest(url)
    .post(`/control/sandboxes/${id}/faults`)
    .send(failureRule(call, 'riverside'))
    .expect(201);
}

async function calls(sandbox: SandboxHandle): Promise<readonly (readonly [string, ApiCall])[]> {
  const { state } = sandbox;
  const submission = await first(sandbox, 'submissions');
  const user = await state.get('users', submission.userId);
  const item = await state.get('courseItems', submission.courseItemId);
  const quiz = await state.get('quizzes', item?.quizId ?? '');
  const session = (await state.list('liveEventSessions')).find(
    ({ recordedSources }) => recordedSources.length > 0,
  );
  const [video] = await state.list('videos');
  if (user === null || item === null || quiz === null || session === undefined || video === undefined)
    throw new Error('The demo data lacks a record.');
  const product = await first(sandbox, 'products');
  return [
    [product.title, courseCall(product)],
    [item.title, itemCall(item)],
    [quiz.quizTitle, quizCall(quiz)],
    ['Mira Okafor', instructorsCall],
    ['Python Office Hours', eventsCall],
    ['masterM3u8Pathname', sessionCall(session)],
    [video.id, videoCall(video, 1)],
    ['{}', couponCall(await first(sandbox, 'coupons'))],
    ['{}', labCall(await first(sandbox, 'labs'))],
    ['{}', submissionCall(submission, user)],
    ['{}', firstAnswersCall(user, item, quiz)],
  ];
}

describe('the cards of the school page', () => {
  it('offer calls that return the record, or write it as it is', { tags: ['slow'] }, async () => {
    const { sandbox, call } = await world();
    for (const [expected, { operation, parameters }] of await calls(sandbox))
      expect(JSON.stringify(resultOf(await call(operation, parameters)))).toContain(expected);
    const changed = (await sandbox.state.changes()).map(({ collection }) => collection);
    expect(changed.filter((collection) => collection !== 'submissions')).toEqual([]);
  });

  it('make exactly the next such call fail', { tags: ['slow'] }, async () => {
    const { url, sandbox, call } = await world();
    for (const [, one] of await calls(sandbox)) {
      await sandbox.faults.clear();
      await arm(url, sandbox, one);
      const [rule] = await sandbox.faults.list();
      expect([rule?.id, stateOf(rule)]).toEqual([ruleIdOf(one, 'riverside'), 'armed']);
      expect((await call('get-instructor-permission-presets', { pageNumber: 1, limit: 10 })).status).toBe(
        200,
      );
      const failed = await call(one.operation, one.parameters);
      expect([failed.status, failed.headers['retry-after']]).toEqual([503, '2']);
      expect((await call(one.operation, one.parameters)).status).toBe(200);
      const [after] = await sandbox.faults.list();
      expect(stateOf(after)).toBe('fired');
    }
  });

  it('fail only the call for their own record', async () => {
    const { url, sandbox, call } = await world();
    const [one, other] = await sandbox.state.list('quizzes');
    if (one === undefined || other === undefined) throw new Error('There are no two quizzes.');
    await arm(url, sandbox, quizCall(one));
    expect((await call('get-quiz-details', { quizId: other.id })).status).toBe(200);
    expect((await call('get-quiz-details', { quizId: one.id })).status).toBe(503);
  });

  it('copy commands that a shell reads as they are', () => {
    const command = curlOf(
      videoCall({ videoTitle: "It's $5", folderPath: '/' }, 1),
      'http://x.example',
      'sbx_a_b',
    );
    expect(command).toContain("-H 'SERVICE-API-KEY: sbx_a_b'");
    expect(command).toContain(String.raw`"filterTerm":"It'\''s $5"`);
  });
});

describe('the folders of the school page', () => {
  it('are below each other up to the root', () => {
    expect(ancestorsOf('/Week 2/Extra')).toEqual(['/', '/Week 2']);
    expect(ancestorsOf('/')).toEqual([]);
  });
});

describe('the score of the school page', () => {
  it('counts a question with exactly the correct options, and none that is not answered', async () => {
    const { sandbox } = await world();
    const quiz = await first(sandbox, 'quizzes');
    const correct = quiz.questions.map(({ questionId, options }) => ({
      questionUniqueId: questionId,
      selectedOptionIds: options
        .filter(({ isCorrectOption }) => isCorrectOption)
        .map(({ optionId }) => optionId),
    }));
    const everything = quiz.questions.map(({ questionId, options }) => ({
      questionUniqueId: questionId,
      selectedOptionIds: options.map(({ optionId }) => optionId),
    }));
    expect(rightAnswers(quiz, { answers: correct })).toHaveLength(quiz.questions.length);
    expect(rightAnswers(quiz, { answers: correct.slice(1) })).toHaveLength(quiz.questions.length - 1);
    expect(rightAnswers(quiz, { answers: everything })).toEqual([]);
  });
});
