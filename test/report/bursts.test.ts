import { describe, expect, it } from 'vitest';
import type { Sketch } from './entries.ts';
import { judged } from './outages.ts';
import { seeded } from './seeded.ts';

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
      judged(
        'giving-up',
        burst((index) => `own:${index}`),
      ).verdict,
    ).toBe('not-judged');
  });

  it('is not judged if the server noticed its connections late', () => {
    expect(
      judged(
        'giving-up',
        burst((index) => `own:${index}`, 20),
      ).verdict,
    ).toBe('not-judged');
  });

  it('is not judged if the rest waited for a connection', () => {
    expect(
      judged(
        'giving-up',
        burst((index) => `own:${index % 6}`, 4),
      ).verdict,
    ).toBe('not-judged');
  });

  it('fails if it goes on for longer on the same connections', () => {
    expect(
      judged(
        'giving-up',
        burst((index) => `own:${index % 6}`, 100),
      ).verdict,
    ).toBe('failed');
  });

  it('fails if it has one worker: none of its calls waited', () => {
    expect(
      judged(
        'giving-up',
        burst((index) => `own:${index % 2}`, 4),
      ).verdict,
    ).toBe('failed');
  });

  it('fails if the calls only end: most of them were sent after the failures', () => {
    expect(judged('giving-up', burst((index) => `own:${index % 4}`, 4).slice(0, -1)).verdict).toBe('failed');
  });
});

/** Reads of one scope by workers in turn. A worker waits for the Retry-After of its own reply, and gives up at last. */
function worker(
  own: number,
  ms: number,
  quizId: string,
  replies: readonly (number | null)[],
): readonly Sketch[] {
  let at = ms;
  return replies.map((retryAfter) => {
    const call = {
      ms: at,
      scope: 'a job',
      connection: `own:${own}`,
      elements: [{ quizId }],
      ...(retryAfter === null ? {} : { status: 429, faults: ['throttled'], retryAfter }),
    };
    at += (retryAfter ?? 0) * 1000 + 200;
    return call;
  });
}

function inOrder(...calls: readonly (readonly Sketch[])[]): readonly Sketch[] {
  return calls.flat().toSorted((one, other) => one.ms - other.ms);
}

describe('a few workers whose calls do not overlap', () => {
  const busy = inOrder(
    worker(0, 0, 'a', [2, 2, 10]),
    worker(1, 50, 'b', [2, 2, null]),
    worker(0, 5000, 'c', [2, null]),
    worker(1, 6000, 'a', [null]),
    worker(0, 8000, 'd', [2, null]),
    worker(1, 9000, 'e', [2, null]),
  );

  it('may use a record that another worker has just given up', () => {
    expect(judged('retry-after', busy).verdict).toBe('not-judged');
  });

  it('fail if they ignore Retry-After', () => {
    const early = [0, 1, 2, 3, 4, 5].map((place) =>
      [0, 300, 600].map((ms) => ({
        ...worker(place % 2, place * 2000 + ms, `of ${place}`, [2])[0],
        ms: place * 2000 + ms + (place % 2) * 150,
      })),
    );
    expect(judged('retry-after', inOrder(...early)).verdict).toBe('failed');
  });
});

/** A client that reads seven records in turn, and takes each failure for final: three of eight calls fail. */
function inTurn(everyMs: number): readonly Sketch[] {
  const random = seeded(7);
  let ms = 0;
  return Array.from({ length: 40 }, (_, index) => ({
    ms: (ms += Math.round(everyMs * (0.1 + 6 * random() ** 4))),
    elements: [{ quizId: String(index % 7) }],
    ...(index % 8 > 1 && index % 8 < 5 ? down : {}),
  }));
}

describe('a client that never retries, and reads its records again', () => {
  it.each([30, 50])(
    'is not judged: it makes other calls after a failure, about one every %i ms',
    (everyMs) => {
      expect(judged('giving-up', inTurn(everyMs)).verdict).toBe('not-judged');
    },
  );
});

/** A number of requests, each retried after these pauses while the service is down. */
function retried(count: number, pauses: readonly number[]): readonly Sketch[] {
  return Array.from({ length: count }, (_, place) => {
    let ms = place * 60_000;
    return [0, ...pauses].map((pause) => ({
      ms: (ms += pause),
      elements: [{ quizId: String(place) }],
      ...down,
    }));
  }).flat();
}

describe('pauses with a low maximum', () => {
  const growing = [60, 120, 240, ...Array.from({ length: 8 }, () => 253)];

  it('fail: they stop growing before they let the service recover', () => {
    expect(judged('backoff', retried(3, growing)).verdict).toBe('failed');
  });

  it('are not judged if too few requests show them', () => {
    expect(judged('backoff', retried(2, growing)).verdict).toBe('not-judged');
  });

  it('pass if they reach half a second', () => {
    const longer = growing.map((pause) => pause * 2);
    expect(judged('backoff', retried(5, longer)).verdict).toBe('passed');
  });
});

/** A search at each keystroke, which a limit refuses. */
function typed(status: number, everyMs: number): readonly Sketch[] {
  return Array.from({ length: 12 }, (_, length) => ({
    ms: length * everyMs,
    operation: 'get-video-library',
    elements: [{ filterTerm: 'photosynthesis'.slice(0, length + 2), pageNumber: 1 }],
    status,
    outcome: 'throttled',
  }));
}

describe('a search as the user types', () => {
  it('counts as a retry of the search that it replaces', () => {
    expect(judged('limits', typed(429, 400)).verdict).not.toBe('failed');
  });

  it('is not judged if the refusals look like any other failure', () => {
    expect(judged('limits', typed(503, 400)).verdict).toBe('not-judged');
  });
});
