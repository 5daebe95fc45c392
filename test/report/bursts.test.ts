import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from './entries.ts';

/** The verdict of a check on a client with these calls. */
function verdictOf(check: string, sketches: readonly Sketch[]): string | undefined {
  const { conduct } = makeReport('default', { entries: entriesOf(sketches), evicted: 0 });
  return conduct.find((one) => one.check === check)?.verdict;
}

const down = { status: 503, faults: ['http-error'] } as const;

/** Twenty failed reads, and one more after a pause. */
function burst(connection: (index: number) => string, everyMs = 0.1): readonly Sketch[] {
  const reads = Array.from({ length: 20 }, (_, index) => ({
    ms: Math.floor(index * everyMs),
    connection: connection(index),
    elements: [{ quizId: String(index) }],
    ...down,
  }));
  return [...reads, { ms: 7000, connection: 'probe:1', elements: [{ quizId: 'probe' }], ...down }];
}

describe('a client that falls silent after a burst', () => {
  it('is not judged by giving-up: its circuit breaker may have opened while the rest was under way', () => {
    expect(
      verdictOf(
        'giving-up',
        burst((index) => `own:${index}`),
      ),
    ).toBe('not-judged');
  });

  it('is not judged if the server noticed its connections late', () => {
    expect(
      verdictOf(
        'giving-up',
        burst((index) => `own:${index}`, 20),
      ),
    ).toBe('not-judged');
  });

  it('is not judged if the rest waited for a connection', () => {
    expect(
      verdictOf(
        'giving-up',
        burst((index) => `own:${index % 6}`, 4),
      ),
    ).toBe('not-judged');
  });

  it('fails if it goes on for longer on the same connections', () => {
    expect(
      verdictOf(
        'giving-up',
        burst((index) => `own:${index % 6}`, 20),
      ),
    ).toBe('failed');
  });

  it('fails if the calls only end: most of them were sent after the failures', () => {
    expect(verdictOf('giving-up', burst((index) => `own:${index % 4}`, 4).slice(0, -1))).toBe('failed');
  });
});
