import { expect, it } from 'vitest';
import { Recorder } from '../../src/commands/recorder.ts';
import { missedByStop, reportInTime } from '../../src/commands/report-in-time.ts';
import { stopwatch } from '../../src/sandbox/clock.ts';
import { startServer } from '../../src/server/server.ts';

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

it('has all calls if there is time for them', async () => {
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

it('has fewer calls if a stop is asked for while it is created', async () => {
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

it('meets no threshold without all calls, which may be the ones that would miss it', () => {
  const thresholds = { failOn: ['violations'], minCoverage: {} };
  expect(missedByStop({ incomplete: 'The report has only the last 3 of 9 calls.' }, thresholds)).toHaveLength(
    1,
  );
  expect(missedByStop({ incomplete: null }, thresholds)).toEqual([]);
  expect(missedByStop({ incomplete: 'The report …' }, { ...thresholds, failOn: [] })).toEqual([]);
});
