import { pathTo } from '../../route.ts';
import { known } from './known.ts';
import { outcome, type Run } from './step.ts';

export const runMistake: Run<'mistake'> = async (stage, captions) => {
  const operation = 'get-quiz-details';
  const wrong = await stage.call(captions.wrong, {
    operation,
    parameters: { quizID: known.quiz },
    marked: { request: ['/data/0/data/quizID'], response: ['/0/output/errorMessage'] },
  });
  const right = await stage.call(captions.right, {
    operation,
    parameters: { quizId: known.quiz },
    marked: { request: ['/data/0/data/quizId'], response: ['/0/output/status', '/0/output/data/quizTitle'] },
  });
  const isExpected = wrong.output?.status === 'error' && right.output?.status === 'ok';
  const look =
    wrong.requestId === null ? undefined : pathTo(stage.sandbox, 'journal', { request: wrong.requestId });
  return outcome(isExpected, 'The first request should have failed, and the second one succeeded.', look);
};
