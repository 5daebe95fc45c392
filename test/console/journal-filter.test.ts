import { describe, expect, it } from 'vitest';
import { entryDifferences } from '../../src/console/panels/journal/entry-differences.ts';
import {
  filterIn,
  fitting,
  isReversed,
  queryOf,
  statusesIn,
} from '../../src/console/panels/journal/filter.ts';
import type { JournalSummary } from '../../src/sandbox/journal-summary.ts';
import { world } from '../support/world.ts';

/** Calls of two operations, and one that is refused, a minute apart. */
async function entries(): Promise<readonly JournalSummary[]> {
  const { sandbox, call, post } = await world();
  await call('get-all-instructors');
  await call('get-quiz-details', { quizId: 'no-such-quiz' });
  await post('get-all-instructors').set('SERVICE-API-KEY', `sbx_${sandbox.id}_nobody`).send({ data: [] });
  const reply = await fetch(`${sandbox.baseUrl}/control/sandboxes/${sandbox.id}/journal?form=summary`);
  // As openapi/control.yaml has it.
  const { entries: list } = (await reply.json()) as { readonly entries: readonly JournalSummary[] };
  return list.map((entry, minute) => ({ ...entry, receivedAt: `2026-02-11T09:0${minute}:30.000Z` }));
}

describe('the filter of the journal', () => {
  it.each([
    ['', [0, 1, 2]],
    ['operation=get-all-instructors', [0, 2]],
    ['outcome=ok', [0]],
    ['status=401', [2]],
    ['status=2xx', [0, 1]],
    ['status=5xx', []],
    ['last=2', [1, 2]],
    ['after=2026-02-11T09:01:30&before=2026-02-11T09:02:00', [1]],
    ['after=2026-02-11', [0, 1, 2]],
    ['after=2026-02-12', []],
    ['text=QUIZ-D', [1]],
    ['status=2xx&text=instructors', [0]],
    ['text=found-by-the-server', [2]],
  ])('of %j', async (query, expected) => {
    const filter = filterIn(new URLSearchParams(query));
    expect(new URLSearchParams(queryOf(filter)).toString()).toBe(new URLSearchParams(query).toString());
    const all = await entries();
    const found = new Set(
      filter.text === 'found-by-the-server' ? all.slice(2).map((one) => one.requestId) : [],
    );
    const fits = fitting(filter, Date.parse('2026-02-11T09:03:00.000Z'), found);
    expect(all.flatMap((entry, place) => (fits(entry) ? [place] : []))).toEqual(expected);
  });

  it.each([
    ['2026-02-11T09:30:00', '2026-02-11T09:29:59', true],
    ['2026-02-11', '2026-02-10T23:59', true],
    ['2026-02-11T09:30:00', '2026-02-11T09:30:00', false],
    ['2026-02-11T09:30:00', '', false],
    ['', '2026-02-11T09:30:00', false],
  ])('is reversed if its interval from %j to %j ends before it starts', (after, before, isWrong) => {
    expect(isReversed({ after, before })).toBe(isWrong);
  });

  it('offers the classes of status that occur, then each status', () => {
    expect(statusesIn([401, 200, 200])).toEqual(['2xx', '4xx', '200', '401']);
  });
});

describe('the comparison of two calls', () => {
  it('is of the same call empty, and else part by part', async () => {
    const { sandbox, call } = await world();
    await call('get-quiz-details', { quizId: 'one' });
    await call('get-quiz-details', { quizId: 'one' });
    await call('get-quiz-details', { quizId: 'two' }).set('X-Trace', 'mine');
    const [first, same, other] = await sandbox.journal.list();
    if (first === undefined || same === undefined || other === undefined) throw new Error('Too few calls.');
    expect(entryDifferences(first, same)).toEqual([]);
    const parts = entryDifferences(first, other);
    expect(parts.slice(0, 2)).toEqual([
      { part: 'Request headers', differences: [{ pointer: '/x-trace', before: null, after: '"mine"' }] },
      {
        part: 'Request body',
        differences: [{ pointer: '/data/0/data/quizId', before: '"one"', after: '"two"' }],
      },
    ]);
    expect(parts.map(({ part }) => part)).toEqual(['Request headers', 'Request body', 'Response body']);
  });
});
