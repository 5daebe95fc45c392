import { describe, expect, it } from 'vitest';
import { makeReport } from '../../src/report/report.ts';
import { entriesOf, twice, type Sketch } from './entries.ts';
import { down, outage, reasonOf, together, verdictOf } from './outages.ts';
import { seeded } from './seeded.ts';

const throttled = { status: 429, outcome: 'throttled' } as const;
const lost = { status: 0, faults: ['reset'] } as const;

/** The same after a failure in each scope: without one, a test may repeat requests on purpose. */
function afterFailure(check: string, ...sketches: readonly Sketch[]): string | undefined {
  const scopes = new Set(sketches.flatMap(({ scope }) => (scope === undefined ? [] : [scope])));
  const failures = [...scopes].map((scope) => ({ ms: -9000, scope, operation: 'list-assignments', ...down }));
  return verdictOf(check, ...failures, ...sketches);
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

/** A client that sends so many different calls, of which all after the 60th are refused. */
function overLimit(count: number, everyMs: number, connection: (index: number) => string): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index * everyMs,
    connection: connection(index),
    elements: [{ quizId: String(index) }],
    ...(index < 60 ? {} : throttled),
  }));
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

/** Always the same connection. */
function one(): string {
  return '127.0.0.1:50000';
}

/** One of twenty connections. */
function many(index: number): string {
  return `127.0.0.1:${50_000 + (index % 20)}`;
}

/** So many outages of different operations, each with these pauses. */
function outages(count: number, pauses: readonly number[]): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) =>
    outage('get-quiz-details', index * 100_000, pauses).map((sketch) => ({
      ...sketch,
      elements: [{ quizId: String(index) }],
    })),
  ).flat();
}

/** Five outages in a scope. */
function retriedIn(scope: string, pauses: readonly number[]): readonly Sketch[] {
  return outages(5, pauses).map((sketch) => ({ ...sketch, scope }));
}

/** The same request so many times. */
function again(count: number, sketch: Partial<Sketch>, everyMs = 9): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({ ...sketch, ms: index * everyMs }));
}

/** A test that calls a failing record in a loop. */
function loop(scope: string, quizId: string, count = 10): readonly Sketch[] {
  return again(count, { scope, elements: [{ quizId }], ...down }, 2);
}

/** A connection of its own. */
function own(index: number): string {
  return `127.0.0.1:${50_000 + index}`;
}

function tries(count: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({ ms: index * 1000, ...down }));
}

/** Reads that are sent once more after 150 ms, and of which the first is given up after 400 ms. */
function hedged(answeredMs: number): readonly Sketch[] {
  return Array.from({ length: 6 }, (_, index): readonly Sketch[] => [
    { ms: index * 1000, tookMs: 400, clientLeft: true, outcome: 'client-gone', status: 0 },
    { ms: index * 1000 + 150, tookMs: answeredMs - 150, connection: own(1) },
  ]).flat();
}

/** A call of a program that serves users with four connections. */
function user(index: number, ms: number, quizId: string, more: Partial<Sketch>): Sketch {
  return { ms, connection: own(index % 4), elements: [{ quizId }], ...more };
}

/** Reads one of many records, which may fail. */
function read(ms: number, quizId: number, isDown: boolean): Sketch {
  return { ms, elements: [{ quizId: `${quizId}` }], ...(isDown ? down : {}) };
}

/** So many requests, each sent so often, with a pause in between and a new connection for each, and told to wait. */
function reconnecting(requests: number, times: number, pause: number): readonly Sketch[] {
  return Array.from({ length: requests * times }, (_, index) => ({
    ms: index * pause,
    connection: own(index),
    closedMs: index * pause + 1,
    elements: [{ quizId: `${Math.floor(index / times)}` }],
    ...throttled,
    retryAfter: 10,
  }));
}

/** So many calls of a test on two connections in turn, each twice, and told to wait. */
function alternating(count: number, tookMs: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index * 5,
    tookMs,
    scope: 'a test',
    connection: own(index % 2),
    elements: [{ quizId: `${Math.floor(index / 2)}` }],
    ...throttled,
    retryAfter: 2,
  }));
}

/** The same request of several workers in a test: each is told to wait for so many milliseconds, and comes after that. */
function waiting(startMs: readonly number[], toldMs: number, laterMs: number): readonly Sketch[] {
  const first = startMs.map((ms) => ({ ms, scope: 'a test', ...throttled, retryAfter: toldMs / 1000 }));
  const again = startMs.map((ms) => ({ ms: ms + toldMs + laterMs, scope: 'a test' }));
  return [...first, ...again];
}

/** Calls that fail, six at once and later six more, on so many connections in turn. */
function readers(connections: number, more: Partial<Sketch> = {}): readonly Sketch[] {
  return Array.from({ length: 12 }, (_, index) => ({
    ms: Math.floor(index / 6) * 400 + (index % 6),
    connection: own(index % connections),
    ...down,
    ...more,
  }));
}

/** Submissions of a test, each of which is lost, and sent again after so many milliseconds. */
function resubmitted(waits: readonly number[], ending: Partial<Sketch> = lost): readonly Sketch[] {
  return waits.flatMap((wait, index) => {
    const submit = submission(index * 20_000, `${index}@school.example`);
    return [
      { ...submit, ...ending },
      { ...submit, ms: submit.ms + wait },
    ];
  });
}

/** A submission of a learner. */
function submission(ms: number, userEmail: string): Sketch {
  return {
    ms,
    operation: 'submit-user-course-item',
    scope: 'a test',
    elements: [{ courseItemId: 'a', userEmail }],
  };
}

/** The same list every so many milliseconds, of which the limit allows 15 a minute. */
function polled(everyMs: number, retryAfter?: number): readonly Sketch[] {
  return Array.from({ length: 30 }, (_, index) => ({
    ms: index * everyMs,
    operation: 'get-all-instructors',
    elements: [{}],
    ...(index < 15 ? {} : { ...throttled, ...(retryAfter === undefined ? {} : { retryAfter }) }),
  }));
}

/** `count` calls that read the records in turn, one every `everyMs`. All after the 60th are refused. */
function recordsInTurn(count: number, everyMs: number, records = 7): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index * everyMs,
    elements: [{ quizId: String(index % records) }],
    ...(index < 60 ? {} : throttled),
  }));
}

/** Requests that end in some way one after the other, and are all refused later. */
function scheduled(count: number, ending: Partial<Sketch>, startMs = 0): readonly Sketch[] {
  const refusedFirst = { ms: 1000, elements: [{ quizId: 'first' }], ...throttled };
  const all = Array.from({ length: count }, (_, index) => ({
    ms: startMs + index * 50,
    elements: [{ quizId: String(index) }],
  }));
  const again = all.map((sketch) => ({ ...sketch, ms: sketch.ms + 6000, ...throttled }));
  const first = all.map((sketch) => ({ ...sketch, ...ending }));
  return [...first, refusedFirst, ...again].toSorted((one, other) => one.ms - other.ms);
}

/** The same request again every second, although it is throttled. */
function pressing(count: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({ ms: index * 1100, ...throttled }));
}

/** Requests of which each fails, and is sent again after so many milliseconds. */
function failedFirst(pause: number): readonly Sketch[] {
  return Array.from({ length: 8 }, (_, index): readonly Sketch[] => {
    const elements = [{ quizId: String(index) }];
    return [
      { ms: index * 5000, ...down, elements },
      { ms: index * 5000 + pause, elements },
    ];
  }).flat();
}

/** Forty workers, each of which sends its call so many times, whatever it is told. */
function crowd(times: number): readonly Sketch[] {
  return Array.from({ length: 40 * times }, (_, index) => ({
    ms: Math.floor(index / 40) * 1100 + (index % 40) * 10,
    elements: [{ quizId: String(index % 40) }],
    ...(index % 40 < 6 ? {} : throttled),
  }));
}

/** Eight requests that fail together, and are retried after a second, each so many milliseconds later. */
function round(from: number, apart: number, count = 8): readonly Sketch[] {
  return together(
    from,
    Array.from({ length: count }, (_, index) => 1000 + index * apart),
  );
}

function spreadRounds(count: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => round(100_000 + index * 9000, 40)).flat();
}

/** Rounds of eight requests that fail together, and are retried after a second. */
function rounds(count: number, apart: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => round(index * 9000, apart)).flat();
}

/** Calls that the client gave up after so many milliseconds, and sent again. */
function hasty(count: number, tookMs: number, isRepeated = true): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => {
    const elements = [{ quizId: String(index) }];
    const left = { ms: index * 5000, tookMs, clientLeft: true, elements };
    return isRepeated ? [left, { ms: index * 5000 + 2500, elements }] : [left];
  }).flat();
}

/** The same calls to another operation. */
function inOne(sketches: readonly Sketch[], operation: string): readonly Sketch[] {
  return sketches.map((sketch) => ({
    ...sketch,
    operation,
    elements: [{ id: `${operation} ${JSON.stringify(sketch.elements)}` }],
  }));
}

/** Calls of two operations at the same time. */
function both(one: readonly Sketch[], other: readonly Sketch[]): readonly Sketch[] {
  return [...inOne(one, 'get-quiz-details'), ...inOne(other, 'list-assignments')].toSorted(
    (before, after) => before.ms - after.ms,
  );
}

/** The same calls, so much later, of other records. */
function laterBy(sketches: readonly Sketch[], ms: number): readonly Sketch[] {
  return sketches.map((sketch) => ({
    ...sketch,
    ms: sketch.ms + ms,
    elements: (sketch.elements ?? []).map((element) => ({ quizId: `${ms} ${JSON.stringify(element)}` })),
  }));
}

/** Visits of so many pages in turn, each of which the user leaves before it has its response. */
function visits(pages: number): readonly Sketch[] {
  return Array.from({ length: 14 }, (_, index) => ({
    ms: index * 400,
    tookMs: 230,
    clientLeft: true,
    elements: [{ quizId: `${index % pages}` }],
  }));
}

/** Calls that are so many milliseconds apart, of which three of six fail and are repeated. */
function evenly(everyMs: number): readonly Sketch[] {
  return Array.from({ length: 30 }, (_, index) => ({
    ms: index * everyMs,
    elements: [{ quizId: String(index % 6 < 4 ? index - (index % 6) : index) }],
    ...(index % 6 < 3 ? down : {}),
  }));
}

/** The same request every so many milliseconds, which fails from some time on. */
function every(ms: number, failsFrom: number): readonly Sketch[] {
  return Array.from({ length: 30 }, (_, index) => ({ ms: index * ms, ...(index < failsFrom ? {} : down) }));
}

/** Three requests, each again so many milliseconds after its response, which comes sooner once all of them fail. */
function refreshed(pause: number, retryPause = pause): readonly Sketch[] {
  const all = ['a', 'b', 'c'].flatMap((quizId, part) => {
    let ms = part;
    return Array.from({ length: 30 }, (_, index): Sketch => {
      const isDown = index >= 5;
      const tookMs = isDown ? 5 : 800;
      const sketch = { ms, tookMs, scope: 'a page', elements: [{ quizId }], ...(isDown ? down : {}) };
      ms += tookMs + (isDown ? retryPause : pause);
      return sketch;
    });
  });
  return all.toSorted((before, after) => before.ms - after.ms);
}

/** Ten requests in turn, four times, of which all fail but the last. */
function inTurn(gap: (index: number) => number, tookMs = 0): readonly Sketch[] {
  let ms = 0;
  return Array.from({ length: 40 }, (_, index) => ({
    ms: (ms += gap(index)),
    tookMs,
    elements: [{ quizId: String(index % 10) }],
    ...(index < 30 ? down : {}),
  }));
}

/** Ten at once, and a pause. */
function inTens(index: number): number {
  return index % 10 === 0 ? 910 : 10;
}

/** A client that tries so many records in each round, one after another, with these pauses, while the service is down. */
function inRounds(records: number, pauses: readonly number[], gapMs: number, count = 12): readonly Sketch[] {
  let ms = 0;
  return Array.from({ length: count }, () => {
    const round = Array.from({ length: records }, (_, record) => {
      const own = outage('get-quiz-details', ms, pauses).map((sketch) => ({
        ...sketch,
        scope: 'a program',
        elements: [{ quizId: String(record) }],
      }));
      ms = (own.at(-1)?.ms ?? ms) + 1;
      return own;
    });
    ms += gapMs;
    return round;
  }).flat(2);
}

/** A batch of a record that is gone and of another one. */
function withGone(index: number): Sketch {
  return {
    ms: index * 100,
    elements: [{ quizId: 'gone' }, { quizId: String(index) }],
    outputs: ['error', 'ok'],
    failures: ['not-found'],
  };
}

function withoutScope(sketch: Sketch): Sketch {
  const { scope: _, ...others } = sketch;
  return others;
}

function search(scope: string, ms: number, filterTerm: string): Sketch {
  return { ms, scope, operation: 'get-video-library', elements: [{ filterTerm, pageNumber: 1 }] };
}

/** So many different calls, of which the first six are within the limit. */
function scaled(count: number, everyMs: number): readonly Sketch[] {
  return Array.from({ length: count }, (_, index) => ({
    ms: index * everyMs,
    elements: [{ quizId: String(index) }],
    ...(index % 40 < 6 ? {} : throttled),
  }));
}

/** So many retries after pauses, each of which is retried twice at once. */
function nested(count: number): readonly Sketch[] {
  return outage('get-quiz-details', 0, [0, ...Array.from({ length: count }, () => [0, 0, 400]).flat()]);
}

/** A request that fails and is retried later than the others. */
function laterRetry(ms: number): readonly Sketch[] {
  const elements = [{ quizId: `other-${ms}` }];
  return [
    { ms, elements, ...down },
    { ms: ms + 3000, elements },
  ];
}

function probe(ms: number): Sketch {
  return { ms, elements: [{ quizId: 'probe' }] };
}

/** The parts of a page that are missing for good. */
function deadParts(ms: number): readonly Sketch[] {
  const missing = { outputs: ['error'], failures: ['not-found'], scope: 'a' } as const;
  return [0, 1, 2].map((index) => ({ ...missing, ms, elements: [{ quizId: String(index) }] }));
}

/** Failures in a test, of which the first ones are retried. */
function retriedAtFirst(retried: number, others: number, pauseMs: number): readonly Sketch[] {
  return Array.from({ length: retried + others }, (_, index) => {
    const failure = { ...callOf(index, index * 10), ...down };
    return index < retried ? [failure, callOf(index, index * 10 + pauseMs)] : [failure];
  })
    .flat()
    .toSorted((one, other) => one.ms - other.ms);
}

function callOf(index: number, ms: number): Sketch {
  return { ms, scope: 'a test', elements: [{ quizId: `own-${index}` }] };
}

/** Whether the call counts as a good answer of its operation. */
function answers(sketch: Sketch): boolean {
  const { missing } = makeReport('default', { entries: entriesOf([sketch]), evicted: 0 }).situations;
  return missing.every(({ kind, name }) => kind !== 'answer' || name !== 'get-quiz-details');
}

describe('retry-after', () => {
  it('does not judge a pool of connections of which some requests come too early: they may be of other users', () => {
    const waiting = { ...throttled, retryAfter: 2 };
    // Of each record, another user asks early, and both ask again in time.
    const pages = Array.from({ length: 8 }, (_, index) => [
      user(index, index * 10, `${index}`, waiting),
      user(index + 1, index * 10 + 500, `${index}`, waiting),
      user(index, index * 10 + 3000, `${index}`, {}),
      user(index + 1, index * 10 + 3500, `${index}`, {}),
    ]).flat();
    const calls = pages.toSorted((one, other) => one.ms - other.ms);
    expect(verdictOf('retry-after', ...calls)).toBe('not-judged');
    const early = Array.from({ length: 8 }, (_, index) => [
      user(index, index * 10, `${index}`, waiting),
      user(index, index * 10 + 300, `${index}`, {}),
    ]).flat();
    expect(verdictOf('retry-after', ...early.toSorted((one, other) => one.ms - other.ms))).toBe('failed');
  });

  const scope = 'a test';
  const asked = { ms: 0, scope, ...throttled, retryAfter: 2 };

  it('does not judge a second copy of a slow read, which the client sent before a response arrived', () => {
    const waiting = { ...throttled, retryAfter: 2 };
    const hedged = (second: Partial<Sketch>): readonly Sketch[] =>
      Array.from({ length: 8 }, (_, index) => [
        { ...user(index, index * 9000, `${index}`, waiting), scope },
        { ...user(index + 1, index * 9000 + 400, `${index}`, second), scope },
        { ...user(index, index * 9000 + 3500, `${index}`, {}), scope },
      ]).flat();
    expect(verdictOf('retry-after', ...hedged(waiting))).toBe('not-judged');
    expect(verdictOf('retry-after', ...hedged({}))).toBe('not-judged');
  });

  it('does not judge a retry that came late enough after the other copy of a slow read', () => {
    const first = { ...asked, connection: own(1) };
    const copy = { ...asked, ms: 300, retryAfter: 10, connection: own(2) };
    const retry = { ms: 3500, scope, connection: own(2) };
    expect(verdictOf('retry-after', ...twice(first, copy, retry))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice({ ...first, retryAfter: 10 }, copy, retry))).toBe('failed');
    expect(verdictOf('retry-after', ...twice({ ...first, connection: own(2) }, copy, retry))).toBe('failed');
  });

  it('does not judge a retry after a lost response, which closed the connection and opened another', () => {
    const days = Array.from({ length: 8 }, (_, index) => {
      const ms = index * 30_000;
      const elements = [{ quizId: `${index}` }];
      return [
        { ...asked, retryAfter: 10, ms, elements, connection: own(index), closedMs: ms + 5000 },
        { ms: ms + 6190, scope, elements, connection: own(index + 1) },
      ];
    }).flat();
    expect(verdictOf('retry-after', ...days)).toBe('not-judged');
  });

  it('holds on another connection if the client had used that of the response again', () => {
    const between = { ms: 200, scope, elements: [{ quizId: 'b' }] };
    const again = { ms: 500, scope, connection: own(1) };
    expect(verdictOf('retry-after', ...twice(asked, between, again))).toBe('failed');
    expect(verdictOf('retry-after', ...twice(asked, again, { ...between, ms: 600 }))).toBe('not-judged');
  });

  it.each([
    ['exactly as long', 2000, 'passed'],
    ['a timer that fires a little early', 1950, 'passed'],
    ['less than that', 1949, 'failed'],
    ['not at all', 0, 'failed'],
  ])('counts the wait in real time: %s', (_, ms, verdict) => {
    expect(verdictOf('retry-after', ...twice(asked, { ms, scope }))).toBe(verdict);
  });

  it("counts the wait on the sandbox's clock, where a test moves that on", () => {
    expect(verdictOf('retry-after', ...twice(asked, { ms: 3, scope, sandboxMs: 2000 }))).toBe('passed');
    expect(verdictOf('retry-after', ...twice(asked, { ms: 3, scope, sandboxMs: 1000 }))).toBe('failed');
  });

  it('begins with the reply, not with the call', () => {
    expect(verdictOf('retry-after', ...twice({ ...asked, tookMs: 500 }, { ms: 2100, scope }))).toBe('failed');
    expect(verdictOf('retry-after', ...twice({ ...asked, tookMs: 500 }, { ms: 2500, scope }))).toBe('passed');
  });

  it("reads a date as one of the sandbox's clock", () => {
    const date = { ms: 0, scope, ...throttled, retryAfter: 'Tue, 01 Sep 2026 08:00:10 GMT' };
    expect(verdictOf('retry-after', ...twice(date, { ms: 10_000, scope }))).toBe('passed');
    expect(verdictOf('retry-after', ...twice(date, { ms: 9000, scope }))).toBe('failed');
  });

  it('holds for the same element, in whatever batch and with its fields in whatever order', () => {
    const pair = { ...asked, elements: [{ a: 1, b: 2 }, { a: 3 }] };
    expect(
      verdictOf('retry-after', ...twice(pair, { ms: 9, scope, elements: [{ c: 1 }, { b: 2, a: 1 }] })),
    ).toBe('failed');
  });

  it('does not hold for other requests, because several workers may each wait for their own response', () => {
    expect(verdictOf('retry-after', ...twice(asked, { ms: 9, scope, elements: [{ quizId: 'b' }] }))).toBe(
      'not-exercised',
    );
  });

  it('does not hold for the same request on another connection, within the first moments', () => {
    const twin = { scope, connection: '127.0.0.1:50001' };
    expect(verdictOf('retry-after', ...twice(asked, { ms: 99, ...twin }))).toBe('not-exercised');
    expect(verdictOf('retry-after', ...twice(asked, { ms: 101, ...twin }))).toBe('not-judged');
  });

  it('holds for a client with a new connection for each call', () => {
    expect(verdictOf('retry-after', ...reconnecting(8, 5, 3))).toBe('failed');
    // One that waits as it likes repeats several requests, and those of users are several calls for one.
    expect(verdictOf('retry-after', ...reconnecting(7, 5, 800))).toBe('failed');
    expect(verdictOf('retry-after', ...reconnecting(3, 9, 800))).toBe('not-judged');
    // A second copy, or a few lost responses, look the same.
    expect(verdictOf('retry-after', ...reconnecting(40, 2, 3))).toBe('not-judged');
    expect(verdictOf('retry-after', ...reconnecting(13, 3, 3))).toBe('not-judged');
    expect(verdictOf('retry-after', ...reconnecting(14, 3, 3))).toBe('failed');
    // So may three copies, if they are not sent at once.
    expect(verdictOf('retry-after', ...reconnecting(20, 3, 200))).toBe('not-judged');
    const later = reconnecting(8, 5, 110).map((sketch) => ({ ...sketch, closedMs: 9999 }));
    expect(verdictOf('retry-after', ...later)).toBe('not-judged');
  });

  it('is not judged within the first moments for a client that sends one call at a time, on another connection', () => {
    expect(verdictOf('retry-after', ...alternating(10, 2))).toBe('not-judged');
    expect(verdictOf('retry-after', ...alternating(9, 2))).toBe('not-exercised');
    expect(verdictOf('retry-after', ...alternating(10, 7))).toBe('not-exercised');
  });

  it('does not judge workers of a test, each of which waits for its own response', () => {
    const starts = [0, 300, 600];
    expect(verdictOf('retry-after', ...twice(...waiting(starts, 3000, 0)))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...waiting(starts, 3000, -100)))).toBe('failed');
    expect(verdictOf('retry-after', ...twice(...waiting(starts, 3000, 0).slice(0, -2)))).toBe('failed');
    // The later call may be the next use of the record, but not in a queue, whose workers have a connection each.
    const late = waiting(starts, 3000, 2500);
    expect(verdictOf('retry-after', ...twice(...late.slice(0, -2)))).toBe('failed');
    const queue = late.map((sketch, index) => ({ ...sketch, connection: own(index) }));
    expect(verdictOf('retry-after', ...twice(...queue))).toBe('not-judged');
  });

  it('allows a worker to give up after its third try in time, if there are several', () => {
    const told = (ms: number, connection: number): Sketch => ({ ...asked, ms, connection: own(connection) });
    const fetch = { ms: 0, scope, elements: [{ quizId: 'other' }] };
    const pool = [2, 3, 4].map((index) => ({ ...fetch, connection: own(index) }));
    const tries = [told(1, 0), told(2001, 0), told(4001, 0)];
    const other = { ms: 4501, scope, connection: own(0) };
    expect(verdictOf('retry-after', ...twice(...pool, ...tries, other))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...pool, ...tries.slice(1), other))).toBe('failed');
    // Responses that may have been lost: without them, the client waited after most responses.
    const lost = [1, 2, 3].flatMap((index): readonly Sketch[] => {
      const ms = index * 9000 - 40_000;
      const read = { ...asked, elements: [{ quizId: `lost ${index}` }], closedMs: ms + 501 };
      return [
        { ...read, ms, connection: own(20 + index) },
        { ...read, ms: ms + 500, status: 200, outcome: 'ok', connection: own(30 + index) },
      ];
    });
    expect(verdictOf('retry-after', ...lost)).toBe('not-judged');
    expect(verdictOf('retry-after', ...lost, ...twice(...tries, other))).toBe('failed');
    expect(verdictOf('retry-after', ...lost, ...twice(...pool, ...tries, other))).toBe('not-judged');
  });

  it('counts the tries of workers that failed without Retry-After, of which each may give up', () => {
    const pool = [2, 3, 4].map((index) => ({
      ms: 0,
      scope,
      elements: [{ quizId: 'other' }],
      connection: own(index),
    }));
    const tries = (count: number): readonly Sketch[] =>
      Array.from({ length: count }, (_, index) => ({ ms: index * 1000, scope, ...down }));
    // Two workers are told to wait, and another one begins with the same record; nobody comes in time.
    const last = [5000, 5001].map((ms, index) => ({ ...asked, ms, connection: own(index) }));
    const other = { ms: 5500, scope, connection: own(1) };
    expect(verdictOf('retry-after', ...twice(...pool, ...tries(4), ...last, other))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...pool, ...tries(3), ...last, other))).toBe('failed');
    expect(verdictOf('retry-after', ...twice(...tries(4), ...last, other))).toBe('failed');
  });

  it('is not judged by a few repeats without a scope, because they may be the requests of other tests', () => {
    const { scope: _, ...unscoped } = asked;
    expect(verdictOf('retry-after', unscoped, { ms: 9 })).toBe('not-judged');
    const many = (count: number): readonly Sketch[] =>
      Array.from({ length: count }, (_, index) => [
        { ...unscoped, ms: index * 5000 },
        { ms: index * 5000 + 9 },
      ]).flat();
    expect(verdictOf('retry-after', ...many(3))).toBe('not-judged');
    expect(verdictOf('retry-after', ...many(4))).toBe('failed');
  });

  it('holds for no other operation, no other key and no other scope', () => {
    expect(verdictOf('retry-after', ...twice(asked, { ms: 1, scope, operation: 'list-assignments' }))).toBe(
      'not-exercised',
    );
    expect(verdictOf('retry-after', asked, { ms: 1, scope, key: 'sbx_defa…ge' })).toBe('not-exercised');
    expect(verdictOf('retry-after', asked, { ms: 1, scope: 'another' })).toBe('not-exercised');
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

/** Handlers of 35 events a minute, of which each retries after these pauses, and succeeds after the last one. */
function hooks(pauses: readonly number[]): readonly Sketch[] {
  return Array.from({ length: 30 }, (_, index) => {
    const own = { elements: [{ quizId: String(index) }], connection: `127.0.0.1:5${index % 6}` };
    let ms = index * 1700;
    const refusedOnes = pauses.map((pause) => ({ ms: (ms += pause) - pause, ...own, ...throttled }));
    return [...refusedOnes, { ms, ...own }];
  })
    .flat()
    .toSorted((one, other) => one.ms - other.ms);
}

/** New reads, of which all but the first six are refused; `different` is how many are not repeats. */
const newReads = (count: number, everyMs: number, different: number): readonly Sketch[] =>
  Array.from({ length: count }, (_, index) => ({
    ms: index * everyMs,
    elements: [{ quizId: String(index % different) }],
    ...(index < 6 ? {} : { ...throttled, retryAfter: 60 }),
  }));

/** New reads, of which every other one is refused. */
const everyOtherRefused = (everyMs: number): readonly Sketch[] =>
  Array.from({ length: 65 }, (_, index) => ({
    ms: index * everyMs,
    elements: [{ quizId: String(index) }],
    ...(index % 2 === 0 ? {} : throttled),
  }));

describe('limits', () => {
  it('fail a client that presses on with new calls while it is throttled', () => {
    expect(verdictOf('limits', ...overLimit(61, 20, one))).toBe('passed');
    expect(verdictOf('limits', ...overLimit(62, 20, one))).toBe('not-judged');
    expect(verdictOf('limits', ...overLimit(66, 20, one))).toBe('not-judged');
    expect(verdictOf('limits', ...overLimit(67, 20, one))).toBe('failed');
  });

  it('allow each worker to learn by itself that the operation is throttled', () => {
    expect(verdictOf('limits', ...overLimit(80, 20, many))).toBe('not-judged');
    expect(verdictOf('limits', ...overLimit(95, 20, many))).toBe('failed');
  });

  it('do not judge calls that may have waited for a connection, if they are no more than documented', () => {
    expect(verdictOf('limits', ...scaled(60, 15))).toBe('not-judged');
    expect(verdictOf('limits', ...scaled(61, 15))).toBe('failed');
    expect(verdictOf('limits', ...scaled(61, 25))).toBe('failed');
    const repeated = scaled(60, 15).map((sketch) => ({ ...sketch, elements: [{ quizId: 'a' }] }));
    expect(verdictOf('limits', ...repeated)).toBe('failed');
  });

  it('allow the workers of a pool to learn it again after each success, but no client to go on without them', () => {
    // Two of ten workers get through each minute, and send their next call.
    const minutes = [0, 1, 2, 3, 4].flatMap((minute) =>
      Array.from({ length: 10 }, (_, worker): readonly Sketch[] => {
        const ms = minute * 61_000 + worker * 10;
        const element = { elements: [{ quizId: `${worker < 2 ? minute : 0}-${worker}` }] };
        const next = { elements: [{ quizId: `${minute + 1}-${worker}` }] };
        return worker < 2
          ? [
              { ms, ...element },
              { ms: ms + 3000, ...next, ...throttled },
            ]
          : [{ ms, ...element, ...throttled }];
      }).flat(),
    );
    const inOrder = minutes.toSorted((before, after) => before.ms - after.ms);
    expect(verdictOf('limits', ...inOrder)).not.toBe('failed');
    expect(verdictOf('limits', ...everyOtherRefused(950))).toBe('failed');
    // One call a second is as many as documented.
    expect(verdictOf('limits', ...everyOtherRefused(1001))).toBe('not-judged');
  });

  it('fail a client that sends the same requests every second, whatever it is told', () => {
    expect(verdictOf('limits', ...pressing(10))).toBe('passed');
    expect(verdictOf('limits', ...pressing(15))).toBe('not-judged');
    expect(verdictOf('limits', ...pressing(40))).toBe('failed');
  });

  it('fail a client that reads on at equal intervals, beyond the limit, and ignores Retry-After', () => {
    expect(verdictOf('limits', ...polled(2000, 60))).toBe('failed');
    // No more often than documented, without being told, at other intervals, or after the time.
    expect(verdictOf('limits', ...polled(4000, 60))).not.toBe('failed');
    expect(verdictOf('limits', ...polled(2000))).not.toBe('failed');
    expect(verdictOf('limits', ...polled(2000, 2))).not.toBe('failed');
    const uneven = polled(2000, 60).map((sketch, index) => ({
      ...sketch,
      ms: sketch.ms + (index % 3) * 300,
    }));
    expect(verdictOf('limits', ...uneven)).not.toBe('failed');
  });

  it('are not judged if new requests are paced as documented, and back off without Retry-After', () => {
    expect(verdictOf('limits', ...hooks([700, 1500, 3100]))).toBe('not-judged');
    expect(verdictOf('limits', ...hooks([1000, 1000, 1000, 1000]))).not.toBe('passed');
  });

  it('are not judged if the requests are new and within the documented limit', () => {
    expect(verdictOf('limits', ...newReads(30, 1700, 30))).toBe('not-judged');
    expect(verdictOf('limits', ...newReads(60, 400, 60))).toBe('not-judged');
    expect(verdictOf('limits', ...newReads(61, 400, 61))).toBe('failed');
    // A client that sends what was refused again does not slow down, even within the documented limit.
    expect(verdictOf('limits', ...newReads(60, 400, 2))).toBe('failed');
  });

  it('do not count retries after a pause', () => {
    const retries = Array.from({ length: 10 }, (_, index) => ({ ms: index * 1001, ...throttled }));
    expect(verdictOf('limits', ...retries)).toBe('passed');
    const quick = retries.map((sketch, index) => ({ ...sketch, ms: index * 990 }));
    // Without Retry-After, short pauses may be the first ones of growing ones.
    expect(verdictOf('limits', ...quick)).toBe('passed');
    expect(verdictOf('limits', ...quick.map((sketch) => ({ ...sketch, retryAfter: 30 })))).toBe('failed');
    expect(verdictOf('limits', ...crowd(4))).not.toBe('failed');
    expect(verdictOf('limits', ...crowd(5))).toBe('failed');
  });

  it('fail a client that goes on as before, however many refused requests it repeats', () => {
    expect(verdictOf('limits', ...recordsInTurn(120, 80))).toBe('failed');
    // Pauses of a second may come from patient retries.
    expect(verdictOf('limits', ...recordsInTurn(120, 160))).toBe('not-judged');
    expect(verdictOf('limits', ...recordsInTurn(66, 80))).not.toBe('failed');
    const backing = recordsInTurn(120, 80).map((sketch, index) => ({
      ...sketch,
      ms: sketch.ms + Math.max(0, index - 60) * 500,
    }));
    expect(verdictOf('limits', ...backing)).toBe('passed');
  });

  it('are not judged if hardly fewer calls come, no more than documented: each may have waited', () => {
    const early = recordsInTurn(60, 50, 20).map((sketch, index) => ({
      ...sketch,
      ...(index < 20 ? {} : throttled),
    }));
    expect(verdictOf('limits', ...early)).toBe('not-judged');
  });

  it('do not count retries that a client scheduled before the first refusal', () => {
    expect(verdictOf('limits', ...scheduled(14, down))).toBe('not-judged');
    expect(verdictOf('limits', ...scheduled(14, { ...down, retryAfter: 1 }))).toBe('not-judged');
    // They succeeded before, came before the time in Retry-After, or failed after the first refusal.
    expect(verdictOf('limits', ...scheduled(31, {}))).toBe('failed');
    expect(verdictOf('limits', ...scheduled(31, { ...down, retryAfter: 9 }))).toBe('failed');
    expect(verdictOf('limits', ...scheduled(31, down, 1200))).toBe('failed');
  });

  it('fail a burst beyond the documented limit, however windows are counted', () => {
    expect(verdictOf('limits', ...overLimit(90, 0, many))).not.toBe('failed');
    expect(verdictOf('limits', ...overLimit(91, 0, many))).toBe('failed');
  });

  it('are not those that a fault pretends', () => {
    const pretended = Array.from({ length: 20 }, (_, index) => ({
      ms: index,
      status: 429,
      faults: ['throttled'],
    }));
    expect(verdictOf('limits', ...pretended)).toBe('not-exercised');
  });
});

describe('batches', () => {
  const scope = 'a test';
  const two = { scope, operation: 'submit-user-course-item', elements: [{ userId: 'a' }, { userId: 'b' }] };
  const partial = { ms: 0, ...two, outputs: ['ok', 'error'] } as const;
  const failed = { ...two, elements: [{ userId: 'b' }] };

  it('cannot be judged where the reply was too long to be kept whole', () => {
    expect(verdictOf('batches', partial, { ms: 1000, ...two })).toBe('failed');
    expect(verdictOf('batches', { ...partial, cutReply: 9 }, { ms: 1000, ...two })).toBe('not-exercised');
  });

  it('are done again in the part that failed', () => {
    expect(verdictOf('batches', partial, { ms: 9, ...failed })).toBe('passed');
    expect(verdictOf('batches', partial, { ms: 9, ...two })).toBe('failed');
  });

  it('may have their successful elements again later, without the failed ones, whose errors nobody may have read', () => {
    const well = { ms: 9, ...two, elements: [{ userId: 'a' }] };
    expect(verdictOf('batches', partial, well)).toBe('not-judged');
    expect(verdictOf('batches', partial, well, { ms: 99, ...failed })).toBe('not-judged');
    expect(verdictOf('batches', partial, { ...well, ms: 2000 }, { ms: 99, ...failed })).toBe('passed');
  });

  it('of writes that are safe to repeat may come again with the next run of a job', () => {
    const scope = 'a job';
    const push = { scope, elements: [{ labId: 'a' }, { labId: 'gone' }], outputs: ['ok', 'error'] } as const;
    const pushes = (operation: string, everyMs: number): readonly Sketch[] =>
      [0, 1, 2].map((index) => ({ ms: index * everyMs, operation, failures: ['not-found'], ...push }));
    const update = 'update-interactive-coding-lab';
    expect(verdictOf('batches', ...pushes(update, 30_000))).toBe('not-judged');
    expect(verdictOf('batches', ...pushes(update, 2000))).toBe('not-judged');
    expect(verdictOf('batches', ...pushes(update, 249))).toBe('failed');
    expect(verdictOf('batches', ...pushes('submit-user-course-item', 30_000))).toBe('failed');
  });

  it('are not judged if a page refreshes itself, of which a part always fails', () => {
    const reads = { scope, elements: [{ quizId: 'a' }, { quizId: 'b' }] };
    const injected = { ...reads, outputs: ['ok', 'error'], failures: ['injected'] } as const;
    expect(verdictOf('batches', ...again(8, injected, 1500))).toBe('not-judged');
    expect(verdictOf('batches', ...again(7, injected, 1500))).toBe('failed');
  });

  it('are not judged if both parts come again soon, in other batches or alone', () => {
    const [a, b] = [{ quizId: 'a' }, { quizId: 'b' }];
    const injected = {
      ms: 0,
      scope,
      elements: [a, b],
      outputs: ['ok', 'error'],
      failures: ['injected'],
    } as const;
    const more = { scope, elements: [a, b, { quizId: 'c' }] };
    expect(verdictOf('batches', injected, { ms: 9, ...more })).toBe('not-judged');
    expect(
      verdictOf('batches', injected, { ms: 9, scope, elements: [a] }, { ms: 19, scope, elements: [b] }),
    ).toBe('not-judged');
    expect(verdictOf('batches', injected, { ms: 9, scope, elements: [b] })).toBe('passed');
  });

  it('of reads may come at the interval at which they come anyway', () => {
    const reads = { scope, elements: [{ quizId: 'a' }, { quizId: 'b' }] };
    const injected = { ...reads, outputs: ['ok', 'error'], failures: ['injected'] } as const;
    const refreshed = [0, 300, 600].map((ms) => ({ ms, ...reads }));
    expect(verdictOf('batches', ...refreshed, { ms: 900, ...injected }, { ms: 1200, ...reads })).toBe(
      'passed',
    );
    expect(verdictOf('batches', ...refreshed, { ms: 900, ...injected }, { ms: 910, ...reads })).toBe(
      'failed',
    );
  });

  it('count outputs that are not there as failed', () => {
    expect(verdictOf('batches', { ...partial, outputs: ['ok'] }, { ms: 9, ...failed })).toBe('passed');
  });

  it('of reads are judged only where the whole batch follows at once after a temporary failure', () => {
    const reads = { scope, elements: [{ quizId: 'a' }, { quizId: 'b' }] };
    const injected = { ms: 0, ...reads, outputs: ['ok', 'error'], failures: ['injected'] } as const;
    expect(verdictOf('batches', injected, { ms: 249, ...reads })).toBe('failed');
    expect(verdictOf('batches', injected, { ms: 250, ...reads })).toBe('not-judged');
    expect(verdictOf('batches', injected, { ms: 30_000, ...reads })).toBe('passed');
    const deleted = { ...injected, failures: ['not-found'] } as const;
    expect(verdictOf('batches', deleted, { ms: 9, ...reads })).toBe('passed');
    expect(verdictOf('batches', { ...injected, outputs: ['ok'], failures: [] }, { ms: 9, ...reads })).toBe(
      'passed',
    );
  });

  it('are no matter of calls that were under way, of other operations, or of other keys', () => {
    expect(verdictOf('batches', { ...partial, tookMs: 50 }, { ms: 9, ...two })).toBe('not-judged');
    expect(verdictOf('batches', partial, { ms: 9, ...two, key: 'sbx_defa…ge' })).toBe('not-judged');
    expect(verdictOf('batches', partial, { ms: 9, ...two, operation: 'list-assignments' })).toBe(
      'not-judged',
    );
  });
});

describe('hammering', () => {
  it.each([
    ['two retries, which are too few to tell', [1, 1], 'not-judged'],
    ['three at once', [5, 5, 5], 'failed'],
    ['three almost at once', [5, 6, 5], 'not-judged'],
    ['three, of which one is late', [5, 500, 5], 'not-judged'],
    ['three, of which two are late', [5, 500, 500], 'passed'],
    ['five almost at once', [15, 15, 15, 15, 15], 'failed'],
    ['ten almost at once, and a pause', [...Array.from({ length: 9 }, () => 15), 500], 'failed'],
    ['nine quick ones', Array.from({ length: 9 }, () => 75), 'not-judged'],
    ['ten quick ones', Array.from({ length: 10 }, () => 75), 'failed'],
    [
      'ten quick ones, of which two take longer',
      [76, 76, ...Array.from({ length: 8 }, () => 75)],
      'not-judged',
    ],
    ['thirteen short ones', Array.from({ length: 13 }, () => 100), 'not-judged'],
    ['fourteen short ones', Array.from({ length: 14 }, () => 100), 'failed'],
    ['fourteen of a timer of 100 ms', Array.from({ length: 14 }, () => 103), 'failed'],
    ['thirteen short ones and a pause', [...Array.from({ length: 13 }, () => 100), 111], 'not-judged'],
    [
      'twelve quick ones and three pauses',
      [...Array.from({ length: 12 }, () => 100), 111, 111, 111],
      'not-judged',
    ],
  ])('tells retries without pauses from short pauses that are drawn by lot: %s', (_, pauses, verdict) => {
    // The first retry may be immediate.
    expect(verdictOf('hammering', ...outage('get-quiz-details', 0, [0, ...pauses]))).toBe(verdict);
  });

  it('is seen although a part of the client pauses: retries of retries', () => {
    expect(verdictOf('hammering', ...nested(7))).toBe('failed');
    expect(verdictOf('hammering', ...nested(2))).toBe('not-judged');
  });

  it('does not accuse pauses that grow from 50 ms', () => {
    expect(verdictOf('hammering', ...outages(20, [40, 80]))).toBe('not-judged');
    expect(verdictOf('hammering', ...outages(20, [80, 80]))).toBe('failed');
    expect(verdictOf('hammering', ...outages(20, [7, 14]))).toBe('failed');
  });

  it('sees pauses of 75 ms, of ten retries or more', () => {
    expect(verdictOf('hammering', ...outages(10, [75, 75]))).toBe('failed');
    expect(verdictOf('hammering', ...outages(9, [75, 75]))).toBe('not-judged');
    expect(verdictOf('hammering', ...outages(10, [40, 75]))).toBe('not-judged');
    expect(verdictOf('hammering', ...outages(10, [76, 76]))).toBe('not-judged');
  });

  it('does not judge quick calls on open connections of their own, because they may come from several users', () => {
    expect(verdictOf('hammering', ...readers(6))).toBe('not-judged');
    const inScope = [0, 1, 2].flatMap((index) =>
      laterBy(readers(6, { scope: 'a test', elements: [{}] }), index * 5000),
    );
    expect(verdictOf('hammering', ...inScope)).toBe('failed');
    expect(verdictOf('hammering', ...readers(2))).toBe('failed');
    const closing = readers(12).map((sketch) => ({ ...sketch, closedMs: sketch.ms }));
    expect(verdictOf('hammering', ...closing)).toBe('failed');
  });

  it('counts calls that never had a reply, and not those that were throttled or told when to come back', () => {
    const times = [0, 1, 2, 3, 4];
    expect(verdictOf('hammering', ...times.map((ms) => ({ ms, ...lost })))).toBe('failed');
    const told = times.map((ms) => ({ ms, ...down, retryAfter: 1 }));
    expect(verdictOf('hammering', ...told)).toBe('not-exercised');
  });

  it('allows one immediate retry of each request, and judges each scope by itself', () => {
    expect(verdictOf('hammering', ...retriedIn('one', [0]))).toBe('not-judged');
    expect(verdictOf('hammering', ...retriedIn('one', [500]))).toBe('passed');
    expect(
      verdictOf('hammering', ...retriedIn('bad', [0, 0, 0]), ...retriedIn('good', [300, 600, 1200])),
    ).toBe('failed');
  });

  it('does not judge a few requests in a scope, because a test may call a record in a loop', () => {
    expect(verdictOf('hammering', ...loop('a', '1'), ...loop('b', '2'))).toBe('not-judged');
    expect(verdictOf('hammering', ...loop('a', '1'), ...loop('a', '2'))).toBe('not-judged');
    expect(verdictOf('hammering', ...['1', '2', '3'].flatMap((id) => loop('a', id)))).toBe('failed');
    // Five tests, with the same record or with a record of their own.
    const tests = ['a', 'b', 'c', 'd', 'e'];
    expect(verdictOf('hammering', ...tests.flatMap((scope) => loop(scope, '1')))).toBe('not-judged');
    expect(verdictOf('hammering', ...tests.flatMap((scope) => loop(scope, scope)))).toBe('failed');
    expect(verdictOf('hammering', ...loop('a', '1', 30))).toBe('not-judged');
    expect(verdictOf('hammering', ...loop('a', '1', 31))).toBe('failed');
  });

  it('takes calls that are under way at once for twins, not for repeats', () => {
    const twins = [0, 1, 2].map((ms) => ({ ms, tookMs: 50, ...down, connection: `127.0.0.1:5000${ms}` }));
    expect(verdictOf('hammering', ...twins)).toBe('not-exercised');
  });
});

describe('hammering after one kind of failure', () => {
  it('is seen, although the client pauses after the others', () => {
    const cut = [0, 1, 2, 3].map((ms) => ({ ms: ms * 2, ...lost }));
    const patient = outages(9, [500, 1000, 2000]).map((sketch) => ({ ...sketch, ms: sketch.ms + 10_000 }));
    expect(verdictOf('hammering', ...patient)).toBe('passed');
    expect(verdictOf('hammering', ...cut, { ms: 8 }, ...patient)).toBe('failed');
  });
});

/** A call of which a fault made all elements fail. */
function failed(fault: string): Partial<Sketch> {
  return {
    outcome: 'element-error',
    faults: [fault],
    outputs: fault === 'short-output' ? [] : ['error'],
    failures: [fault.endsWith('output') ? 'missing-output' : 'injected'],
  };
}

/** The same call a number of times, without a pause. */
function storm(count: number, more: Partial<Sketch>): readonly Sketch[] {
  return Array.from({ length: count }, (_, ms) => ({ ms, ...more }));
}

/** Requests that come again at once, so many times with such a response, and at last succeed. */
function corrected(count: number, times: number, more: Partial<Sketch>): readonly Sketch[] {
  const inScope = more.scope === undefined ? {} : { scope: more.scope };
  return Array.from({ length: count }, (_, index) =>
    Array.from({ length: times + 1 }, (__, ms) => ({
      ms: index * 1000 + ms,
      elements: [{ quizId: `c${index}` }],
      ...(ms < times ? more : inScope),
    })),
  ).flat();
}

describe('retries after faults that make all elements fail', () => {
  const elementFaults = [
    'output-error',
    'element-error',
    'missing-output',
    'short-output',
    'error-without-message',
  ];
  it.each(elementFaults)('are retries if the client stops at the first success: %s', (fault) => {
    for (const scope of [{}, { scope: 'a test' }])
      expect(verdictOf('hammering', ...corrected(5, 4, { ...failed(fault), ...scope }))).toBe('failed');
    expect(verdictOf('endless-retries', ...corrected(5, 40, failed(fault)))).toBe('failed');
    const paused = outages(5, [700, 700, 700]).map((sketch, index) => ({
      ...sketch,
      status: 200,
      ...(index % 4 === 3 ? {} : failed(fault)),
    }));
    expect(verdictOf('backoff', ...paused)).toBe('failed');
  });

  it.each(elementFaults)(
    'are not judged without any success: another part of the client may read: %s',
    (fault) => {
      const reads = storm(40, { scope: 'a test', ...failed(fault) });
      for (const check of ['hammering', 'endless-retries'] as const)
        expect(verdictOf(check, ...reads)).toBe('not-judged');
    },
  );

  it('are not judged if the client also reads again what it has', () => {
    const reads = corrected(9, 4, failed('element-error'));
    expect(verdictOf('hammering', ...reads, { ms: 20_000, elements: [{ quizId: 'c0' }] })).toBe('not-judged');
  });

  it('are retries, although the client pauses after HTTP 503', () => {
    const patient = outages(9, [500, 1000, 2000]).map((sketch) => ({ ...sketch, ms: sketch.ms + 10_000 }));
    expect(verdictOf('hammering', ...corrected(5, 4, failed('element-error')), ...patient)).toBe('failed');
  });

  it('may be given up at once: the error is an answer', () => {
    const calls = Array.from({ length: 9 }, (_, index) => ({
      ...failed('element-error'),
      ms: index * 100,
      elements: [{ quizId: String(index) }],
    }));
    expect(verdictOf('giving-up', ...calls)).toBe('not-exercised');
    expect(verdictOf('hammering', ...calls)).toBe('not-exercised');
  });

  it('are not those of the errors that the sandbox has of itself, which other checks judge', () => {
    const own = storm(40, { outcome: 'element-error', outputs: ['error'], failures: ['conflict'] });
    expect(verdictOf('hammering', ...own)).toBe('not-exercised');
  });

  it('are judged separately from those of their calls: each round of elements may begin anew', () => {
    // A call with pauses of 500 and 1000 ms in each round, which are 900 and 1800 ms apart.
    const rounds = Array.from({ length: 8 }, (_, index) => {
      const from = index * 60_000;
      const own = { elements: [{ quizId: String(index) }] };
      return [
        { ms: from, ...failed('element-error') },
        { ms: from + 900, ...down },
        { ms: from + 1400, ...down },
        { ms: from + 2400, ...failed('element-error') },
        { ms: from + 4200, ...down },
        { ms: from + 4700, ...down },
        { ms: from + 5700 },
      ].map((sketch) => ({ ...sketch, ...own }));
    });
    expect(verdictOf('backoff', ...rounds.flat())).not.toBe('failed');
    expect(verdictOf('hammering', ...rounds.flat())).toBe('passed');
  });
});

describe('retries after a response of another type', () => {
  const otherType = { faults: ['wrong-content-type'] } as const;
  it('are retries if the client stops at the right type', () => {
    expect(verdictOf('hammering', ...corrected(5, 4, otherType))).toBe('failed');
    expect(verdictOf('hammering', ...corrected(4, 4, otherType))).toBe('not-judged');
    const readsOn = corrected(5, 4, otherType).map((sketch) => ({
      ...sketch,
      elements: [{ quizId: 'same' }],
    }));
    expect(verdictOf('hammering', ...readsOn)).not.toBe('failed');
  });

  it('are not judged if all have another type: the client may need the data once more', () => {
    const reads = storm(60, { scope: 'a test', ...otherType });
    expect(verdictOf('hammering', ...reads)).toBe('not-judged');
    expect(verdictOf('endless-retries', ...reads)).toBe('not-judged');
    expect(verdictOf('busy-polling', ...reads)).toBe('not-exercised');
    const paused = outages(9, [500, 1000, 2000]).map((sketch) => ({ ...sketch, ms: sketch.ms + 10_000 }));
    expect(verdictOf('hammering', ...paused)).toBe('passed');
    expect(verdictOf('hammering', ...reads, ...paused)).toBe('not-judged');
  });

  it('make no difference to a client that does not send them again', () => {
    const paused = outages(9, [500, 1000, 2000]);
    const once = [0, 1, 2].map((index) => ({
      ms: 900_000 + index,
      elements: [{ quizId: `x${index}` }],
      ...otherType,
    }));
    expect(verdictOf('hammering', ...paused, ...once)).toBe('passed');
    expect(verdictOf('giving-up', ...once)).toBe('not-exercised');
  });
});

describe('backoff', () => {
  it.each([
    ['grow', 3, [200, 400, 800], 'passed'],
    ['stay the same', 3, [500, 500, 500], 'failed'],
    ['stay the same, but in too few requests', 2, [500, 500, 500], 'not-judged'],
    ['stay almost the same', 5, [1000, 1110, 1000], 'failed'],
    ['stay almost the same, but may come from a person', 3, [1000, 1110, 1000], 'not-judged'],
    ['do not stay quite the same', 3, [1000, 1130, 1000], 'not-judged'],
    ['grow a little', 3, [1000, 1150, 1330], 'passed'],
    ['reach their maximum', 3, [100, 200, 400, 400, 400, 400], 'passed'],
    ['shrink in the same way', 5, [400, 200], 'failed'],
    ['shrink in the same way, but in too few requests', 4, [400, 200], 'not-judged'],
  ])('wants pauses that grow: they %s', (_, count, pauses, verdict) => {
    expect(verdictOf('backoff', ...outages(count, pauses))).toBe(verdict);
  });

  it.each([
    [7, 'not-judged'],
    [8, 'failed'],
  ])(
    'wants pauses that grow: if those of %i requests shrink, each in its own way, it is %s',
    (count, verdict) => {
      const sketches = Array.from({ length: count }, (_, index) =>
        outage('get-quiz-details', index * 100_000, [800, 100 + 80 * index]).map((sketch) => ({
          ...sketch,
          elements: [{ quizId: String(index) }],
        })),
      ).flat();
      expect(verdictOf('backoff', ...sketches)).toBe(verdict);
    },
  );

  it('does not judge a client that spreads its calls evenly within the documented limit', () => {
    expect(verdictOf('backoff', ...evenly(1000))).toBe('not-judged');
    expect(verdictOf('backoff', ...evenly(850))).toBe('failed');
  });

  it('takes a request at its usual interval, or after 30 s, for no retry', () => {
    expect(verdictOf('backoff', ...every(5000, 2))).toBe('not-exercised');
    expect(verdictOf('backoff', ...every(5000, 0))).toBe('not-judged');
    expect(verdictOf('backoff', ...every(60_000, 0))).toBe('not-exercised');
    expect(verdictOf('endless-retries', ...every(5000, 2))).toBe('not-exercised');
    expect(verdictOf('endless-retries', ...every(5000, 0))).toBe('not-judged');
  });

  it('takes a request after its usual delay since the response for no retry: a page may wait for its data', () => {
    for (const check of ['backoff', 'endless-retries']) {
      expect(verdictOf(check, ...refreshed(3000)), check).toBe('not-exercised');
      // It may wait until the service is ready.
      expect(verdictOf(check, ...refreshed(8000, 3000)), check).toBe('not-judged');
    }
    expect(verdictOf('endless-retries', ...refreshed(8000, 890))).toBe('failed');
    // Shorter pauses are no schedule.
    expect(verdictOf('endless-retries', ...refreshed(890))).toBe('failed');
  });

  it('does not judge requests as long after each response that never succeed', () => {
    let ms = 0;
    const polls = Array.from({ length: 24 }, (_, index) => {
      const tookMs = index % 3 === 0 ? 2000 : 5;
      const sketch = { ms, tookMs, scope: 'a page', ...down };
      ms += tookMs + 3000;
      return sketch;
    });
    expect(verdictOf('endless-retries', ...polls)).toBe('not-judged');
    const later = { ms: ms + 9000, scope: 'a page', elements: [{ quizId: 'later' }] };
    expect(verdictOf('endless-retries', ...polls, later)).toBe('not-judged');
  });

  it('does not judge requests at equal intervals that never succeed: a program may wait until the service is ready', () => {
    const scope = 'a test';
    const later = { ms: 40_000, scope, elements: [{ quizId: 'later' }] };
    const polls = [0, 1, 2, 3, 4].flatMap((index) =>
      tries(21).map(({ ms, ...sketch }) => ({
        ...sketch,
        ms: ms + index,
        tookMs: 10,
        scope,
        elements: [{ quizId: String(index) }],
      })),
    );
    for (const check of ['backoff', 'endless-retries']) {
      expect(verdictOf(check, ...polls), check).toBe('not-judged');
      expect(verdictOf(check, ...polls, later), check).toBe('not-judged');
    }
  });

  it('cannot tell from a single pause, nor from one after a reply that never came', () => {
    const silent = { status: 0, faults: ['timeout'] };
    expect(verdictOf('backoff', { ms: 0, ...down }, { ms: 500 })).toBe('not-exercised');
    expect(verdictOf('backoff', { ms: 0, ...silent }, { ms: 5000, ...down }, { ms: 5500 })).toBe(
      'not-exercised',
    );
  });
});

describe('backoff in a queue', () => {
  it('is not judged: each retry waits for its turn', () => {
    expect(verdictOf('backoff', ...inTurn(() => 100))).toBe('not-judged');
  });

  it('counts the retries that several workers send together as those of one request', () => {
    expect(verdictOf('backoff', ...inTurn(inTens, 20))).toBe('not-judged');
    // One call at a time: each may be the next use of the record.
    expect(verdictOf('backoff', ...inTurn(inTens))).toBe('not-judged');
  });
});

describe('the next use of a record', () => {
  it('is no retry: a client may try each record three times in each of its rounds', () => {
    for (const records of [1, 2, 6])
      expect(verdictOf('endless-retries', ...inRounds(records, [500, 1100], 3000))).toBe('not-judged');
    expect(verdictOf('endless-retries', ...inRounds(6, [500, 1100], 400))).toBe('not-judged');
    // Without longer pauses, and without other calls.
    expect(verdictOf('endless-retries', ...inRounds(1, [500, 700], 800))).toBe('failed');
  });

  it('begins after twelve other calls, if the client has several workers', () => {
    const scope = 'a program';
    const pauses = Array.from({ length: 24 }, () => 900);
    const workers = (others: number): readonly Sketch[] =>
      outage('get-quiz-details', 0, pauses).flatMap(({ ms, ...sketch }) => [
        { ...sketch, ms, tookMs: 50, scope },
        { ...probe(ms + 10), scope },
        ...callsOn(others, one).map((call) => ({ ...call, ms: call.ms + ms + 60, scope })),
      ]);
    expect(verdictOf('endless-retries', ...workers(11))).toBe('failed');
    expect(verdictOf('endless-retries', ...workers(12))).toBe('not-judged');
  });

  it('does not make pauses grow', { tags: ['slow'] }, () => {
    expect(verdictOf('backoff', ...inRounds(6, [1000, 1000], 5000))).toBe('not-judged');
    expect(verdictOf('backoff', ...inRounds(6, [1000, 1000, 1000], 5000))).toBe('failed');
    expect(verdictOf('backoff', ...inRounds(6, [1000, 2000], 500))).toBe('passed');
    for (const records of [1, 6])
      expect(verdictOf('backoff', ...inRounds(records, [500, 1100], 5000, 8))).toBe('passed');
  });
});

describe('hopeless-repeats', () => {
  const wrong = { outputs: ['error'], failures: ['invalid'] } as const;

  it('sees three repeats in a scope, or two of three requests, and five of three requests without one', () => {
    expect(afterFailure('hopeless-repeats', ...again(2, { ...wrong, scope: 'a' }))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(3, { ...wrong, scope: 'a' }))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(4, { ...wrong, scope: 'a' }))).toBe('failed');
    const slowly = (requests: number): readonly Sketch[] =>
      Array.from({ length: requests }, (_, index) =>
        again(3, { ...wrong, scope: 'a', elements: [{ quizId: String(index) }] }, 1500),
      ).flat();
    expect(afterFailure('hopeless-repeats', ...slowly(2))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...slowly(3))).toBe('failed');
    expect(afterFailure('hopeless-repeats', ...again(1, wrong))).toBe('passed');
    expect(afterFailure('hopeless-repeats', ...again(5, wrong))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(6, wrong))).toBe('not-judged');
    const different = (requests: number): readonly Sketch[] =>
      Array.from({ length: requests }, (_, index) =>
        again(6, { ...wrong, elements: [{ quizId: String(index) }] }),
      ).flat();
    expect(afterFailure('hopeless-repeats', ...different(2))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...different(3))).toBe('failed');
  });

  it('allows to ask again after a while, and for a recording that is not ready', () => {
    expect(afterFailure('hopeless-repeats', ...again(3, wrong, 5000))).toBe('passed');
    expect(afterFailure('hopeless-repeats', ...again(4, wrong, 5000))).toBe('not-judged');
    const lost = { ms: 20_000, status: 503 } as const;
    const later = again(4, wrong, 5000).map((call) => ({ ...call, ms: call.ms + 25_000 }));
    expect(afterFailure('hopeless-repeats', ...again(4, wrong, 5000), { ...wrong, ...lost }, ...later)).toBe(
      'not-judged',
    );
    const operation = 'get-live-event-session-processed-mp4';
    const notReady = { operation, outputs: ['error'], failures: ['conflict'], scope: 'a' } as const;
    expect(afterFailure('hopeless-repeats', ...again(3, notReady))).toBe('passed');
    expect(afterFailure('hopeless-repeats', ...again(4, notReady))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(11, notReady, 5000))).toBe('passed');
    expect(afterFailure('hopeless-repeats', ...again(11, notReady, 250))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(11, notReady, 249))).toBe('failed');
    const unknown = { ...notReady, failures: ['not-found'] } as const;
    expect(afterFailure('hopeless-repeats', ...again(11, unknown, 260))).toBe('failed');
  });

  it('does not judge an element that fails again and again in batches that differ', () => {
    expect(afterFailure('hopeless-repeats', ...[1, 2, 3, 4].map(withGone))).toBe('not-exercised');
    expect(afterFailure('hopeless-repeats', ...[1, 2, 3, 4, 5].map(withGone))).toBe('not-judged');
  });

  it('leaves alone what may change: a recording that is not ready yet, an element that a fault hit', () => {
    const notYet = { outputs: ['error'], failures: ['conflict'] } as const;
    const injected = { outputs: ['error'], failures: ['injected'], faults: ['element-error'] } as const;
    expect(afterFailure('hopeless-repeats', { ms: 0, ...notYet }, { ms: 9, ...notYet })).toBe(
      'not-exercised',
    );
    expect(afterFailure('hopeless-repeats', { ms: 0, ...injected }, { ms: 9, ...injected })).toBe(
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
    expect(afterFailure('hopeless-repeats', { ms: 0, ...notYet }, { ms: 9, ...notYet })).toBe(
      'not-exercised',
    );
    expect(afterFailure('hopeless-repeats', ...again(6, { ...gone, scope: 'a' }))).toBe('failed');
  });

  it('counts a call that was merely late too', () => {
    const late = { ...wrong, faults: ['delay'], scope: 'a' } as const;
    expect(afterFailure('hopeless-repeats', ...again(6, late))).toBe('failed');
  });

  it('allows to reload a page of which some parts fail, and sees a client that tries each of them again at once', () => {
    expect(afterFailure('hopeless-repeats', ...deadParts(0), ...deadParts(250))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...deadParts(0), ...deadParts(249))).toBe('failed');
  });

  it('allows to try out several keys that are refused, as a test does', () => {
    const key = { status: 401, outcome: 'invalid-key', scope: 'a' } as const;
    expect(afterFailure('hopeless-repeats', ...again(5, key))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...again(6, key))).toBe('failed');
  });

  it('leaves alone a repeat that went well', () => {
    expect(afterFailure('hopeless-repeats', { ms: 0, ...wrong }, { ms: 9 })).toBe('passed');
    const missing = { outputs: ['error'], failures: ['not-found'], scope: 'a' } as const;
    const waits = again(12, missing, 400);
    expect(afterFailure('hopeless-repeats', ...waits)).toBe('failed');
    expect(afterFailure('hopeless-repeats', ...waits, { ms: 5000, scope: 'a' })).toBe('passed');
    const anew = again(12, missing, 400).map((sketch) => ({ ...sketch, ms: sketch.ms + 6000 }));
    expect(afterFailure('hopeless-repeats', ...waits, { ms: 5000, scope: 'a' }, ...anew)).toBe('failed');
  });

  it('allows four calls of an operation after the client knows that its key is refused', () => {
    const [first = { ms: 0 }, ...others] = refused(7);
    const later = others.map((sketch) => ({ ...sketch, ms: sketch.ms + 3000 }));
    expect(afterFailure('hopeless-repeats', first, ...later.slice(0, 4))).toBe('passed');
    expect(afterFailure('hopeless-repeats', first, ...later.slice(0, 5))).toBe('failed');
  });

  it('does not judge calls that a busy client sends within two seconds, whose turn it is only then', () => {
    const [first = { ms: 0 }, ...others] = refused(15);
    const queued = others.map((sketch, index) => ({
      ...sketch,
      ms: 280 * Math.ceil((index + 1) / 2),
      connection: many(index % 6),
    }));
    expect(afterFailure('hopeless-repeats', first, ...queued)).toBe('not-judged');
  });

  it('allows sixty calls that were under way', () => {
    expect(afterFailure('hopeless-repeats', ...refused(5))).toBe('passed');
    expect(afterFailure('hopeless-repeats', ...refused(60))).toBe('not-judged');
    const apart = refused(60).map((sketch, index) => ({ ...sketch, connection: many(index) }));
    expect(afterFailure('hopeless-repeats', ...apart)).toBe('passed');
    // It asks again whether the key is accepted.
    const polls = refused(20).map((sketch, index) => ({ ...sketch, ms: index * 5000 }));
    expect(afterFailure('hopeless-repeats', ...polls)).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...refused(61))).toBe('failed');
  });
});

describe('without a scope', () => {
  it('the same request on a new connection may come from another user, who was not told to wait', () => {
    const users = Array.from({ length: 17 }, (_, index) => ({
      ms: index * 600,
      connection: own(index),
      retryAfter: 30,
      ...throttled,
    }));
    expect(verdictOf('retry-after', ...users)).toBe('not-judged');
    expect(verdictOf('retry-after', ...users.map((sketch) => ({ ...sketch, scope: 'a test' })))).toBe(
      'failed',
    );
    expect(verdictOf('retry-after', ...users.map((sketch) => ({ ...sketch, connection: own(0) })))).toBe(
      'failed',
    );
  });

  it('the same dead link may be followed by another user', () => {
    const gone = { outputs: ['error'], failures: ['not-found'] } as const;
    const users = (links: number, everyMs: number): readonly Sketch[] =>
      Array.from({ length: 7 * links }, (_, index) => ({
        ms: index * everyMs,
        ...gone,
        elements: [{ quizId: String(index % links) }],
      }));
    expect(afterFailure('hopeless-repeats', ...users(1, 300))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...users(3, 334))).toBe('not-judged');
    expect(afterFailure('hopeless-repeats', ...users(3, 333))).toBe('failed');
  });
});

describe('unsafe-repeats', () => {
  it('knows the learner of a submission by the e-mail address, with or without spaces around it', () => {
    const again = submission(100, 'a@school.example ');
    expect(afterFailure('unsafe-repeats', { ...submission(0, 'a@school.example'), ...lost }, again)).toBe(
      'not-judged',
    );
  });

  const scope = 'a test';
  const operation = 'submit-user-course-item';
  const element = { courseItemId: 'a', userId: 'b' };
  const submit = { scope, operation, elements: [element] };

  it.each([
    ['no reply', { status: 0, faults: ['reset'] }, 'failed'],
    ['a reply that it did not wait for', { status: 0, outcome: 'client-gone' }, 'failed'],
    ['HTTP 502', { status: 502, faults: ['http-error'] }, 'failed'],
    ['HTTP 408', { status: 408, faults: ['http-error'] }, 'failed'],
    ['HTTP 520', { status: 520, faults: ['http-error'] }, 'failed'],
    ['a wrong content type', { faults: ['wrong-content-type'] }, 'failed'],
    ['the page of a gateway', { status: 503, faults: ['html-error-page'] }, 'failed'],
    ['HTTP 503, which says that nothing happened', { status: 503, faults: ['http-error'] }, 'not-exercised'],
    ['being throttled', throttled, 'not-exercised'],
  ])('is about writes that may have taken effect: %s', (_, ending, verdict) => {
    expect(afterFailure('unsafe-repeats', ...resubmitted([240, 240], ending))).toBe(verdict);
  });

  it('does not judge what the learner may have sent again after an error, unless hardly anybody is so quick', () => {
    expect(afterFailure('unsafe-repeats', ...resubmitted([249, 249]))).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...resubmitted([250, 250]))).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...resubmitted([250, 490, 300]))).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...resubmitted([500, 990, 600, 750]))).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...resubmitted([500, 990, 600, 750, 860]))).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...resubmitted([1100, 2500, 3400, 1900, 4200, 1500]))).toBe(
      'not-judged',
    );
  });

  it('does not judge a single second submission in a scope: the point of a test may be to try again', () => {
    expect(afterFailure('unsafe-repeats', ...resubmitted([5]))).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...resubmitted([5, 5]))).toBe('failed');
    const twice = [0, 5].map((ms) => ({ ms, ...submit }));
    expect(afterFailure('unsafe-repeats', ...twice)).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...twice, { ms: 10, ...submit })).toBe('failed');
    const unscoped = resubmitted([5, 5, 5, 5]).map(withoutScope);
    expect(afterFailure('unsafe-repeats', ...unscoped)).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...unscoped.slice(2))).toBe('not-judged');
  });

  it('sees two at the same time on connections that were opened together, although the first was quick', () => {
    const first = { ms: 0, tookMs: 5, ...submit };
    const onOther = { ...submit, connection: own(1) };
    expect(afterFailure('unsafe-repeats', first, { ms: 4, ...onOther })).toBe('failed');
    expect(afterFailure('unsafe-repeats', first, { ms: 5, ...onOther })).toBe('not-judged');
    // The other connection was opened for an earlier call.
    const earlier = { ms: -9, scope, connection: own(1) };
    expect(afterFailure('unsafe-repeats', earlier, first, { ms: 4, ...onOther })).toBe('not-judged');
  });

  it('takes later submissions for those of a client if their waits are those of a timer', () => {
    expect(afterFailure('unsafe-repeats', ...resubmitted([2000, 2010, 2005, 2015, 2020]))).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...resubmitted([2000, 2010, 2005, 2015]))).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...resubmitted([2000, 2100, 2200, 2300, 2400]))).toBe('not-judged');
    expect(afterFailure('unsafe-repeats', ...resubmitted([2000, 4000, 8000, 2000, 4000]))).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...resubmitted([2000, 4000, 8000, 2000]))).toBe('not-judged');
    const unscoped = resubmitted([5000, 5010, 5015, 4999]).map(withoutScope);
    expect(afterFailure('unsafe-repeats', ...unscoped)).toBe('failed');
    expect(afterFailure('unsafe-repeats', ...unscoped.slice(2))).toBe('not-judged');
  });

  it('allows to submit again after an answer that says that it had no effect, although it had', () => {
    const first = { ms: 0, ...submit, status: 503, faults: ['http-error'] } as const;
    expect(afterFailure('unsafe-repeats', first, { ms: 300, ...submit })).not.toBe('failed');
  });

  it('sees two at the same time, of which the client leaves the first', () => {
    const left = { ms: 0, tookMs: 900, ...submit, clientLeft: true };
    expect(afterFailure('unsafe-repeats', left, { ms: 500, ...submit, connection: own(1) })).toBe('failed');
  });

  it('allows to repeat what does no harm, and anything that is read', () => {
    const lab = { scope, operation: 'update-interactive-coding-lab', elements: [{ labId: 'a' }] };
    expect(afterFailure('unsafe-repeats', { ms: 0, ...lab, ...lost }, { ms: 900, ...lab })).toBe(
      'not-exercised',
    );
    expect(afterFailure('unsafe-repeats', { ms: 0, scope, ...lost }, { ms: 900, scope })).toBe(
      'not-exercised',
    );
  });

  it('sees the element in another batch, with its fields in another order', () => {
    const batch = { ...submit, elements: [{ userId: 'c' }, { userId: 'b', courseItemId: 'a' }] };
    const first = { ms: 0, ...submit, ...lost };
    const again = [200, 400].map((ms) => ({ ms, ...batch, ...lost }));
    expect(afterFailure('unsafe-repeats', first, ...again)).toBe('failed');
  });

  it('sees an element again whose output was missing, but not the others', () => {
    const batch = { ...submit, ms: 0, elements: [{ userId: 'c' }, element], outputs: ['ok'] } as const;
    const others = { ...submit, ms: 900, elements: [{ userId: 'd' }] };
    const again = [200, 400].map((ms) => ({ ms, ...submit, outputs: [] }));
    expect(afterFailure('unsafe-repeats', batch, ...again)).toBe('failed');
    expect(afterFailure('unsafe-repeats', batch, others)).toBe('passed');
  });

  it('does not judge a changed submission after a lost one', () => {
    const changed = { ms: 900, ...submit, elements: [{ ...element, userId: 'B', answer: [] }] };
    expect(afterFailure('unsafe-repeats', { ms: 0, ...submit, ...lost }, changed)).toBe('not-judged');
    const other = { ms: 900, ...submit, elements: [{ ...element, userId: 'c' }] };
    expect(afterFailure('unsafe-repeats', { ms: 0, ...submit, ...lost }, other)).toBe('passed');
  });

  it('sees a second submission after a success, or at the same time, but only in a scope', () => {
    const submissions = [0, 900, 1800].map((ms) => ({ ms, ...submit }));
    expect(afterFailure('unsafe-repeats', ...submissions)).toBe('failed');
    expect(afterFailure('unsafe-repeats', { ms: 0, ...submit, tookMs: 50 }, { ms: 9, ...submit })).toBe(
      'failed',
    );
    const other = { ...submit, elements: [{ ...element, answer: [] }] };
    const changed = [submit, other, submit].map((sketch, index) => ({ ms: index * 900, ...sketch }));
    expect(afterFailure('unsafe-repeats', ...changed)).toBe('not-exercised');
    const { scope: _, ...unscoped } = submit;
    expect(afterFailure('unsafe-repeats', { ms: 0, ...unscoped }, { ms: 900, ...unscoped })).toBe(
      'not-judged',
    );
  });

  it('does not judge what the learner may have submitted again, or one batch with the same element twice', () => {
    expect(afterFailure('unsafe-repeats', { ms: 0, ...submit }, { ms: 1000, ...submit })).toBe('not-judged');
    const twice = { ms: 0, ...submit, elements: [element, element] };
    expect(afterFailure('unsafe-repeats', twice)).toBe('not-judged');
  });
});

describe('undocumented-fields', () => {
  const { request = '' } = entriesOf([{ ms: 0 }])[0] ?? {};

  it.each([
    ['a field beside data', { request: request.replace('{', '{"page":2,') }, 'failed'],
    ['a field beside the data of an element', { request: request.replace('[{', '[{"id":2,') }, 'failed'],
    ['a query', { url: '/public/get-quiz-details?page=2' }, 'failed'],
    ['an empty query', { url: '/public/get-quiz-details?' }, 'passed'],
  ])('are also %s', (_, changed, verdict) => {
    const entries = entriesOf([{ ms: 0 }]).map((entry) => ({ ...entry, ...changed }));
    const { conduct } = makeReport('default', { entries, evicted: 0 });
    expect(conduct.find(({ check }) => check === 'undocumented-fields')?.verdict).toBe(verdict);
  });
});

describe('busy-polling', () => {
  it('advises to remember what was read twenty times at once, but only in a scope', () => {
    const scope = 'a test';
    expect(verdictOf('busy-polling', ...again(20, { scope }, 999))).toBe('advised');
    expect(verdictOf('busy-polling', ...again(19, { scope }, 999))).toBe('passed');
    expect(verdictOf('busy-polling', ...again(20, { scope }, 1001))).toBe('passed');
    expect(verdictOf('busy-polling', ...again(20, {}, 999))).toBe('not-judged');
  });
});

describe('connection-reuse', () => {
  it('fails a client that opens a connection for each of many calls, and leaves the others open', () => {
    const scoped = (count: number): readonly Sketch[] =>
      callsOn(count, own, 100).map((sketch) => ({ ...sketch, scope: 'a test' }));
    expect(verdictOf('connection-reuse', ...scoped(65))).toBe('failed');
    expect(verdictOf('connection-reuse', ...scoped(64))).toBe('not-judged');
    expect(verdictOf('connection-reuse', ...callsOn(100, own, 100))).toBe('not-judged');
    expect(verdictOf('connection-reuse', ...callsOn(24, own, 100))).toBe('not-exercised');
    expect(verdictOf('connection-reuse', ...callsOn(12, () => '127.0.0.1:50000', 100))).toBe('passed');
  });

  it('does not judge the tests of a suite, each with a client of its own', () => {
    const suite = callsOn(80, own, 100).map((sketch, index) => ({ ...sketch, scope: `test ${index}` }));
    expect(verdictOf('connection-reuse', ...suite)).toBe('not-judged');
  });

  it('does not judge a client that closes each connection', () => {
    const closed = callsOn(30, own, 100).map((sketch) => ({ ...sketch, closedMs: sketch.ms + 20 }));
    expect(verdictOf('connection-reuse', ...closed)).toBe('not-exercised');
  });

  it('allows several calls on each of many connections, as several programs have them', () => {
    expect(verdictOf('connection-reuse', ...callsOn(40, twoOnEach, 100))).toBe('passed');
  });

  it('does not count connections that calls at once need, nor those after a long rest', () => {
    const atOnce = Array.from({ length: 20 }, (_, index) => ({ ms: 0, tookMs: 50, connection: own(index) }));
    expect(verdictOf('connection-reuse', ...atOnce)).toBe('not-exercised');
    expect(verdictOf('connection-reuse', ...callsOn(40, own, 5000))).toBe('not-exercised');
  });

  it('does not count connections that take the place of broken ones', () => {
    const broken = callsOn(40, own, 100).map((sketch) => ({ ...sketch, ...lost }));
    expect(verdictOf('connection-reuse', ...broken)).toBe('not-exercised');
  });
});

describe('retry-after without a scope', () => {
  it('does not judge a request that several users send, as its pauses after a success show', () => {
    const asked = { ...throttled, retryAfter: 2, elements: [{ quizId: 'a' }] };
    const users = (count: number, pause: number): readonly Sketch[] =>
      Array.from({ length: count }, (_, index): readonly Sketch[] => [
        { ms: index * 10_000, ...asked },
        { ms: index * 10_000 + 500, elements: [{ quizId: 'a' }] },
        { ms: index * 10_000 + 500 + pause, elements: [{ quizId: 'a' }] },
      ]).flat();
    expect(verdictOf('retry-after', ...users(6, 1500))).toBe('not-judged');
    expect(verdictOf('retry-after', ...users(6, 4000))).toBe('failed');
  });
});

describe('giving-up', () => {
  it('does not ask for submissions to be sent again, except after 429', () => {
    const submit = {
      ms: 0,
      operation: 'submit-user-course-item',
      scope: 'a test',
      elements: [{ userId: 'b' }],
    };
    const more = Array.from({ length: 6 }, (_, index) => ({
      ms: (index + 1) * 10,
      scope: 'a test',
      elements: [{ quizId: `other-${index}` }],
    }));
    expect(verdictOf('giving-up', { ...submit, ...down }, ...more)).toBe('not-exercised');
    const later = { ...submit, ms: 90, elements: [{ userId: 'c' }] };
    expect(verdictOf('giving-up', { ...submit, ...throttled }, ...more, later)).toBe('failed');
  });

  it('does not take the next use of a record for a retry', () => {
    // Twice through twenty records, and five records again and again.
    const twice = Array.from({ length: 40 }, (_, index) => read(index * 100, index % 20, index < 6));
    expect(verdictOf('giving-up', ...twice)).toBe('not-judged');
    const cyclic = Array.from({ length: 60 }, (_, index) =>
      read(index * 250, index % 5, index > 20 && index < 26),
    );
    expect(verdictOf('giving-up', ...cyclic)).toBe('not-judged');
    const retried = Array.from({ length: 6 }, (_, index) => [
      read(index * 1000, index, true),
      read(index * 1000 + 300, index, false),
    ]);
    expect(verdictOf('giving-up', ...retried.flat())).toBe('passed');
  });

  it('does not take the request of the next test for a retry', () => {
    expect(verdictOf('giving-up', ...failedFirst(50))).toBe('not-judged');
    expect(verdictOf('giving-up', ...failedFirst(500))).toBe('passed');
  });

  const scope = 'a test';
  const others = (count: number, everyMs: number): readonly Sketch[] =>
    Array.from({ length: count }, (_, index) => ({
      ms: (index + 1) * everyMs,
      scope,
      elements: [{ quizId: `other-${index}` }],
    }));
  const failed = { ms: 0, scope, ...down };

  it('fails a client that carries on as if nothing had happened', () => {
    expect(verdictOf('giving-up', failed, ...others(6, 10))).toBe('failed');
    expect(verdictOf('giving-up', failed, ...others(5, 10))).toBe('not-judged');
    const later = others(12, 10).map((sketch) => ({ ...sketch, ms: sketch.ms + 1000 }));
    expect(verdictOf('giving-up', failed, ...later)).toBe('not-judged');
    // Its usual pace is no pause.
    expect(verdictOf('giving-up', failed, ...others(12, 1000))).toBe('failed');
  });

  it('is not judged if most tests end with a failure: the client may have been about to retry it', () => {
    const ending = (name: string): Sketch => ({ ...failed, scope: name });
    const retried = [failed, { ms: 900, scope }];
    expect(verdictOf('giving-up', ...retried, ending('b'))).toBe('passed');
    expect(verdictOf('giving-up', ...retried, ending('b'), ending('c'))).toBe('not-judged');
  });

  it('wants one more try, not success, alone or in a batch', () => {
    expect(verdictOf('giving-up', failed, { ...failed, ms: 900 }, ...others(6, 10))).toBe('passed');
    const batch = { ms: 900, scope, elements: [{ quizId: 'z' }, { quizId: 'a' }] };
    expect(verdictOf('giving-up', failed, batch, ...others(6, 10))).toBe('passed');
  });

  it('does not judge a circuit breaker of one operation, while others go on', { tags: ['slow'] }, () => {
    const broken = [0, 1, 2].map((index) => ({ ...callOf(index, index), ...down }));
    const elsewhere = others(100, 15).map((sketch) => ({ ...sketch, operation: 'list-assignments' }));
    expect(verdictOf('giving-up', ...broken, ...elsewhere, callOf(4, 1200))).toBe('not-judged');
    expect(verdictOf('giving-up', ...broken, callOf(4, 20), ...elsewhere)).toBe('failed');
    expect(verdictOf('giving-up', ...broken, ...elsewhere)).toBe('not-judged');
    const many = (count: number): readonly Sketch[] =>
      Array.from({ length: count }, (_, index) => ({ ...callOf(index, index), ...down }));
    expect(verdictOf('giving-up', ...many(20), ...elsewhere)).toBe('not-judged');
    expect(verdictOf('giving-up', ...many(21), ...elsewhere)).toBe('failed');
    const unscoped = [...many(4), ...elsewhere].map(withoutScope);
    expect(verdictOf('giving-up', ...unscoped)).toBe('failed');
  });

  it(
    'does not judge a call that may still wait for the time in Retry-After when the run ends',
    { tags: ['slow'] },
    () => {
      const deferred = { ...failed, retryAfter: 60 };
      expect(verdictOf('giving-up', deferred, ...others(100, 15))).toBe('not-judged');
      expect(verdictOf('giving-up', deferred, ...others(5000, 15))).toBe('failed');
    },
  );

  it('allows to replace a failed update by a newer one', () => {
    const lab = { scope, operation: 'update-interactive-coding-lab' };
    const older = { ...failed, ...lab, elements: [{ labId: 'a', labTitle: 'older' }] };
    const newer = { ms: 70, ...lab, elements: [{ labId: 'a', labTitle: 'newer' }] };
    expect(verdictOf('giving-up', older, ...others(6, 10), newer)).toBe('passed');
    const other = { ms: 70, ...lab, elements: [{ labId: 'b', labTitle: 'other' }] };
    expect(verdictOf('giving-up', older, ...others(6, 10), other)).toBe('failed');
  });

  it('allows to replace a failed search by that of the next keystroke', () => {
    const older = { ...search(scope, 0, 'week'), ...down };
    expect(verdictOf('giving-up', older, ...others(6, 10), search(scope, 70, 'week 3'))).toBe('passed');
  });

  it('does not judge failed searches if a search for another term follows in the same scope', () => {
    const older = { ...search(scope, 0, 'week'), ...down };
    expect(verdictOf('giving-up', older, ...others(6, 10), search(scope, 70, 'month'))).toBe('not-judged');
    expect(reasonOf('giving-up', older, ...others(6, 10), search(scope, 70, 'month'))).toContain(
      'a search for another term',
    );
  });

  it('still judges a failed search that a list without a search follows', () => {
    const older = { ...search(scope, 0, 'week'), ...down };
    const list = { ...search(scope, 70, ''), elements: [{ pageNumber: 2 }] };
    expect(verdictOf('giving-up', older, ...others(6, 10), list)).toBe('failed');
  });

  it('does not judge a client that retries more than a third of similar failures', () => {
    const failures = (count: number, retried: number): readonly Sketch[] =>
      Array.from({ length: count }, (_, index) => {
        const elements = [{ quizId: `own-${index}` }];
        const failure = { ...failed, ms: index, elements };
        return index < retried ? [failure, { ms: 900 + index, scope, elements }] : [failure];
      }).flat();
    expect(verdictOf('giving-up', ...failures(3, 1), ...others(100, 15))).toBe('failed');
    expect(verdictOf('giving-up', ...failures(5, 2), ...others(100, 15))).toBe('not-judged');
    const gone = { ...failed, ...lost, ms: 7, elements: [{ quizId: 'lost' }] };
    const goneToo = { ...gone, ms: 8, elements: [{ quizId: 'gone' }] };
    // The other kind came again only after more than 12 other calls, which are perhaps no retries.
    expect(verdictOf('giving-up', ...failures(5, 5), gone, goneToo, ...others(100, 15))).toBe('failed');
    // A single one of its kind may be the point of the test.
    expect(verdictOf('giving-up', ...failures(5, 5), gone, ...others(100, 15))).toBe('not-judged');
  });

  it('does not judge a client that may have used up a budget for retries', { tags: ['slow'] }, () => {
    const calm = others(100, 15).map((sketch) => ({ ...sketch, ms: sketch.ms + 1000 }));
    expect(verdictOf('giving-up', ...retriedAtFirst(3, 20, 5), ...calm)).toBe('not-judged');
    expect(verdictOf('giving-up', ...retriedAtFirst(2, 20, 5), ...calm)).toBe('failed');
    // A tenth of a few calls are few.
    expect(verdictOf('giving-up', ...retriedAtFirst(2, 20, 5), ...calm.slice(0, 5))).toBe('not-judged');
    expect(verdictOf('giving-up', ...retriedAtFirst(2, 20, 5), ...calm.slice(0, 6))).toBe('failed');
    expect(verdictOf('giving-up', ...retriedAtFirst(1, 12, 5), ...calm.slice(0, 5))).toBe('not-judged');
    expect(verdictOf('giving-up', ...retriedAtFirst(1, 12, 5), ...calm.slice(0, 6))).toBe('failed');
    expect(verdictOf('giving-up', ...retriedAtFirst(0, 12, 5), ...calm.slice(0, 6))).toBe('failed');
    // The next use of a record is no retry, nor is one at its usual time.
    expect(verdictOf('giving-up', ...retriedAtFirst(3, 20, 155), ...calm)).toBe('failed');
    // The budget is for failures of any kind.
    const gone = [300, 310].map((ms) => ({ ...failed, ...lost, ms, elements: [{ quizId: `gone-${ms}` }] }));
    expect(verdictOf('giving-up', ...retriedAtFirst(3, 0, 5), ...gone, ...calm)).toBe('not-judged');
  });

  it('does not judge a failure in a scope if a test changed the faults soon after it', () => {
    const later = others(12, 10).map((sketch, index) => ({ ...sketch, ruleChanges: index < 5 ? 1 : 2 }));
    const armed = { ...failed, ruleChanges: 1 };
    expect(verdictOf('giving-up', armed, ...later)).toBe('not-judged');
    expect(verdictOf('giving-up', armed, ...later.map((sketch) => ({ ...sketch, ruleChanges: 1 })))).toBe(
      'failed',
    );
    const late = others(12, 10).map((sketch, index) => ({ ...sketch, ruleChanges: index < 6 ? 1 : 2 }));
    expect(verdictOf('giving-up', armed, ...late)).toBe('failed');
  });

  it.each([
    ['a lost write, which may have taken effect', { operation: 'create-instructor-account', ...lost }],
    ['a call that the client itself gave up', { status: 0, outcome: 'client-gone' }],
    ['what is missing for good', { status: 404, outcome: 'unknown-id' }],
    ['HTTP 501', { status: 501, faults: ['http-error'] }],
    ['HTTP 505', { status: 505, faults: ['http-error'] }],
  ])('does not judge %s', (_, ending) => {
    expect(verdictOf('giving-up', { ms: 0, scope, ...ending }, ...others(6, 10))).toBe('not-exercised');
  });

  it.each([
    ['HTTP 503', down],
    ['HTTP 408', { status: 408, faults: ['http-error'] }],
    ['a rate limit', throttled],
    ['a lost response', lost],
  ])('tells after what the client gave up: %s', (what, ending) => {
    const entries = entriesOf([{ ms: 0, scope, ...ending }, ...others(6, 10)]);
    const { conduct } = makeReport('default', { entries, evicted: 0 });
    const [finding] = conduct.find(({ check }) => check === 'giving-up')?.findings ?? [];
    expect(finding?.message).toBe(`The client did not retry the call after ${what}.`);
  });
});

describe('endless-retries', () => {
  it('is passed only by a client that was seen to stop', () => {
    expect(verdictOf('endless-retries', ...tries(5), { ms: 5000 })).toBe('not-judged');
    expect(verdictOf('endless-retries', ...tries(5), probe(6001))).toBe('passed');
    // It may have been about to retry.
    expect(verdictOf('endless-retries', ...tries(5))).toBe('not-judged');
    expect(verdictOf('endless-retries', ...tries(5), probe(6000))).toBe('not-judged');
  });

  it('is not passed by a client whose retries end with an answer, even if that is an error', () => {
    const missing = { ms: 5000, outputs: ['error'], failures: ['not-found'] } as const;
    const refusal = { ms: 5000, status: 400, outcome: 'bad-request' };
    for (const answer of [missing, refusal])
      expect(verdictOf('endless-retries', ...tries(5), answer, probe(60_000))).toBe('not-judged');
  });

  it('allows twenty tries', () => {
    expect(verdictOf('endless-retries', ...tries(20), probe(60_000))).toBe('passed');
    const pauses = Array.from({ length: 20 }, () => 899);
    expect(verdictOf('endless-retries', ...outage('get-quiz-details', 0, pauses))).toBe('failed');
    // A program may wait until the service is ready.
    expect(verdictOf('endless-retries', ...tries(21), { ms: 21_000 })).toBe('not-judged');
  });

  it('does not judge tries of which the pauses begin anew, because they may come from several users, or of one', () => {
    const users = outage(
      'get-quiz-details',
      0,
      Array.from({ length: 24 }, (_, index) => 200 * 2 ** (index % 3)),
    );
    expect(verdictOf('endless-retries', ...users)).toBe('not-judged');
    expect(verdictOf('endless-retries', ...users.map((sketch) => ({ ...sketch, scope: 'a test' })))).toBe(
      'not-judged',
    );
  });

  it('does not judge tries at other moments than those of a schedule or of growing pauses', () => {
    const pauses = Array.from({ length: 24 }, (_, index) => 3000 + ((index * 7) % 5) * 400);
    const users = outage('get-quiz-details', 0, pauses);
    expect(verdictOf('endless-retries', ...users)).toBe('not-judged');
    const growing = pauses.map((_, index) => Math.min(20_000, 1000 * 1.5 ** index));
    expect(verdictOf('endless-retries', ...outage('get-quiz-details', 0, growing))).toBe('failed');
  });
});

describe('jitter', () => {
  it('fails retries at the same moment, after the pauses of a program', () => {
    expect(verdictOf('jitter', ...rounds(6, 3))).toBe('failed');
    // A person may have sent them again.
    expect(verdictOf('jitter', ...rounds(3, 3))).toBe('not-judged');
    expect(verdictOf('jitter', ...round(0, 3))).toBe('not-judged');
    // Some noise, and jitter.
    expect(verdictOf('jitter', ...round(0, 4), ...round(9000, 4))).toBe('not-judged');
    expect(verdictOf('jitter', ...round(0, 8), ...round(9000, 8))).toBe('passed');
  });

  it.each([
    ['doubled up to a maximum', [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
    ['a second longer each time', [1000, 2000, 3000, 4000, 5000]],
    ['half as long again each time', [1000, 1500, 2250, 3375, 5062, 7593]],
  ])('fails them after pauses that are %s', (_, pauses) => {
    const starts = pauses.map((__, index) => 60_000 * index);
    const all = pauses.flatMap((pause, index) =>
      together(
        starts[index] ?? 0,
        Array.from({ length: 8 }, (___, at) => pause + at),
      ),
    );
    expect(verdictOf('jitter', ...all)).toBe('failed');
  });

  it(
    'fails them in one operation, although those of another are spread or come at another moment',
    { tags: ['slow'] },
    () => {
      const later = [0, 1, 2, 3, 4, 5].flatMap((index) =>
        together(
          index * 9000,
          Array.from({ length: 8 }, (_, at) => 2000 + at * 3),
        ),
      );
      expect(verdictOf('jitter', ...both(rounds(6, 3), laterBy(rounds(6, 40), 5)))).toBe('failed');
      expect(verdictOf('jitter', ...both(rounds(6, 3), later))).toBe('failed');
      expect(verdictOf('jitter', ...both(rounds(6, 40), rounds(6, 30)))).toBe('passed');
    },
  );

  it(
    'accuses no client whose retries of several operations are spread, each around another pause',
    { tags: ['slow'] },
    () => {
      const random = seeded(20_261_126);
      const accused = Array.from({ length: 60 }, () => {
        const all = [0, 1, 2, 3].flatMap((index) =>
          ['get-quiz-details', 'list-assignments'].flatMap((operation, place) => {
            const pauses = Array.from({ length: 8 }, () => Math.round(1000 + 1000 * place + random() * 100));
            return together(index * 9000, pauses).map((sketch) => ({ ...sketch, operation }));
          }),
        );
        return verdictOf('jitter', ...all.toSorted((one, other) => one.ms - other.ms));
      });
      expect(accused).not.toContain('failed');
    },
  );

  it('fails equal pauses, although the requests did not fail at quite the same time', () => {
    const equal = Array.from({ length: 9 }, () => 1000);
    const all = [0, 1, 2, 3, 4, 5].flatMap((index) => together(index * 9000, equal, 12));
    expect(verdictOf('jitter', ...all)).toBe('failed');
  });

  it('fails them although a few others are retried at another time', () => {
    const most = (from: number): readonly Sketch[] => [...round(from, 2, 9), ...laterRetry(from)];
    expect(verdictOf('jitter', ...[0, 1, 2, 3, 4, 5].flatMap((index) => most(index * 9000)))).toBe('failed');
    const half = [0, 1, 2, 3].flatMap((index) => laterRetry(index));
    expect(verdictOf('jitter', ...round(0, 3), ...half, ...round(9000, 3), ...half)).toBe('not-judged');
  });

  it('does not judge requests that are retried together in fewer than half of all cases', () => {
    expect(verdictOf('jitter', ...rounds(6, 3), ...spreadRounds(7))).toBe('not-judged');
    expect(verdictOf('jitter', ...rounds(6, 3), ...spreadRounds(6))).toBe('failed');
  });

  it('does not judge retries that a circuit breaker releases after its probe succeeded', () => {
    expect(verdictOf('jitter', ...round(0, 3), probe(990), ...round(9000, 3), probe(9990))).toBe(
      'not-judged',
    );
    const failing = [0, 1, 2, 3, 4, 5].map((index) => ({ ...probe(index * 9000 + 990), ...down }));
    expect(verdictOf('jitter', ...rounds(6, 3), ...failing)).toBe('failed');
  });
});

describe('timeouts', () => {
  const silent = { status: 0, faults: ['timeout'] } as const;

  it.each([
    ['the client left', { tookMs: 20_000, clientLeft: true }, 'passed'],
    ['the client left after a minute', { tookMs: 62_000, clientLeft: true }, 'passed'],
    ['the client left later', { tookMs: 62_001, clientLeft: true }, 'failed'],
    ['the server hung up after more than a minute', { tookMs: 62_001, closedMs: 62_001 }, 'failed'],
    ['the server hung up earlier', { tookMs: 62_000, closedMs: 62_000 }, 'not-judged'],
    ['nobody, after more than a minute', {}, 'failed'],
  ])('asks who gave up first: %s', (_, how, verdict) => {
    expect(verdictOf('timeouts', { ms: 0, ...silent, ...how }, { ms: 70_000 })).toBe(verdict);
  });

  it.each(['via', 'x-forwarded-for'])(
    'judges no call through a proxy, which may keep waiting without its client: %s',
    (name) => {
      const own = { connection: '127.0.0.1:50001', closedMs: 90_000 };
      const proxied = { ms: 0, ...silent, tookMs: 90_000, headers: { [name]: '192.0.2.1' }, ...own };
      const later = { ms: 95_000 };
      expect(verdictOf('timeouts', proxied, later)).toBe('not-judged');
      // Not even the end of the wait is certainly that of the client.
      expect(verdictOf('timeouts', { ...proxied, tookMs: 9000, clientLeft: true }, later)).toBe('not-judged');
      expect(verdictOf('timeouts', proxied, { ms: 1, ...silent, tookMs: 90_000 }, later)).toBe('failed');
    },
  );
});

describe('timeouts', () => {
  it('says of a call that is still open for how long the client has waited at least, if the journal shows it', () => {
    const open = { ms: 0, status: 0, faults: ['timeout'], scope: 'a test' } as const;
    const said = (everyMs: number, check: string) => {
      const entries = entriesOf([
        open,
        ...[1, 2, 3, 4, 5, 6, 7].map((index) => callOf(index, index * everyMs)),
      ]);
      return makeReport('default', { entries, evicted: 0 }).conduct.find((one) => one.check === check);
    };
    expect(said(8000, 'timeouts')?.message).toBe(
      'Not judged: The client is still waiting for a response. It may stop before 60 s have passed.',
    );
    expect(said(9000, 'timeouts')?.findings[0]?.message).toBe('The client has waited for more than 63 s.');
    expect(said(10, 'giving-up')?.verdict).toBe('not-exercised');
  });

  it('does not take the end of the program for a timeout', () => {
    const left = { ms: 0, status: 0, faults: ['timeout'], tookMs: 5000, clientLeft: true } as const;
    expect(verdictOf('timeouts', { ms: 0 })).toBe('not-exercised');
    expect(verdictOf('timeouts', left)).toBe('not-judged');
    expect(verdictOf('timeouts', left, { ms: 5100 })).toBe('passed');
  });
});

describe('short-timeouts', () => {
  it('fails a client that gives up five calls within a second, and sends them again', () => {
    expect(verdictOf('short-timeouts', ...hasty(5, 899))).toBe('failed');
    expect(verdictOf('short-timeouts', ...hasty(4, 899))).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...hasty(9, 40))).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...hasty(5, 900))).toBe('passed');
    expect(verdictOf('short-timeouts', ...hasty(9, 150, false))).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...hasty(4, 150, false))).toBe('passed');
  });

  it('does not judge calls that met a timeout that a test had armed', () => {
    const armed = hasty(6, 200).map((sketch) => ({ ...sketch, faults: ['timeout'] }));
    expect(verdictOf('short-timeouts', ...armed)).toBe('not-judged');
    const delayed = hasty(6, 200).map((sketch) => ({ ...sketch, faults: ['delay'] }));
    expect(verdictOf('short-timeouts', ...delayed)).toBe('not-judged');
    const slow = hasty(6, 200).map((sketch) => ({ ...sketch, faults: ['slow-body'] }));
    expect(verdictOf('short-timeouts', ...slow)).toBe('failed');
  });

  it('counts calls that were given up at the same moment once: the user left their page', () => {
    const left = hasty(3, 200).flatMap((sketch) =>
      [0, 1].map((index) => ({ ...sketch, ms: sketch.ms + index, connection: own(index) })),
    );
    const pages = left.map((sketch, index) => ({
      ...sketch,
      elements: [{ quizId: `${index % 2} ${Math.floor(index / 4)}` }],
    }));
    expect(verdictOf('short-timeouts', ...pages)).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...pages, ...laterBy(hasty(2, 200), 60_000))).toBe('failed');
  });

  it('accuses no client that waited longer for others, which it could not have done with a short timeout', () => {
    const patient = [50_000, 60_000].map((ms, index) => ({
      ms,
      tookMs: 400,
      elements: [{ quizId: `slow ${index}` }],
    }));
    expect(verdictOf('short-timeouts', ...hasty(6, 200), ...patient)).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...hasty(6, 200), ...patient.slice(0, 1))).toBe('failed');
    const others = patient.map((sketch) => ({ ...sketch, operation: 'get-course-item-data' }));
    expect(verdictOf('short-timeouts', ...hasty(6, 200), ...others)).toBe('not-judged');
  });

  it('accuses no client that gave up as many calls after other times', () => {
    const others = Array.from({ length: 7 }, (_, index) =>
      laterBy(hasty(1, 300 + 70 * index), 40_000 + 5000 * index),
    );
    expect(verdictOf('short-timeouts', ...hasty(5, 900), ...others.flat())).toBe('not-judged');
  });

  it('does not take the next visit of a page that the user left for a retry', () => {
    expect(verdictOf('short-timeouts', ...visits(4))).toBe('not-judged');
    expect(verdictOf('short-timeouts', ...visits(1))).toBe('failed');
    // Workers send other calls before they retry.
    const workers = visits(4).map((sketch, index) => ({
      ...sketch,
      ms: index * 100,
      connection: own(index % 4),
    }));
    expect(verdictOf('short-timeouts', ...workers)).toBe('failed');
    // The first call of the next page may arrive before the server notices that the client left.
    const pages = visits(2).map((sketch, index) => ({ ...sketch, ms: index * 225, connection: own(index) }));
    expect(verdictOf('short-timeouts', ...pages)).toBe('not-judged');
  });

  it('allows to send a call twice, and to give up one when the other has its response', () => {
    expect(verdictOf('short-timeouts', ...hedged(400))).toBe('passed');
    // It may have left when the other response began.
    expect(verdictOf('short-timeouts', ...hedged(600))).toBe('passed');
    expect(verdictOf('short-timeouts', ...hedged(340))).toBe('failed');
  });
});

describe('a search as the user types', () => {
  it('may be given up at each keystroke, also if the user types the same again', () => {
    const typed = ['w', 'we', 'wee', 'we', 'wee', 'we', 'wee', 'we', 'wee'];
    const left = typed.map((term, index) => ({
      ...search('a page', index * 150, term),
      tookMs: 150,
      clientLeft: true,
    }));
    expect(verdictOf('short-timeouts', ...left)).toBe('passed');
    const others = left.map((sketch, index) => ({ ...sketch, ms: index * 400 }));
    expect(verdictOf('short-timeouts', ...others)).toBe('not-judged');
  });
});

describe('batching', () => {
  it('advises one batch instead of twenty calls', () => {
    expect(verdictOf('batching', ...callsOn(20, () => '127.0.0.1:50000'))).toBe('advised');
    expect(verdictOf('batching', ...callsOn(19, () => '127.0.0.1:50000'))).toBe('passed');
    expect(verdictOf('batching', ...callsOn(20, () => '127.0.0.1:50000', 270))).toBe('passed');
  });
});

/** Tests that each list the instructors once, on a clock that starts at the same time; one exceeds the limit. */
function suite(sandboxMs: (test: number) => number, everyMs = 20): readonly Sketch[] {
  const list = { operation: 'get-all-instructors', elements: [{}] };
  return Array.from({ length: 50 }, (_, test): readonly Sketch[] => {
    const ms = test * everyMs;
    const first = { ms, sandboxMs: sandboxMs(test), ...list };
    if (test !== 20) return [first];
    const more = Array.from({ length: 15 }, (__, index) => ({ ...first, ms: ms + index + 1 }));
    return [
      first,
      ...more.map((one, index) => (index === 14 ? { ...one, ...throttled, retryAfter: 60 } : one)),
    ];
  }).flat();
}

describe('limits between tests', () => {
  it('do not add up if each test sets the clock, or resets the sandbox', () => {
    expect(verdictOf('limits', ...suite(() => 0))).not.toBe('failed');
    expect(verdictOf('limits', ...suite((test) => test * 20))).not.toBe('failed');
    expect(verdictOf('limits', ...suite((test) => 60_000 - test * 1000))).not.toBe('failed');
  });

  it('do not pass a client that sends its requests before the time in Retry-After', () => {
    const polls = Array.from({ length: 40 }, (_, index) => ({
      ms: index * 2500 + (index % 3) * 400,
      operation: 'get-all-instructors',
      elements: [{}],
      ...(index % 20 < 15 ? {} : { ...throttled, retryAfter: 20 }),
    }));
    expect(verdictOf('limits', ...polls)).toBe('not-judged');
    expect(verdictOf('retry-after', ...polls)).toBe('not-judged');
  });

  it('are not advised to have a scope if they have one', () => {
    const polls = Array.from({ length: 40 }, (_, index) => ({
      ms: index * 2500 + (index % 3) * 400,
      operation: 'get-all-instructors',
      elements: [{}],
      ...(index % 20 < 15 ? {} : { ...throttled, retryAfter: 20 }),
    }));
    const scoped = polls.map((sketch) => ({ ...sketch, scope: 'a page' }));
    expect(reasonOf('limits', ...polls)).toContain('Give each user a scope.');
    expect(reasonOf('limits', ...scoped)).toMatch(/before the time in Retry-After\.(?!.* a scope)/);
  });
});

describe('a client that is not judged', () => {
  it('retries the calls of one operation, but never those of another', () => {
    const calls = Array.from({ length: 10 }, (_, index): readonly Sketch[] => {
      const ms = index * 5000;
      const quiz = { scope: 'a job', elements: [{ quizId: `${index}` }] };
      const item = { ...quiz, operation: 'get-course-item-data', elements: [{ courseItemId: `${index}` }] };
      return [
        { ms, ...item, ...down },
        { ms: ms + 10, ...quiz, ...down },
        { ms: ms + 1500, ...quiz },
      ];
    }).flat();
    expect(verdictOf('giving-up', ...calls)).toBe('not-judged');
    const quizzes = calls.filter(({ operation }) => operation === undefined);
    expect(verdictOf('giving-up', ...quizzes)).toBe('passed');
  });

  it('retries after short pauses that grow', () => {
    expect(verdictOf('hammering', ...outages(10, [10, 20, 40, 80, 160]))).toBe('not-judged');
  });

  it('asks for a missing record a few times, with growing pauses', () => {
    const missing = { outputs: ['error'], failures: ['not-found'], scope: 'a webhook' } as const;
    const asks = [0, 500, 1500, 3500, 7500].map((ms) => ({ ms, ...missing }));
    expect(afterFailure('hopeless-repeats', ...asks)).toBe('not-judged');
  });
});
