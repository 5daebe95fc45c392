import { cancel, withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import { createReport, type Report } from '../report/report.ts';
import { areDemanding, type Thresholds } from '../report/thresholds.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import { Slices } from '../sandbox/slices.ts';
import type { Running } from '../server/server.ts';

/**
 * How long a command may work on its report after its server has stopped, in milliseconds. With the three seconds for
 * the calls in progress, and one for files and the exit, a stop takes at most eight: Docker allows ten.
 */
export const maxStopMs = 4000;

/** The share of the calls in the first, short report. */
const newestPart = 1 / 16;

/** The share of the remaining time that a longer report may use. */
const timePart = 0.6;

/** Each attempt at a report has at least this many times as many calls as the one before. */
const minGrowth = 1.25;

/** The calls of a run. */
interface Recorded {
  readonly stored: readonly StoredEntry[];
  readonly evicted: number;
}

/** A report, and a sentence on what it leaves out; null if it is complete. */
interface ReportInTime {
  readonly report: Report;
  readonly incomplete: string | null;
}

/**
 * Creates the report on a run. `deadline` returns the time of `stopwatch` by which it must be ready, and null as long
 * as that may take any time. If there is no time for all calls, the report is on the newest ones.
 */
export async function reportInTime(
  name: string,
  { stored, evicted }: Recorded,
  deadline: () => number | null,
): Promise<ReportInTime> {
  const slices = new Slices();
  const reportOn = (count: number, end: () => number): Promise<Report | null> => {
    const leftOut = stored.length - count;
    const work = createReport(name, { stored: stored.slice(leftOut), evicted: evicted + leftOut });
    return slices.run(unless(() => stopwatch() >= end(), work));
  };
  const end = (): number => deadline() ?? Infinity;
  // A stop may be asked for at any time: then some of it is left for a shorter report.
  const whole = deadline() === null ? await reportOn(stored.length, () => end() - maxStopMs / 2) : null;
  if (whole !== null) return { report: whole, incomplete: null };
  let [count, next] = [0, Math.ceil(stored.length * newestPart)];
  let best = withoutPause(createReport(name, { stored: [], evicted: evicted + stored.length }));
  while (count < stored.length) {
    const start = stopwatch();
    const report = await reportOn(next, end);
    if (report === null) break;
    [best, count] = [report, next];
    const [took, left] = [Math.max(1, stopwatch() - start), Math.max(0, end() - stopwatch())];
    // The first reports take longer for each call than later ones, because V8 has not optimized the code yet. So this is
    // tried even if there seems to be too little time: until the end, there is nothing else to do.
    next = Math.min(stored.length, Math.ceil(count * Math.max(minGrowth, (left * timePart) / took)));
  }
  return { report: best, incomplete: count === stored.length ? null : incompleteOf(count, stored.length) };
}

/**
 * Stops a server, then creates the report on its run. Its time begins after the stop, which is long if a call waits for a
 * response that never comes: that call must not cost the report on all others.
 */
export async function stopAndReport(
  { stop, sandboxes }: Pick<Running, 'stop' | 'sandboxes'>,
  recorder: Recorded,
): Promise<ReportInTime> {
  await stop();
  const deadline = stopwatch() + maxStopMs;
  return reportInTime(sandboxes.default.id, recorder, () => deadline);
}

function incompleteOf(count: number, all: number): string {
  return `The report has only the last ${count} of ${all} calls, because the command was stopped, and a report on all of them would have delayed the stop. To get the whole report, request /control/report before you stop the command.`;
}

/** The calls that are left out may be the ones that would miss a threshold, so a report without them meets none. */
export function missedByStop(
  { incomplete }: Pick<ReportInTime, 'incomplete'>,
  thresholds: Thresholds,
): readonly string[] {
  return incomplete !== null && areDemanding(thresholds)
    ? ['A report that does not have all calls meets no threshold.']
    : [];
}

/** Does the work. Returns null if `isOver` becomes true first. */
export function* unless<T>(isOver: () => boolean, work: SlicedWork<T>): SlicedWork<T | null> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isOver()) {
      cancel(work);
      return null;
    }
    yield;
  }
}
