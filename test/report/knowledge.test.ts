import { describe, expect, it } from 'vitest';
import { twice, type Sketch } from './entries.ts';
import { down, verdictOf } from './outages.ts';

const scope = 'a test';
const asked: Sketch = { ms: 0, scope, status: 429, outcome: 'throttled', retryAfter: 10 };

function connection(index: number): string {
  return `127.0.0.1:${50_000 + index}`;
}

/** Says what the check finds if a client repeats a throttled request after 300 ms on the same connection. */
function verdictIf(more: Partial<Sketch>, ...others: readonly Sketch[]): string {
  return verdictOf('retry-after', ...twice(asked, { ms: 300, scope, ...more }, ...others));
}

describe('a connection that is used again', () => {
  it('proves that the client had the response', () => {
    expect(verdictIf({})).toBe('failed');
    expect(verdictIf({ headers: { 'x-request-id': '7', traceparent: '00-1-2-01' } })).toBe('failed');
  });

  it.each([
    ['via', '1.1 squid'],
    ['forwarded', 'for=192.0.2.1'],
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-proto', 'http'],
    ['x-real-ip', '192.0.2.1'],
    ['x-envoy-expected-rq-timeout-ms', '15000'],
    ['cdn-loop', 'cloudflare'],
    ['x-amzn-trace-id', 'Root=1'],
  ])('proves nothing if a proxy sent one of its calls, which adds %s', (name, value) => {
    expect(verdictIf({ headers: { [name]: value } })).toBe('not-judged');
    const later = { ms: 20_000, scope, elements: [{ quizId: 'b' }], headers: { [name]: value } };
    expect(verdictIf({}, later)).toBe('not-judged');
    expect(verdictIf({}, { ...later, connection: connection(1) })).toBe('failed');
  });

  it('proves nothing if several programs use it, which a proxy may pool', () => {
    const other = {
      ms: 20_000,
      scope,
      elements: [{ quizId: 'b' }],
      headers: { 'user-agent': 'Go-http-client/1.1' },
    };
    expect(verdictIf({}, other)).toBe('not-judged');
    expect(verdictIf({}, { ...other, connection: connection(1) })).toBe('failed');
  });

  it('proves nothing if the request began to arrive before the response was sent', () => {
    expect(verdictIf({ pipelined: true })).toBe('not-judged');
  });

  it('proves nothing if the client also repeats successful requests after similar pauses: a proxy may add no header', () => {
    const read = { ms: 60_000, elements: [{ quizId: 'b' }], scope: 'another test' };
    expect(verdictIf({}, read, { ...read, ms: 60_320 })).toBe('not-judged');
    expect(verdictIf({}, read, { ...read, ms: 64_000 })).toBe('failed');
    // Nobody waits for a response for such a short time.
    expect(verdictIf({ ms: 9 }, read, { ...read, ms: 60_009 })).toBe('failed');
    expect(verdictIf({ ms: 20 }, read, { ...read, ms: 60_009 })).toBe('not-judged');
  });
});

/** A request that several connections send, the last time as long after the first response as that said. */
function inTimeForFirst(...copies: readonly number[]): readonly Sketch[] {
  const throttled = { ...asked, elements: [{ quizId: 'a' }] };
  const sent = copies.map((ms, index) => ({ ...throttled, ms, connection: connection(index + 1) }));
  const last = copies.at(-1) ?? 0;
  return [
    { ...throttled, retryAfter: 2, connection: connection(0) },
    ...sent,
    // The client reads something else, and so certainly had the last response.
    { ms: last + 10, scope, elements: [{ quizId: 'b' }], connection: connection(copies.length) },
    { ms: Math.max(2100, last + 200), scope, elements: [{ quizId: 'a' }], connection: connection(9) },
  ];
}

describe('copies of a slow read', () => {
  it('are at most three, so a client that goes on to repeat the request does not send copies', () => {
    expect(verdictOf('retry-after', ...twice(...inTimeForFirst(300)))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...inTimeForFirst(300, 600)))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...inTimeForFirst(300, 600, 900)))).toBe('failed');
  });

  it('are sent within five seconds', () => {
    expect(verdictOf('retry-after', ...twice(...inTimeForFirst(5000)))).toBe('not-judged');
    expect(verdictOf('retry-after', ...twice(...inTimeForFirst(5001)))).toBe('failed');
  });
});

/**
 * Reads of a client that are refused at once, and sent again after 300 ms each time, while the responses are on their
 * way.
 */
function hedged(count: number, refusal: Partial<Sketch>, copies = 1): readonly Sketch[] {
  return Array.from({ length: 1 + copies }, (_, copy) =>
    Array.from({ length: count }, (__, index) => ({
      scope,
      elements: [{ quizId: `${index}` }],
      ...refusal,
      ms: copy * 300 + index,
      connection: connection(copy * 300 + index),
    })),
  ).flat();
}

describe('copies of reads that were under way', () => {
  it('do not count as calls with a refused key', () => {
    const refusal = { status: 401, outcome: 'invalid-key' };
    expect(verdictOf('hopeless-repeats', ...hedged(40, refusal))).toBe('not-judged');
    expect(verdictOf('hopeless-repeats', ...hedged(61, refusal))).toBe('failed');
  });

  it('do not count as calls beyond a rate limit', () => {
    const refusal = { status: 429, outcome: 'throttled', retryAfter: 30 };
    expect(verdictOf('limits', ...hedged(15, refusal, 2))).toBe('not-judged');
    expect(verdictOf('limits', ...hedged(15, refusal, 4))).toBe('failed');
  });
});

/**
 * Reads of batches, each sent again after 200 ms on another connection, while the responses are on their way. The client
 * then sends the failed element again. Both connections are used again later.
 */
function hedgedBatches(more: Partial<Sketch> = {}): readonly Sketch[] {
  return [0, 1, 2, 3].flatMap((index): readonly Sketch[] => {
    const ms = index * 10_000;
    const [a, b] = [{ quizId: `${index} a` }, { quizId: `${index} b` }];
    const batch = { scope, elements: [a, b], outputs: ['ok', 'error'], failures: ['injected'] } as const;
    return [
      { ms, ...batch, connection: connection(0) },
      { ms: ms + 200, ...batch, connection: connection(1), ...more },
      { ms: ms + 700, scope, elements: [b], connection: connection(0) },
    ];
  });
}

describe('copies of batches', () => {
  it('are no repeats of the successful elements', () => {
    expect(verdictOf('batches', ...hedgedBatches())).toBe('not-judged');
    const unscoped = hedgedBatches().map((sketch) => {
      const { scope: _, ...others } = sketch;
      return others;
    });
    expect(verdictOf('batches', ...unscoped)).toBe('not-judged');
    // The client used the connection again, and so had the response.
    expect(verdictOf('batches', ...hedgedBatches({ connection: connection(0) }))).toBe('failed');
  });

  it('are no repeats either on the connections of a proxy', () => {
    const proxied = { connection: connection(0), headers: { via: '1.1 gateway' } };
    expect(verdictOf('batches', ...hedgedBatches(proxied))).toBe('not-judged');
  });

  it('may fail as a whole, which is a reason to send the whole batch', () => {
    const whole = [0, 1, 2, 3].flatMap((index): readonly Sketch[] => {
      const elements = [{ quizId: `${index} a` }, { quizId: `${index} b` }];
      const partial = { scope, elements, outputs: ['ok', 'error'], failures: ['injected'] } as const;
      const ms = index * 10_000;
      return [
        { ms, scope, elements, status: 503, faults: ['http-error'], connection: connection(0) },
        { ms: ms + 300, ...partial, connection: connection(1) },
        // The copy on this connection fails, too, and the client uses the connection at once.
        { ms: ms + 500, scope, elements, connection: connection(1) },
      ];
    });
    expect(verdictOf('batches', ...whole)).toBe('not-judged');
    const alone = whole.filter(({ status }) => status !== 503);
    expect(verdictOf('batches', ...alone)).toBe('failed');
  });
});

describe('copies of a read of which one succeeded', () => {
  it('need no retry', () => {
    const copies = [0, 1, 2, 3].flatMap((index): readonly Sketch[] => {
      const read = { scope, elements: [{ quizId: `${index}` }] };
      return [
        { ms: index * 10_000, ...read, connection: connection(0) },
        { ms: index * 10_000 + 300, ...read, ...down, connection: connection(1) },
      ];
    });
    const others = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({
      ms: 40_000 + index * 100,
      scope,
      elements: [{ quizId: `other ${index}` }],
    }));
    expect(verdictOf('giving-up', ...copies, ...others)).toBe('not-exercised');
    const alone = copies.filter(({ status }) => status === 503);
    expect(verdictOf('giving-up', ...alone, ...others)).not.toBe('not-exercised');
  });
});

/** Requests that are told to wait; the first ones are repeated too early, and the others in time. */
function lostAndReceived(lost: number, received: number): readonly Sketch[] {
  return Array.from({ length: lost + received }, (_, index) => {
    const elements = [{ quizId: `${index}` }];
    const ms = index * 30_000;
    return [
      { ...asked, ms, elements },
      { ms: ms + (index < lost ? 300 : 10_100), scope, elements },
    ];
  }).flat();
}

describe('a response that may have been lost', () => {
  it('is a single one: a client that repeats one request too early is not judged', () => {
    expect(verdictOf('retry-after', ...lostAndReceived(1, 0))).toBe('not-judged');
    expect(verdictOf('retry-after', ...lostAndReceived(1, 1))).toBe('not-judged');
    expect(verdictOf('retry-after', ...lostAndReceived(2, 0))).toBe('failed');
  });

  it('is one of a few, if the client waits after most of the others', () => {
    expect(verdictOf('retry-after', ...lostAndReceived(2, 3))).toBe('not-judged');
    expect(verdictOf('retry-after', ...lostAndReceived(2, 2))).toBe('failed');
  });

  it('counts in all scopes of a suite, whose tests may each repeat one request', () => {
    const tests = lostAndReceived(2, 0).map((sketch) => ({ ...sketch, scope: `test ${sketch.ms > 10_000}` }));
    expect(verdictOf('retry-after', ...tests)).toBe('failed');
    expect(verdictOf('retry-after', ...tests.slice(0, 2))).toBe('not-judged');
  });

  it('counts the same request, if it follows several responses', () => {
    const again = { ...asked, ms: 300 };
    expect(verdictOf('retry-after', asked, again, { ms: 600, scope })).toBe('failed');
  });
});

/** The reads of a test in an outage: copies of each, on their own connections, `everyMs` apart. All fail. */
function hedgedInOutage(everyMs: number, more: Partial<Sketch> = {}, connections = 3): readonly Sketch[] {
  return Array.from({ length: 12 }, (_, index) =>
    [0, 1, 2].map((copy) => ({
      scope,
      ...down,
      ms: index * 4000 + copy * everyMs,
      elements: [{ quizId: `${index}` }],
      connection: connection(copy % connections),
      ...more,
    })),
  ).flat();
}

/** The same, sent again after a pause. */
function hedgedTwice(everyMs: number): readonly Sketch[] {
  const first = hedgedInOutage(everyMs);
  const again = first.map((sketch) => ({ ...sketch, ms: sketch.ms + 2 * everyMs + 700 }));
  return [...first, ...again].toSorted((one, other) => one.ms - other.ms);
}

describe('copies of reads that fail', () => {
  it.each([4, 35])('are no retries without a pause if they come %i ms apart', (everyMs) => {
    expect(verdictOf('hammering', ...hedgedInOutage(everyMs))).toBe('not-judged');
    expect(verdictOf('hammering', ...hedgedTwice(everyMs))).toBe('not-judged');
  });

  it.each([35, 300])('are no retries whose pauses do not grow if they come %i ms apart', (everyMs) => {
    expect(verdictOf('backoff', ...hedgedInOutage(everyMs))).toBe('not-judged');
    expect(verdictOf('backoff', ...hedgedTwice(everyMs))).toBe('not-judged');
  });

  it('may be sent before the client learns that the server cut its connection', () => {
    const cut = { status: 0, faults: ['reset'] } as const;
    const apart = hedgedInOutage(35, cut).map((sketch, index) => ({
      ...sketch,
      connection: connection(index),
      closedMs: sketch.ms + 1,
    }));
    expect(verdictOf('hammering', ...apart)).toBe('not-judged');
  });

  it('are retries if they share a connection, if it was closed before, and if they change something', () => {
    expect(verdictOf('hammering', ...hedgedInOutage(4, {}, 1))).toBe('failed');
    expect(verdictOf('hammering', ...hedgedInOutage(4, {}, 2))).toBe('failed');
    const closing = hedgedInOutage(35).map((sketch, index) => ({
      ...sketch,
      connection: connection(index),
      closedMs: sketch.ms + 1,
    }));
    expect(verdictOf('hammering', ...closing)).toBe('failed');
    const atOnce = hedgedInOutage(0).flatMap((sketch) => [sketch, { ...sketch, ms: sketch.ms + 5 }]);
    const inTurn = atOnce.toSorted((one, other) => one.ms - other.ms);
    expect(verdictOf('hammering', ...inTurn)).toBe('failed');
    const writes = hedgedInOutage(4, { operation: 'update-interactive-coding-lab' });
    expect(verdictOf('hammering', ...writes)).toBe('failed');
  });
});
