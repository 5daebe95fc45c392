import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createWindow, type Admission, type Window, type WindowKind } from '../../src/sandbox/windows.ts';
import { CountedWindows } from '../../src/store/counted-windows.ts';
import { Oracle, type Rules } from './oracle.ts';

const kinds: readonly WindowKind[] = ['fixed-from-first', 'fixed-aligned', 'sliding'];
const length = 20;

interface Step {
  /** Milliseconds since the call before. */
  readonly wait: number;
  readonly cost: number;
}
interface Schedule {
  readonly limit: number;
  /** Where the clock stands before the first step; windows of the clock must not care. */
  readonly from: number;
  readonly steps: readonly Step[];
}

/** Calls of one element, as where requests are counted, or of several, as where elements are. */
function schedules(largestCost: number): fc.Arbitrary<Schedule> {
  return fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    from: fc.integer({ min: -30, max: 1_000_000 }),
    steps: fc.array(
      fc.record({
        // Crowded as a rule, with a pause now and then.
        wait: fc.oneof(
          { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
          fc.integer({ min: 0, max: 2 * length }),
        ),
        cost: fc.integer({ min: 1, max: largestCost }),
      }),
      { minLength: 1, maxLength: 30 },
    ),
  });
}

const settings = kinds.flatMap((kind) =>
  [false, true].flatMap((refusedCount) => [1, 8].map((largestCost) => ({ kind, refusedCount, largestCost }))),
);

function windowFor({ kind, refusedCount }: Pick<Rules, 'kind' | 'refusedCount'>): Window {
  return createWindow({ kind, length, refusedCount });
}

/** Goes through a schedule: the moment and the admission of each call. */
function play(
  window: Window,
  { from, steps, limit }: Schedule,
): readonly { readonly at: number; readonly said: Admission }[] {
  let at = from;
  return steps.map(({ wait, cost }) => {
    at += wait;
    return { at, said: window.admit(at, cost, limit) };
  });
}

/** What the same schedule comes to, up to its last call, with one more call at a moment. */
function probe(window: Window, schedule: Schedule, at: number): boolean {
  play(window, schedule);
  return window.admit(at, schedule.steps.at(-1)?.cost ?? 1, schedule.limit).admitted;
}

describe.each(settings)(
  'a window $kind, refused calls counting: $refusedCount, costs up to $largestCost',
  (setting) => {
    it('says of every call what counting all calls by hand says', () => {
      fc.assert(
        fc.property(schedules(setting.largestCost), (schedule) => {
          const oracle = new Oracle({ ...setting, length, limit: schedule.limit });
          const played = play(windowFor(setting), schedule);
          const counted = played.map(({ at }, index) => {
            const cost = schedule.steps[index]?.cost ?? 1;
            const admitted = oracle.admit(at, cost);
            const retryAt = admitted ? null : oracle.retryAt(at, cost);
            return { admitted, remaining: oracle.remaining(at), retryAt };
          });
          expect(
            played.map(({ said: { admitted, remaining, retryAt } }) => ({ admitted, remaining, retryAt })),
          ).toEqual(counted);
        }),
        { numRuns: 150 },
      );
    });

    it('admits a refused call exactly when it said so, and not a millisecond earlier', () => {
      fc.assert(
        fc.property(schedules(setting.largestCost), (schedule) => {
          const { said, at } = play(windowFor(setting), schedule).at(-1) ?? {};
          fc.pre(said !== undefined && at !== undefined && said.retryAt !== null);
          expect(said.retryAt).toBeGreaterThan(at);
          expect(probe(windowFor(setting), schedule, said.retryAt)).toBe(true);
          expect(probe(windowFor(setting), schedule, said.retryAt - 1)).toBe(false);
        }),
        { numRuns: 75, maxSkipsPerRun: 1000 },
      );
    });

    it('does not lock a caller out whose clock is set back: a length later at most, the call passes', () => {
      fc.assert(
        fc.property(
          schedules(setting.largestCost),
          fc.integer({ min: 1, max: 1_000_000 }),
          (schedule, back) => {
            const window = windowFor(setting);
            const { at } = play(window, schedule).at(-1) ?? { at: 0 };
            const { admitted, retryAt } = window.admit(at - back, 1, schedule.limit);
            const next = admitted ? at - back : (retryAt ?? Number.POSITIVE_INFINITY);
            expect(next).toBeLessThanOrEqual(at - back + length);
            expect(admitted || window.admit(next, 1, schedule.limit).admitted).toBe(true);
          },
        ),
        { numRuns: 75 },
      );
    });
  },
);

describe('refused calls that count', () => {
  it.each(kinds)('count also for a limit that is raised afterwards, and are all told: %s', (kind) => {
    const window = createWindow({ kind, length: 60_000, refusedCount: true });
    for (const at of [120_000, 120_001, 120_002]) window.admit(at, 1, 1);
    expect(window.used(120_002)).toBe(3);
    const later = [120_003, 120_004, 120_005].map((at) => window.admit(at, 1, 3).admitted);
    expect(later).toEqual([false, false, false]);
  });
});

const counting = (kind: WindowKind): Window => createWindow({ kind, length: 60_000, refusedCount: false });

describe('a clock that is set back', () => {
  it.each(kinds)('by at most the length of the window takes away no calls: %s', (kind) => {
    for (const back of [1, 1000, 59_999, 60_000]) {
      const window = counting(kind);
      for (const at of [120_000, 120_000, 120_000, 120_000]) window.admit(at, 1, 3);
      expect([back, window.used(120_000 - back)]).toEqual([back, 3]);
      expect(window.admit(120_000 - back, 1, 3)).toMatchObject({ admitted: false, remaining: 0 });
      expect(window.used(120_000 - back)).toBe(3);
    }
  });

  it.each(kinds)('by more than the length of the window takes away later calls: %s', (kind) => {
    const window = counting(kind);
    for (const at of [120_000, 120_000, 120_000]) window.admit(at, 1, 3);
    expect(window.used(59_999)).toBe(0);
    expect(window.admit(59_999, 1, 3)).toMatchObject({ admitted: true, remaining: 2 });
  });

  it.each(kinds)('lets later calls count as calls of its moment: %s', (kind) => {
    const window = counting(kind);
    for (const at of [150_000, 150_003, 150_009]) window.admit(at, 1, 3);
    const { retryAt } = window.admit(140_000, 1, 3);
    expect(retryAt).toBe(kind === 'fixed-aligned' ? 180_000 : 200_000);
    expect(window.used((retryAt ?? 0) - 1)).toBe(3);
    expect(window.used(retryAt ?? 0)).toBe(0);
  });

  it('takes only the calls from a sliding window that are further ahead than its length', () => {
    const window = counting('sliding');
    for (const at of [115_000, 130_000, 150_000, 170_000]) window.admit(at, 1, 9);
    expect(window.used(100_000)).toBe(3);
    expect(window.admit(100_000, 1, 9).remaining).toBe(5);
    expect(window.facts().counted).toEqual([{ at: 100_000, cost: 4 }]);
  });
});

describe('what is used of a limit', () => {
  it.each(kinds)('counts a call until it is exactly as old as the window: %s', (kind) => {
    const window = createWindow({ kind, length: 60_000, refusedCount: false });
    window.admit(120_000, 2, 5);
    expect([120_000, 179_999, 180_000].map((now) => window.used(now))).toEqual([2, 2, 0]);
  });

  it('is forgotten call by call where the window is sliding', () => {
    const window = createWindow({ kind: 'sliding', length: 60_000, refusedCount: false });
    window.admit(0, 1, 5);
    window.admit(30_000, 2, 5);
    expect([30_000, 59_999, 60_000, 89_999, 90_000].map((now) => window.used(now))).toEqual([3, 3, 2, 2, 0]);
  });
});

describe('the moment at which the limit comes back', () => {
  const counted = kinds.flatMap((kind) => [false, true].map((refusedCount) => ({ kind, refusedCount })));

  it.each(counted)(
    'is told right by a window $kind, refused calls counting: $refusedCount',
    ({ kind, refusedCount }) => {
      fc.assert(
        fc.property(schedules(1), (schedule) => {
          const oracle = new Oracle({ kind, length, limit: schedule.limit, refusedCount });
          for (const { at, said } of play(createWindow({ kind, length, refusedCount }), schedule)) {
            oracle.admit(at, 1);
            expect(said.resetAt).toBe(oracle.moreAt(at));
          }
        }),
        { numRuns: 75 },
      );
    },
  );
});

describe('a sliding window of very many calls', () => {
  const minute = 60_000;
  const sliding = { kind: 'sliding', length: minute, refusedCount: false } as const;

  it('holds one entry for the calls of a moment, such as all on a frozen clock', () => {
    const window = createWindow(sliding);
    for (let call = 0; call < 5000; call += 1) window.admit(7, 1, 10_000);
    expect(window.facts().counted).toEqual([{ at: 7, cost: 5000 }]);
    expect(window.used(7)).toBe(5000);
  });

  it(
    'holds a bounded number of entries, and counts each call for a minute less at most 60 ms',
    { tags: ['slow'] },
    () => {
      const window = createWindow(sliding);
      for (let at = 0; at < minute; at += 2) expect(window.admit(at, 1, 1_000_000).admitted).toBe(true);
      expect(window.facts().counted.length).toBeLessThan(2100);
      expect(window.used(minute - 1)).toBe(minute / 2);
      for (const later of [10_000, 30_000, 50_000]) {
        const exact = (minute - later) / 2;
        expect(window.used(minute + later)).toBeGreaterThanOrEqual(exact - 31);
        expect(window.used(minute + later)).toBeLessThanOrEqual(exact);
      }
    },
  );

  it('is exact to the millisecond up to 1,000 calls', () => {
    const window = createWindow(sliding);
    for (let at = 0; at < 1000; at += 1) window.admit(at, 1, 1000);
    const { admitted, retryAt } = window.admit(1000, 1, 1000);
    expect([admitted, retryAt]).toEqual([false, minute]);
    expect(window.used(minute + 499)).toBe(500);
  });

  it('can be put together again from its facts and from what was added since, also if the facts have it already', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            wait: fc.oneof(fc.constant(0), fc.integer({ min: -20_000, max: 20_000 })),
            stores: fc.constantFrom('nothing', 'the call', 'all facts'),
          }),
          {
            maxLength: 60,
          },
        ),
        fc.integer({ min: 1, max: 12 }),
        (calls, limit) => {
          const window = createWindow(sliding);
          const name = { operation: 'get-quiz-details', caller: 'key' };
          let log = new CountedWindows([{ ...name, ...window.facts() }]);
          let now = 0;
          for (const { wait, stores } of calls) {
            now += wait;
            window.admit(now, 1, limit);
            if (stores === 'the call') log.add({ ...name, ...window.takeNew() });
            if (stores === 'all facts') log = new CountedWindows([{ ...name, ...window.facts() }]);
          }
          log.add({ ...name, ...window.takeNew() });
          expect(log.all()).toEqual([{ ...name, ...window.facts() }]);
        },
      ),
    );
  });

  it('is the same from a log after the clock was set back before an entry that no longer counts', () => {
    const window = createWindow(sliding);
    const name = { operation: 'get-quiz-details', caller: 'key' } as const;
    const log = new CountedWindows([]);
    for (const [now, cost] of [
      [10 * minute, 1],
      [12 * minute, 16],
      [5 * minute, 15],
    ] as const) {
      window.admit(now, cost, 15);
      log.add({ ...name, ...window.takeNew() });
    }
    expect(log.all()).toEqual([{ ...name, ...window.facts() }]);
    expect(window.used(5 * minute)).toBe(15);
  });

  it(
    'is read from a log in a time that grows with its calls, not with their square',
    { tags: ['slow'] },
    () => {
      const settings = {
        operation: 'get-quiz-details',
        caller: 'key',
        kind: 'sliding',
        refusedCount: false,
      } as const;
      const log = new CountedWindows([]);
      const copied = vi.spyOn(Array.prototype, 'slice');
      for (let at = 0; at < 20_000; at += 1)
        log.add({ ...settings, counted: [{ at, cost: 1 }], counting: Math.min(at + 1, 1000) });
      const copies = copied.mock.results.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
      copied.mockRestore();
      expect(copies).toBeLessThan(100_000);
      expect(log.all()[0]?.counted).toHaveLength(1000);
    },
  );
});
