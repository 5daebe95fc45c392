import { afterEach, expect, it, vi } from 'vitest';
import { Recorder } from '../../src/commands/recorder.ts';
import { missedByStop, reportInTime, stopAndReport } from '../../src/commands/report-in-time.ts';
import { stopwatch } from '../../src/sandbox/clock.ts';
import { startServer, type Running } from '../../src/server/server.ts';

/** The recorded calls of a client. */
async function recorded(count: number): Promise<Recorder> {
  const recorder = new Recorder({ exchanges: 100, bytes: 1_000_000 });
  const channels = { out: () => {}, err: () => {}, owner: 'a test', observe: recorder.record };
  const { url, stop } = await startServer({ port: 0 }, channels);
  for (let call = 0; call < count; call += 1)
    await fetch(`${url}/public/get-all-instructors`, {
      method: 'POST',
      headers: { 'SERVICE-API-KEY': 'sbx_default_riverside', 'Content-Type': 'application/json' },
      body: '{"data":[{"data":{}}]}',
    });
  await stop();
  return recorder;
}

/** From here to the end of the test, time passes only where the test says so. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
}

/** Stops as a server does that waits for a call. */
function stopSlowly(): Promise<void> {
  vi.advanceTimersByTime(60_000);
  return Promise.resolve();
}

afterEach(() => void vi.useRealTimers());

it('has all calls if there is time for them', { tags: ['slow'] }, async () => {
  const recorder = await recorded(3);
  for (const deadline of [null, Infinity]) {
    const { report, incomplete } = await reportInTime('default', recorder, () => deadline);
    expect([report.calls, report.evicted, incomplete]).toEqual([3, 0, null]);
  }
});

it('has fewer calls, and says so, if a stop leaves no time for all', async () => {
  const recorder = await recorded(3);
  const over = stopwatch();
  const { report, incomplete } = await reportInTime('default', recorder, () => over);
  expect([report.calls, report.evicted]).toEqual([0, 3]);
  expect(incomplete).toMatch(/^The report has only the last 0 of 3 calls, because the command was stopped/);
});

it('has fewer calls if a stop is asked for while it is created', { tags: ['slow'] }, async () => {
  const recorder = await recorded(40);
  let asked = 0;
  // As if the time were over after some work, and once more.
  const deadline = (): number | null => {
    asked += 1;
    return asked < 5 ? null : stopwatch() + (asked < 60 ? 1 : -1);
  };
  const { report, incomplete } = await reportInTime('default', recorder, deadline);
  expect(report.calls + report.evicted).toBe(40);
  expect(incomplete).toContain(`has only the last ${report.calls} of 40 calls`);
});

it('has all calls although the server stops slowly, because a call waits for a response', async () => {
  const recorder = await recorded(3);
  holdTime();
  // Only the name of the default sandbox is read.
  const running = { stop: stopSlowly, sandboxes: { default: { id: 'default' } } } as unknown as Running;
  const { report, incomplete } = await stopAndReport(running, recorder);
  expect([report.calls, incomplete]).toEqual([3, null]);
});

it('uses its time although the first calls were slow', { tags: ['slow'] }, async () => {
  const recorder = await recorded(64);
  holdTime();
  let steps = 0;
  // The first four calls take 3 of 4 s. All others together take less than the rest.
  const deadline = (): number => {
    steps += 1;
    vi.advanceTimersByTime(steps < 4 ? 1000 : 0.1);
    return 4000;
  };
  const { report, incomplete } = await reportInTime('default', recorder, deadline);
  expect([report.calls, incomplete]).toEqual([64, null]);
});

it('meets no threshold without all calls, which may be the ones that would miss it', () => {
  const thresholds = { failOn: ['violations'], minCoverage: {} };
  expect(missedByStop({ incomplete: 'The report has only the last 3 of 9 calls.' }, thresholds)).toHaveLength(
    1,
  );
  expect(missedByStop({ incomplete: null }, thresholds)).toEqual([]);
  expect(missedByStop({ incomplete: 'The report …' }, { ...thresholds, failOn: [] })).toEqual([]);
});
