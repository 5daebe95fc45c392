import { describe, expect, it } from 'vitest';
import type { Sketch } from './entries.ts';
import { judged } from './outages.ts';

const scope = 'a test';
const delayed = { status: 200, faults: ['delay'] } as const;

function submission(ms: number, learner: string, own: Partial<Sketch> = {}): Sketch {
  const elements = [{ courseItemId: 'quiz', userId: learner }];
  return { ms, scope, operation: 'submit-user-course-item', elements, ...own };
}

/** Submits the answers of each learner twice. */
function twice(learners: number): readonly Sketch[] {
  return Array.from({ length: learners }, (_, index) => [
    submission(index * 100, String(index)),
    submission(index * 100 + 50, String(index)),
  ]).flat();
}

const thrice = [0, 50, 100].map((ms) => submission(ms, 'a'));

describe('submissions that are repeated in a scope in which nothing failed', () => {
  it('may come from a test of what a second one does', () => {
    expect(judged('unsafe-repeats', thrice).verdict).toBe('not-judged');
    const two = [submission(0, 'a', { tookMs: 30 }), submission(10, 'a', { connection: 'other:1' })];
    expect(judged('unsafe-repeats', two).verdict).toBe('not-judged');
  });

  it('are found if a fault came before', () => {
    const read = { ms: -100, scope, ...delayed };
    expect(judged('unsafe-repeats', [read, ...thrice]).verdict).toBe('failed');
    const elsewhere = { ...read, scope: 'another test' };
    expect(judged('unsafe-repeats', [elsewhere, ...thrice]).verdict).toBe('not-judged');
  });

  it('are found if there are several: that is a habit', () => {
    expect(judged('unsafe-repeats', twice(1)).verdict).toBe('not-judged');
    expect(judged('unsafe-repeats', twice(2)).verdict).toBe('failed');
  });
});

describe('a lost submission', () => {
  const lost = { status: 0, faults: ['reset'] } as const;

  it('is not judged if the next scope has the same one: it may be the next delivery of a queue', () => {
    const again = submission(50, 'a', { scope: 'delivery 2' });
    expect(judged('unsafe-repeats', [submission(0, 'a', lost), again]).verdict).toBe('not-judged');
    const other = submission(50, 'b', { scope: 'delivery 2' });
    expect(judged('unsafe-repeats', [submission(0, 'a', lost), other]).verdict).toBe('passed');
  });
});

describe('a missing record that is read again in a scope', () => {
  const missing: Partial<Sketch> = { scope, outputs: ['error'], failures: ['not-found'] };
  const hidden = Array.from({ length: 10 }, (_, index) => ({ ms: index * 100, ...missing }));

  it('may be one that must stay hidden, if nothing failed before', () => {
    expect(judged('hopeless-repeats', hidden).verdict).toBe('not-judged');
  });

  it('is found after a temporary failure', () => {
    const failure = { ms: -100, scope, operation: 'list-assignments', status: 503, faults: ['http-error'] };
    expect(judged('hopeless-repeats', [failure, ...hidden]).verdict).toBe('failed');
  });
});

/** Twelve workers with a scope each, which retry the same request together. */
function round(from: number): readonly Sketch[] {
  return Array.from({ length: 12 }, (_, worker) =>
    [0, 1000, 3000].map((ms) => ({ worker, ms: from + ms + worker })),
  )
    .flat()
    .map(({ worker, ms }) => ({
      ms,
      scope: `worker ${worker}`,
      elements: [{ quizId: String(from) }],
      status: 503,
      faults: ['http-error'],
    }));
}

describe('the retries of workers that each have a scope', () => {
  it('are not judged by jitter, also if they are together: they may come from tests that run in parallel', () => {
    const calls = [round(0), round(60_000)].flat().toSorted((one, other) => one.ms - other.ms);
    expect(judged('jitter', calls).verdict).toBe('not-judged');
  });
});
