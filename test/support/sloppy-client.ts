import { items, learner, quiz } from './demo.ts';
import { world, type World } from './world.ts';

/**
 * A client that does much of what a client should not: it does not wait, repeats, sends what is not
 * documented, and breaks the contract.
 */
export async function sloppyClient(): Promise<World> {
  const own = await world();
  const requests = [
    ['list-assignments', {}],
    ['get-instructor-permission-presets', { pageNumber: 1, limit: 4 }],
    ['get-video-library', { filterTerm: '', pageNumber: 1, folderPath: '/' }],
    ['get-course-item-data', { courseItemId: items.article }],
  ] as const;
  for (const [operation] of requests)
    await own.sandbox.faults.add({
      operation,
      fault: 'http-error',
      with: { status: 503, 'retry-after': 30 },
      when: { first: 1 },
    });
  for (const [operation, parameters] of requests) {
    await own.call(operation, parameters);
    await own.call(operation, parameters);
  }
  await own.call('get-quiz-details', { quizId: quiz.id, note: 'not documented' });
  await own.batch('get-quiz-details', [{ quizId: quiz.id }, { quizId: 7 }]);
  await own.call('get-course-item-data', { courseItemId: items.article, userId: learner.id });
  return own;
}
