import { describe, expect, it } from 'vitest';
import type { Sketch } from './entries.ts';
import { judged } from './outages.ts';
import { seeded } from './seeded.ts';

const down = { status: 503, faults: ['http-error'] } as const;
const throttled = { status: 429, outcome: 'throttled' } as const;
const impatient = 'get-course-item-data';
const patient = 'get-quiz-details';

type Pauses = (request: number) => readonly number[];

/** Requests of an operation, one after the other, that are sent again after these pauses, and succeed in the end. */
function retried(operation: string, requests: number, pausesOf: Pauses, more: Partial<Sketch> = down) {
  const { scope } = more;
  return Array.from({ length: requests }, (_, index) => {
    const pauses = pausesOf(index);
    let ms = index * 60_000;
    const request = {
      operation,
      elements: [{ id: String(index) }],
      ...(scope === undefined ? {} : { scope }),
    };
    return [
      { ms, ...request, ...more },
      ...pauses.map((pause, place) => ({
        ms: (ms += pause),
        ...request,
        ...(place === pauses.length - 1 ? {} : more),
      })),
    ];
  }).flat();
}

/** The same later, so that two operations take turns. */
function laterBy(ms: number, sketches: readonly Sketch[]): readonly Sketch[] {
  return sketches.map((sketch) => ({ ...sketch, ms: sketch.ms + ms }));
}

/** A client that backs off before the retries of another operation. */
function besides(sketches: readonly Sketch[], more: Partial<Sketch> = down): readonly Sketch[] {
  const growing = retried(patient, 20, (index) => [400 + index, 800 + index, 1600 + index], more);
  return [...growing, ...laterBy(30_000, sketches)].toSorted((one, other) => one.ms - other.ms);
}

const atOnce: Pauses = () => [2, 2, 2, 2];

describe('a client that backs off in some operations, and in one', () => {
  it.each([
    ['backoff', 'HTTP 503', down],
    ['backoff', 'HTTP 429 without Retry-After', throttled],
    ['hammering', 'HTTP 503', down],
  ])('retries at once, fails %s after %s, and the finding names the operation', (check, _, failure) => {
    const found = judged(check, besides(retried(impatient, 5, atOnce, failure), failure));
    expect(found.verdict).toBe('failed');
    expect(found.findings.map(({ operation }) => operation)).toEqual([impatient]);
    expect(found.findings[0]?.message).toMatch(/^In get-course-item-data, the client retried .*4 times/);
  });

  it('waits as long before each retry, fails backoff', () => {
    const found = judged('backoff', besides(retried(impatient, 5, () => [600, 600, 600])));
    expect(found.findings.map(({ operation, message }) => [operation, message])).toEqual([
      [impatient, 'In get-course-item-data, the pauses did not grow: 0.6 s, 0.6 s, 0.6 s. (5 times)'],
    ]);
  });

  it(
    'waits between 0.4 and 0.8 s, fails backoff if many requests show it, and is else not judged',
    { tags: ['slow'] },
    () => {
      const random = seeded(17);
      const noisy: Pauses = () => Array.from({ length: 5 }, () => Math.round(400 + 400 * random()));
      expect(judged('backoff', besides(retried(impatient, 40, noisy))).verdict).toBe('failed');
      expect(judged('backoff', besides(retried(impatient, 10, noisy))).verdict).toBe('not-judged');
    },
  );

  it.each([
    ['retries only four requests at once', 4, atOnce],
    ['retries a single request at once', 1, () => Array.from({ length: 20 }, () => 2)],
    ['waits for 2 s each time, as for a circuit breaker', 8, () => [2000, 2000, 2000]],
  ] satisfies readonly (readonly [string, number, Pauses])[])('%s, is not judged', (_, requests, pauses) => {
    const all = besides(retried(impatient, requests, pauses));
    expect(judged('backoff', all).verdict).toBe(requests === 1 ? 'passed' : 'not-judged');
    expect(judged('hammering', all).verdict).not.toBe('failed');
  });

  it.each([
    ['retries once at once, and backs off then', () => [0, 400, 800, 1600]],
    ['retries only once, at once', () => [1]],
  ] satisfies readonly (readonly [string, Pauses])[])('%s, passes', (_, pauses) => {
    const all = besides(retried(impatient, 20, pauses));
    for (const check of ['backoff', 'hammering']) expect(judged(check, all).verdict, check).toBe('passed');
  });

  it.each([
    ['together, as a page that refreshes itself does', 0],
    ['again after they succeeded', 60_000],
  ])('waits as long before each retry of requests that it sends %s, is not accused', (_, apart) => {
    const requests = Array.from({ length: 8 }, (__, index) =>
      laterBy((200 + apart) * index, [
        ...retried(impatient, 1, () => Array.from({ length: 4 }, () => 500 + 40 * index)),
        ...(apart === 0 ? [] : [{ ms: 20_000, operation: impatient, elements: [{ id: '0' }] }]),
      ]).map((sketch) => ({
        ...sketch,
        elements: [{ id: String(index) }],
        connection: `127.0.0.1:5000${index}`,
      })),
    );
    expect(judged('backoff', besides(requests.flat())).verdict).not.toBe('failed');
  });

  it('is judged in each scope by itself', () => {
    const good = besides([], { ...down, scope: 'good' });
    const bad = besides(retried(impatient, 5, atOnce, { ...down, scope: 'bad' }), { ...down, scope: 'bad' });
    for (const check of ['backoff', 'hammering']) {
      const found = judged(
        check,
        [...good, ...bad].toSorted((one, other) => one.ms - other.ms),
      );
      expect(
        found.findings.map(({ scope }) => scope),
        check,
      ).toEqual(['bad']);
    }
  });

  it('reads the same few records in turn, for which each failure is final, is not accused', () => {
    const rounds = Array.from({ length: 30 }, (_, round) =>
      [0, 1, 2, 3, 4, 5].map((id) => ({
        ms: 30_000 + round * 500 + id * 20,
        operation: impatient,
        elements: [{ id }],
        ...(round < 20 ? down : {}),
      })),
    ).flat();
    const all = [...besides([]), ...rounds].toSorted((one, other) => one.ms - other.ms);
    for (const check of ['backoff', 'hammering'])
      expect(judged(check, all).verdict, check).not.toBe('failed');
  });

  it.each([
    ['full jitter', (random: () => number) => [200, 400, 800].map((most) => Math.round(random() * most))],
    [
      'decorrelated jitter',
      (random: () => number) => {
        let pause = 100;
        return [1, 2, 3].map(() => (pause = Math.round(100 + random() * (3 * pause - 100))));
      },
    ],
  ])(
    'draws its pauses with %s in all of them, is accused in no run of a sample',
    { tags: ['slow'] },
    (_, pausesOf) => {
      const random = seeded(20_261_125);
      const operations = [impatient, patient, 'list-assignments', 'get-video-library', 'get-all-live-events'];
      const verdicts = Array.from({ length: 12 }, (__, run) => {
        const all = operations.flatMap((operation, place) =>
          laterBy(
            place * 10_000,
            retried(operation, 2 + (run % 8), () => pausesOf(random)),
          ),
        );
        const sketches = all.toSorted((one, other) => one.ms - other.ms);
        return ['backoff', 'hammering'].map((check) => judged(check, sketches));
      });
      expect(verdicts.flat().filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    },
  );
});
