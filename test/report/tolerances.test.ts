import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { entriesOf, type Sketch } from './entries.ts';

/** The verdict of a check on a client with these calls. */
function verdictOf(check: string, ...sketches: readonly Sketch[]): string | undefined {
  const { conduct } = makeReport('default', { entries: entriesOf(sketches), evicted: 0 });
  return conduct.find((one) => one.check === check)?.verdict;
}

const down = { status: 503, faults: ['http-error'] } as const;
const throttled = { status: 429, outcome: 'throttled' } as const;
const lost = { status: 0, faults: ['reset'] } as const;

/** The same request again and again while the service is down, with pauses of so many milliseconds. */
function outage(operation: string, from: number, pauses: readonly number[]): readonly Sketch[] {
  let ms = from;
  return [{ ms, operation, ...down }, ...pauses.map((pause) => ({ ms: (ms += pause), operation, ...down }))];
}

/** Calls with a key that is refused. */
function refused(count: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index,
    status: 401,
    outcome: 'invalid-key',
    elements: [{ quizId: String(index) }],
  }));
}

/** A client that runs into the limit so many times, and twice each time. */
function overLimit(times: number): readonly Sketch[] {
  return Array.from({ length: times }, (_, round) => [
    { ms: round * 60_000 },
    { ms: round * 60_000 + 1, ...throttled },
    { ms: round * 60_000 + 2, ...throttled },
  ]).flat();
}

/** Calls one after the other, each on a connection. */
function callsOn(count: number, connection: (index: number) => string, everyMs = 10): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index * everyMs,
    tookMs: 1,
    connection: connection(index),
    elements: [{ quizId: String(index) }],
  }));
}

function twoOnEach(index: number): string {
  return `127.0.0.1:${50_000 + Math.floor(index / 2)}`;
}

/** Whether the call counts as a good answer of its operation. */
function answers(sketch: Sketch): boolean {
  const { missing } = makeReport('default', { entries: entriesOf([sketch]), evicted: 0 }).situations;
  return missing.every(({ kind, name }) => kind !== 'answer' || name !== 'get-quiz-details');
}

describe('retry-after', () => {
  const asked = { ms: 0, ...throttled, retryAfter: 2 };

  it.each([
    ['exactly as long', 2000, 'passed'],
    ['a timer that fires a little early', 1950, 'passed'],
    ['less than that', 1949, 'failed'],
    ['not at all', 0, 'failed'],
  ])('counts the wait in real time: %s', (_, ms, verdict) => {
    expect(verdictOf('retry-after', asked, { ms })).toBe(verdict);
  });

  it("counts the wait on the sandbox's clock, where a test moves that on", () => {
    expect(verdictOf('retry-after', asked, { ms: 3, sandboxMs: 2000 })).toBe('passed');
    expect(verdictOf('retry-after', asked, { ms: 3, sandboxMs: 1000 })).toBe('failed');
  });

  it('begins with the reply, not with the call', () => {
    expect(verdictOf('retry-after', { ...asked, tookMs: 500 }, { ms: 2100 })).toBe('failed');
    expect(verdictOf('retry-after', { ...asked, tookMs: 500 }, { ms: 2500 })).toBe('passed');
  });

  it("reads a date as one of the sandbox's clock", () => {
    const date = { ms: 0, ...throttled, retryAfter: 'Tue, 01 Sep 2026 08:00:10 GMT' };
    expect(verdictOf('retry-after', date, { ms: 10_000 })).toBe('passed');
    expect(verdictOf('retry-after', date, { ms: 9000 })).toBe('failed');
  });

  it('holds for other requests to the operation too, once the client can have had the reply', () => {
    const other = { elements: [{ quizId: 'b' }] };
    expect(verdictOf('retry-after', asked, { ms: 1, ...other })).toBe('failed');
    expect(verdictOf('retry-after', asked, { ms: 99, connection: '127.0.0.1:50001', ...other })).toBe(
      'not-exercised',
    );
    expect(verdictOf('retry-after', asked, { ms: 101, connection: '127.0.0.1:50001', ...other })).toBe(
      'failed',
    );
  });

  it('holds for no other operation and no other key', () => {
    expect(verdictOf('retry-after', asked, { ms: 1, operation: 'list-assignments' })).toBe('not-exercised');
    expect(verdictOf('retry-after', asked, { ms: 1, key: 'sbx_defa…ge' })).toBe('not-exercised');
  });

  it('has no occasion where the client never called again', () => {
    expect(verdictOf('retry-after', asked)).toBe('not-exercised');
  });
});

describe('calls in general', () => {
  it('are taken in the order in which they came, also within a millisecond', () => {
    const first = { ms: 0, number: 1, elements: [{ quizId: 'b' }] };
    const second = { ms: 0, number: 2, ...throttled, retryAfter: 2 };
    expect(verdictOf('retry-after', first, second)).toBe('not-exercised');
    expect(verdictOf('retry-after', second, first)).toBe('not-exercised');
  });

  it('whose reply was too long to be kept went well where nothing failed', () => {
    expect(answers({ ms: 0, cutReply: 9 })).toBe(true);
    expect(answers({ ms: 0, cutReply: 9, faults: ['long-strings'] })).toBe(true);
    expect(answers({ ms: 0, cutReply: 9, outputs: ['error'], failures: ['not-found'] })).toBe(false);
  });
});

describe('limits', () => {
  it('name the first refusal of each time that the client ran into the limit', () => {
    const entries = entriesOf(overLimit(3));
    const { conduct } = makeReport('default', { entries, evicted: 0 });
    const { findings } = conduct.find(({ check }) => check === 'limits') ?? {};
    expect(
      findings?.map(({ message, evidence }) => [message, ...evidence.map(({ requestId }) => requestId)]),
    ).toEqual([['The client hit the rate limit 3 times.', 'default-2', 'default-5', 'default-8']]);
  });

  it('may be run into twice, refusals in a row being one time', () => {
    expect(verdictOf('limits', ...overLimit(2))).toBe('passed');
    expect(verdictOf('limits', ...overLimit(3))).toBe('failed');
  });

  it('are not those that a fault pretends', () => {
    const pretended = Array.from({ length: 6 }, (_, index) => ({
      ms: index,
      ...(index % 2 === 0 ? {} : { status: 429, faults: ['throttled'] }),
    }));
    expect(verdictOf('limits', ...pretended)).toBe('not-exercised');
  });
});

describe('batches', () => {
  const two = { elements: [{ quizId: 'a' }, { quizId: 'b' }] };
  const partial = { ms: 0, ...two, outputs: ['ok', 'error'] } as const;

  it('cannot be judged where the reply was too long to be kept whole, and the others still are', () => {
    const again = { ms: 1000, ...two };
    expect(verdictOf('batches', partial, again)).toBe('failed');
    const cut = { ...partial, cutReply: 9 };
    expect(verdictOf('batches', cut, again)).toBe('not-exercised');
    const others = [{ quizId: 'c' }, { quizId: 'd' }];
    expect(
      verdictOf(
        'batches',
        cut,
        again,
        { ...partial, ms: 2000, elements: others },
        { ms: 3000, elements: [{ quizId: 'd' }] },
      ),
    ).toBe('passed');
  });

  it('are done again in the part that failed', () => {
    expect(verdictOf('batches', partial, { ms: 9, elements: [{ quizId: 'b' }] })).toBe('passed');
    expect(verdictOf('batches', partial, { ms: 9, ...two })).toBe('failed');
  });

  it('are read by index: who sends the wrong element again has not', () => {
    expect(verdictOf('batches', partial, { ms: 9, elements: [{ quizId: 'a' }] })).toBe('failed');
  });

  it('count outputs that are not there as failed', () => {
    expect(
      verdictOf('batches', { ...partial, outputs: ['ok'] }, { ms: 9, elements: [{ quizId: 'b' }] }),
    ).toBe('passed');
  });

  it('are no matter of calls that were under way, of other operations, or of other keys', () => {
    expect(verdictOf('batches', { ...partial, tookMs: 50 }, { ms: 9, ...two })).toBe('passed');
    expect(verdictOf('batches', partial, { ms: 9, ...two, key: 'sbx_defa…ge' })).toBe('passed');
    expect(verdictOf('batches', partial, { ms: 9, ...two, operation: 'list-assignments' })).toBe('passed');
  });
});

describe('hammering', () => {
  it.each([
    ['one quick try more', [10], 'passed'],
    ['two in a row', [10, 10], 'failed'],
    ['two that are not in a row', [10, 500, 10, 500], 'passed'],
    ['as slow as is tolerated', [100, 100, 100], 'passed'],
    ['just quicker', [99, 99], 'failed'],
  ])('tolerates one quick try more, and no second one behind it: %s', (_, pauses, verdict) => {
    expect(verdictOf('hammering', ...outage('get-quiz-details', 0, pauses))).toBe(verdict);
  });

  it('counts calls that never had a reply, and not those that were throttled or told when to come back', () => {
    expect(verdictOf('hammering', { ms: 0, ...lost }, { ms: 1, ...lost }, { ms: 2 })).toBe('failed');
    expect(
      verdictOf('hammering', { ms: 0, ...down, retryAfter: 1 }, { ms: 1, ...down, retryAfter: 1 }, { ms: 2 }),
    ).toBe('not-exercised');
  });

  it('takes calls that are under way at once for twins, not for repeats', () => {
    const twins = [0, 1, 2].map((ms) => ({ ms, tookMs: 50, ...down, connection: `127.0.0.1:5000${ms}` }));
    expect(verdictOf('hammering', ...twins)).toBe('not-exercised');
  });
});

describe('backoff', () => {
  it.each([
    ['grow', [200, 400], 'passed'],
    ['grow as little as is wanted', [1000, 1200], 'passed'],
    ['grow less', [1000, 1190], 'failed'],
    ['stay the same', [500, 500, 500], 'failed'],
    ['shrink', [400, 200], 'failed'],
  ])('wants pauses that grow: they %s', (_, pauses, verdict) => {
    expect(verdictOf('backoff', ...outage('get-quiz-details', 0, pauses))).toBe(verdict);
  });

  it('looks at all series together, so that one with pauses drawn by lot may be flat', () => {
    const flat = outage('get-quiz-details', 0, [300, 310]);
    expect(verdictOf('backoff', ...flat)).toBe('failed');
    expect(verdictOf('backoff', ...flat, ...outage('list-assignments', 5000, [200, 700]))).toBe('passed');
  });

  it('cannot tell from a single pause, nor from one after a reply that never came', () => {
    const silent = { status: 0, faults: ['timeout'] };
    expect(verdictOf('backoff', { ms: 0, ...down }, { ms: 500 })).toBe('not-exercised');
    expect(verdictOf('backoff', { ms: 0, ...silent }, { ms: 5000, ...down }, { ms: 5500 })).toBe(
      'not-exercised',
    );
  });
});

describe('hopeless-repeats', () => {
  const wrong = { outputs: ['error'], failures: ['invalid'] } as const;
  const other = { elements: [{ quizId: 'b' }] };

  it('sees a repeat at once, and with something in between only the third time', () => {
    expect(verdictOf('hopeless-repeats', { ms: 0, ...wrong })).toBe('passed');
    expect(verdictOf('hopeless-repeats', { ms: 0, ...wrong }, { ms: 9, ...wrong })).toBe('failed');
    expect(verdictOf('hopeless-repeats', { ms: 0, ...wrong }, { ms: 5, ...other }, { ms: 9, ...wrong })).toBe(
      'passed',
    );
    const thrice = [0, 1, 2].flatMap((round) => [
      { ms: round * 10, ...wrong },
      { ms: round * 10 + 5, ...other },
    ]);
    expect(verdictOf('hopeless-repeats', ...thrice)).toBe('failed');
  });

  it('leaves alone what may change: a recording that is not ready yet, an element that a fault hit', () => {
    const notYet = { outputs: ['error'], failures: ['conflict'] } as const;
    const injected = { outputs: ['error'], failures: ['injected'], faults: ['element-error'] } as const;
    expect(verdictOf('hopeless-repeats', { ms: 0, ...notYet }, { ms: 9, ...notYet })).toBe('not-exercised');
    expect(verdictOf('hopeless-repeats', { ms: 0, ...injected }, { ms: 9, ...injected })).toBe(
      'not-exercised',
    );
  });

  it('goes by why an element failed, also where that brings an HTTP status of its own', () => {
    const notYet = {
      outputs: ['error'],
      failures: ['conflict'],
      status: 409,
      outcome: 'element-error',
    } as const;
    const gone = {
      outputs: ['error'],
      failures: ['not-found'],
      status: 404,
      outcome: 'element-error',
    } as const;
    expect(verdictOf('hopeless-repeats', { ms: 0, ...notYet }, { ms: 9, ...notYet })).toBe('not-exercised');
    expect(verdictOf('hopeless-repeats', { ms: 0, ...gone }, { ms: 9, ...gone })).toBe('failed');
  });

  it('counts a call that was merely late too', () => {
    const late = { ...wrong, faults: ['delay'] } as const;
    expect(verdictOf('hopeless-repeats', { ms: 0, ...late }, { ms: 9, ...late })).toBe('failed');
  });

  it('leaves alone a repeat that went well', () => {
    expect(verdictOf('hopeless-repeats', { ms: 0, ...wrong }, { ms: 9 })).toBe('passed');
  });

  it('allows four calls more of an operation with a key that is refused', () => {
    expect(verdictOf('hopeless-repeats', ...refused(4))).toBe('passed');
    expect(verdictOf('hopeless-repeats', ...refused(5))).toBe('failed');
  });
});

describe('unsafe-repeats', () => {
  const submit = { operation: 'submit-user-course-item', elements: [{ courseItemId: 'a', userId: 'b' }] };

  it.each([
    ['no reply', { status: 0, faults: ['reset'] }, 'failed'],
    ['a reply that it did not wait for', { status: 0, outcome: 'client-gone' }, 'failed'],
    ['HTTP 502', { status: 502, faults: ['http-error'] }, 'failed'],
    ['the page of a gateway', { status: 503, faults: ['html-error-page'] }, 'failed'],
    ['HTTP 503, which says that nothing happened', { status: 503, faults: ['http-error'] }, 'not-exercised'],
    ['being throttled', throttled, 'not-exercised'],
  ])('is about writes that may have taken effect: %s', (_, ending, verdict) => {
    expect(verdictOf('unsafe-repeats', { ms: 0, ...submit, ...ending }, { ms: 900, ...submit })).toBe(
      verdict,
    );
  });

  it('allows to repeat what does no harm, and anything that is read', () => {
    const lab = { operation: 'update-interactive-coding-lab', elements: [{ labId: 'a' }] };
    expect(verdictOf('unsafe-repeats', { ms: 0, ...lab, ...lost }, { ms: 900, ...lab })).toBe('passed');
    expect(verdictOf('unsafe-repeats', { ms: 0, ...lost }, { ms: 900 })).toBe('not-exercised');
  });
});

describe('connection-reuse', () => {
  it('fails a client that opens a connection for each of many calls, and says nothing of few', () => {
    expect(verdictOf('connection-reuse', ...callsOn(6, (index) => `127.0.0.1:${50_000 + index}`))).toBe(
      'failed',
    );
    expect(verdictOf('connection-reuse', ...callsOn(5, (index) => `127.0.0.1:${50_000 + index}`))).toBe(
      'not-exercised',
    );
    expect(verdictOf('connection-reuse', ...callsOn(6, () => '127.0.0.1:50000'))).toBe('passed');
  });

  it('tolerates as many new connections as there were calls on old ones', () => {
    expect(verdictOf('connection-reuse', ...callsOn(12, twoOnEach).slice(1))).toBe('passed');
  });

  it('does not count connections that calls at once need, nor those after a long rest', () => {
    const atOnce = Array.from({ length: 8 }, (_, index) => ({
      ms: 0,
      tookMs: 50,
      connection: `127.0.0.1:${50_000 + index}`,
    }));
    expect(verdictOf('connection-reuse', ...atOnce)).toBe('not-exercised');
    expect(verdictOf('connection-reuse', ...callsOn(8, (index) => `127.0.0.1:${50_000 + index}`, 5000))).toBe(
      'not-exercised',
    );
  });

  it('does not count connections that take the place of broken ones', () => {
    const broken = callsOn(8, (index) => `127.0.0.1:${50_000 + index}`).map((sketch) => ({
      ...sketch,
      ...lost,
    }));
    expect(verdictOf('connection-reuse', ...broken)).toBe('not-exercised');
  });
});

describe('giving-up', () => {
  it('wants one more try, not success', () => {
    expect(verdictOf('giving-up', { ms: 0, ...down })).toBe('failed');
    expect(verdictOf('giving-up', { ms: 0, ...down }, { ms: 900, ...down })).toBe('passed');
  });

  it('allows to give up a submission whose reply was lost, and what is refused for good', () => {
    const submit = { operation: 'submit-user-course-item', elements: [{ courseItemId: 'a', userId: 'b' }] };
    expect(verdictOf('giving-up', { ms: 0, ...submit, ...lost })).toBe('not-exercised');
    expect(verdictOf('giving-up', { ms: 0, ...submit, ...down })).toBe('failed');
    expect(verdictOf('giving-up', { ms: 0, status: 404, outcome: 'unknown-id' })).toBe('not-exercised');
    expect(verdictOf('giving-up', { ms: 0, status: 501, faults: ['http-error'] })).toBe('not-exercised');
    expect(verdictOf('giving-up', { ms: 0, status: 505, faults: ['http-error'] })).toBe('not-exercised');
  });

  it.each([
    ['HTTP 503', down],
    ['HTTP 408', { status: 408, faults: ['http-error'] }],
    ['a rate limit', throttled],
    ['a lost response', lost],
    ['it stopped waiting for the response', { status: 0, outcome: 'client-gone' }],
  ])('tells after what the client gave up: %s', (what, ending) => {
    const { conduct } = makeReport('default', { entries: entriesOf([{ ms: 0, ...ending }]), evicted: 0 });
    const [finding] = conduct.find(({ check }) => check === 'giving-up')?.findings ?? [];
    expect(finding?.message).toBe(`The client did not retry the call after ${what}.`);
  });
});
