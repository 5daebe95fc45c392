import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxServer, type StartOptions } from '../../src/index.ts';
import { CounterMemory } from '../../src/sandbox/counter-memory.ts';
import { RateCounters } from '../../src/sandbox/rate-counters.ts';
import { createWindow, type Window } from '../../src/sandbox/windows.ts';
import { temporaryFolder } from '../support/command.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { send } from '../support/send.ts';

const operation = 'get-all-live-events';
const other = 'get-all-instructors';

async function serve(options: StartOptions = {}): Promise<SandboxServer> {
  const server = await startSandbox({ port: 0, max: { rateCounters: 10 }, ...options });
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

/** A server whose clock stands still, with the data in a folder. */
async function storing(data: string, options: StartOptions = {}): Promise<SandboxServer> {
  const server = await serve({ data, ...options });
  await server.default.clock.set({ mode: 'frozen', now: '2026-11-20T10:00:00.000Z' });
  return server;
}

/** Sends a call with this label, and returns its status. */
async function callAs({ url }: SandboxServer, label: string, called = operation): Promise<number> {
  const headers = { 'SERVICE-API-KEY': `sbx_default_riverside_${label}` };
  return (await send(`${url}/public/${called}`, headers, { data: [{ data: {} }] })).status;
}

async function callTimes(server: SandboxServer, label: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push(await callAs(server, label));
  return statuses;
}

/** What has a counter, and how many calls it counts, in the order of the list. */
async function countersOf({ default: { limits } }: SandboxServer): Promise<readonly string[]> {
  const { operations } = await limits.read();
  return Object.entries(operations).flatMap(([name, { counters }]) =>
    counters.map(({ who, used }) => `${name} ${who} ${used}`),
  );
}

describe('the counters of the rate limits', () => {
  it(
    'are at most as many as the server allows, and the oldest ones are forgotten',
    { tags: ['slow'] },
    async () => {
      const server = await serve();
      expect(await callAs(server, 'first', other)).toBe(200);
      expect(await callTimes(server, 'second', 16)).toContain(429);
      for (let label = 0; label < 9; label += 1) expect(await callAs(server, `job-${label}`)).toBe(200);
      expect(await countersOf(server)).toHaveLength(10);
      // The first one was the oldest, the second one is not forgotten yet.
      expect(await callAs(server, 'second')).toBe(429);
      expect(await callAs(server, 'job-9')).toBe(200);
      expect(await callAs(server, 'second')).toBe(200);
      expect(await countersOf(server)).toHaveLength(10);
    },
  );

  it.each(['fixed-from-first', 'fixed-aligned', 'sliding'] as const)(
    'are the same after a crash, also if some were forgotten and came again (%s)',
    { tags: ['slow'] },
    async (rateLimitWindow) => {
      const data = temporaryFolder();
      const first = await storing(data, { assume: { rateLimitWindow } });
      await callAs(first, 'busy');
      for (let label = 0; label < 12; label += 1) await callAs(first, `job-${label}`);
      expect(await callTimes(first, 'busy', 16)).toContain(429);
      await callAs(first, 'job-3');
      await first.default.clock.advance({ seconds: 30 });
      for (let label = 20; label < 25; label += 1) await callAs(first, `job-${label}`);
      const before = await countersOf(first);
      const second = await serve({ data: crashCopy(data), assume: { rateLimitWindow } });
      expect(await countersOf(second)).toEqual(before);
      expect(await callAs(second, 'busy')).toBe(429);
      // The order in which they are forgotten is the same, too.
      for (const server of [first, second]) {
        for (let label = 30; label < 36; label += 1) await callAs(server, `job-${label}`);
        await callAs(server, 'busy');
      }
      expect(await countersOf(second)).toEqual(await countersOf(first));
      const third = await serve({ data: crashCopy(data), assume: { rateLimitWindow } });
      expect(await countersOf(third)).toEqual(await countersOf(first));
    },
  );

  it('that count no call any more do not come back after a crash', { tags: ['slow'] }, async () => {
    const data = temporaryFolder();
    const first = await storing(data);
    await callTimes(first, 'old', 15);
    await first.default.clock.advance({ seconds: 120 });
    await callAs(first, 'new');
    const before = await countersOf(first);
    expect(await countersOf(await serve({ data: crashCopy(data) }))).toEqual(before);
  });

  it('share the memory of a server, of which each sandbox has a part for itself', () => {
    const memory = new CounterMemory(0);
    const counters = new RateCounters(1000, memory, () => 0);
    for (let caller = 0; caller < 50; caller += 1) counters.add(operation, `${caller}`, counting(), true);
    expect([...counters.all].map(({ caller }) => caller)).toEqual(
      Array.from({ length: 20 }, (_, caller) => `${caller + 30}`),
    );
    expect(memory.used).toBeGreaterThan(10_000);
    counters.clear();
    expect([memory.used, [...counters.all]]).toEqual([0, []]);
  });

  it('take up memory for each moment of a sliding window, which is given back with it', () => {
    const memory = new CounterMemory(1_000_000);
    const counters = new RateCounters(1000, memory, () => 0);
    const window = createWindow({ kind: 'sliding', length: 60_000, refusedCount: true });
    counters.add(operation, 'busy', window, true);
    const before = memory.used;
    for (let now = 0; now < 1000; now += 1) counters.toCount(operation, 'busy')?.admit(now, 1, 10);
    expect(memory.used - before).toBeGreaterThan(50_000);
    // A minute later, it has only one.
    for (let now = 0; now < 2; now += 1) counters.toCount(operation, 'busy')?.admit(70_000, 1, 10);
    expect(memory.used - before).toBeLessThan(200);
    counters.clear();
    expect(memory.used).toBe(0);
  });

  it('count calls that are close together as one moment if there is no memory, and go on counting', () => {
    const memory = new CounterMemory(10_000);
    const counters = new RateCounters(1000, memory, () => 0);
    const window = createWindow({ kind: 'sliding', length: 60_000, refusedCount: false });
    counters.add(operation, 'busy', window, true);
    for (let now = 0; now < 60_000; now += 60)
      expect(counters.toCount(operation, 'busy')?.admit(now, 1, 1000)).toMatchObject({ admitted: true });
    expect(memory.used).toBeLessThan(10_100);
    expect(counters.toCount(operation, 'busy')?.admit(59_999, 1, 1000)).toMatchObject({ admitted: false });
    expect(window.used(59_999)).toBe(1000);
    expect(counters.toCount(operation, 'busy')?.admit(63_000, 1, 1000)).toMatchObject({ admitted: true });
    const { counted, counting } = window.takeNew();
    expect(counted).toHaveLength(counting);
  });

  it('of all sandboxes that count nothing any more make room, if the memory of the server is full', () => {
    const memory = new CounterMemory(25_000);
    const others = new RateCounters(1000, memory, () => 60_000);
    for (let caller = 0; caller < 45; caller += 1) others.add(operation, `${caller}`, counting(), true);
    const own = new RateCounters(1000, memory, () => 30_000);
    for (let caller = 0; caller < 40; caller += 1) own.add(operation, `${caller}`, counting(), true);
    expect([[...others.all].length, [...own.all].length]).toEqual([0, 40]);
  });
});

/** A window with a call at the beginning of its minute. */
function counting(): Window {
  const window = createWindow({ kind: 'fixed-from-first', length: 60_000, refusedCount: false });
  window.admit(0, 1, 10);
  return window;
}
