import type { Client } from '../kit/api.ts';
import { Day, pooled } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { cappedMs } from '../kit/pauses.ts';
import type { Bad } from '../spec.ts';
import { goodSend, scenario } from './vary.ts';

/**
 * Returns ten workers with two reads each, of five operations: few enough that none is throttled. All of them
 * retry after the same pauses.
 */
function herdWith(pause: (failures: number) => number, tries: number): Client {
  return async (context) => {
    const send = goodSend(context, { pause, tries });
    const day = new Day(context);
    const reads = [0, 1, 2, 3].flatMap((index) => [
      ['get-course-item-data', { courseItemId: ids.items[index] }] as const,
      ['get-quiz-details', { quizId: ids.quizzes[index] }] as const,
      ['get-video-library', { filterTerm: `week ${index}`, pageNumber: 1, folderPath: '/' }] as const,
      ['get-instructor-permission-presets', { pageNumber: index + 1, limit: 4 }] as const,
      ['list-assignments', { ...ids.assignmentsOf(ids.products[index % 2]) }] as const,
    ]);
    await pooled(10)(
      reads.map(
        ([operation, element]) =>
          () =>
            day.attempt(() => send(operation, [element])),
      ),
    );
  };
}

function herd(name: string, is: string, run: Client): Bad {
  return { name, is, check: 'jitter', under: scenario('long-outage'), run };
}

/** Workers that all retry at the same time. */
export const badHerds: readonly Bad[] = [
  herd(
    'herd',
    'Ten workers that all retry after the same pauses, without jitter.',
    herdWith((failures) => Math.min(4000, 500 * 2 ** failures), 16),
  ),
  herd(
    'herd-with-capped-pauses',
    'Ten workers that all retry after 1, 2, 4, 8, 16, 30 and 30 s.',
    herdWith(cappedMs, 8),
  ),
];
