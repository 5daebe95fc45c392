import { CallError, type Context, type Outputs, type Send } from './api.ts';
import { retryingElements } from './elements.ts';
import * as ids from './ids.ts';

export type Task = () => Promise<unknown>;

/** How the tasks of a phase run: one after another, or several at once. */
export type Run = (tasks: readonly Task[]) => Promise<void>;

type Batch = (operation: string, elements: readonly object[]) => Promise<Outputs>;

/** One after another. */
export const serially: Run = async (tasks) => {
  for (const task of tasks) await task();
};

/** So many at once. */
export function pooled(workers: number): Run {
  return async (tasks) => {
    const rest = [...tasks];
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let task = rest.shift(); task !== undefined; task = rest.shift()) await task();
      }),
    );
  };
}

/** Groups of so many calls at once, as with `Promise.all`. */
export function inGroups(size: number): Run {
  return async (tasks) => {
    for (let start = 0; start < tasks.length; start += size)
      await Promise.all(tasks.slice(start, start + size).map((task) => task()));
  };
}

/**
 * A day's work of an integration, about 30 calls: reads the catalogue, registers instructors, updates a
 * coupon and a lab, hands in answers, and reads what came of it. A call that fails for good is left for
 * tomorrow; a refused key ends the day.
 */
export async function workDay(context: Context, send: Send, run: Run = serially): Promise<void> {
  const day = new Day(context);
  const batch = retryingElements(send, context);
  for (const tasks of phases(batch)) {
    await run(tasks.map((task) => () => day.attempt(task)));
    if (day.isOver) return;
  }
}

/** Notes what goes wrong. */
export class Day {
  readonly #signal: AbortSignal;
  readonly problems: unknown[] = [];
  isOver = false;

  constructor({ signal }: Context) {
    this.#signal = signal;
  }

  async attempt(task: Task): Promise<void> {
    if (this.isOver) return;
    try {
      await task();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof CallError) && !isGivenUp(error)) throw error;
      this.problems.push(error);
      if (error instanceof CallError && (error.status === 401 || error.status === 403)) this.isOver = true;
    }
  }
}

/** An open circuit, a full queue: errors of libraries that send nothing. */
function isGivenUp(error: unknown): boolean {
  return (
    error instanceof Error && /circuit|breaker|bulkhead|EOPENBREAKER/i.test(`${error.name} ${error.message}`)
  );
}

function phases(batch: Batch): readonly (readonly Task[])[] {
  const one = (operation: string, data: object) => () => batch(operation, [data]);
  const several = (operation: string, data: readonly object[]) => () => batch(operation, data);
  const items = ids.items.map((courseItemId) => ({ courseItemId }));
  const quizzes = ids.quizzes.map((quizId) => ({ quizId }));
  return [
    [
      one('get-all-instructors', {}),
      one('get-all-live-events', {}),
      several('list-assignments', ids.products.map(ids.assignmentsOf)),
      one('get-course-item-data', { courseItemId: ids.items[0] }),
      several('get-course-item-data', items.slice(1, 7)),
      one('get-quiz-details', { quizId: ids.quizzes[0] }),
      several('get-quiz-details', quizzes.slice(1, 5)),
      ...[1, 2, 3].map((pageNumber) =>
        one('get-video-library', { filterTerm: '', pageNumber, folderPath: '/' }),
      ),
      ...[1, 2].map((pageNumber) => one('get-instructor-permission-presets', { pageNumber, limit: 4 })),
      one('get-course-item-data', { courseItemId: ids.items[7] }),
      several('get-signed-url-data-for-live-event-session-playback', [ids.recorded]),
      one('get-live-event-session-processed-mp4', ids.recorded),
    ],
    [
      several('create-instructor-account', ['ana', 'ben', 'chi'].map(ids.instructor)),
      one('update-digital-product-coupon', ids.coupon(25)),
      one('update-interactive-coding-lab', { labId: ids.lab, labTitle: 'Word Frequency Counter' }),
      several('submit-user-course-item', ids.learners.slice(0, 3).map(ids.submission)),
      one('submit-user-course-item', ids.submission(ids.learners[3])),
      one('create-instructor-account', ids.instructor('dan')),
      one('submit-user-course-item', ids.submission(ids.learners[4])),
    ],
    [
      one('get-all-instructors', {}),
      several('get-quiz-details', quizzes.slice(5)),
      one('list-assignments', ids.assignmentsOf(ids.products[0])),
      several('get-course-item-data', items.slice(8)),
    ],
  ];
}
