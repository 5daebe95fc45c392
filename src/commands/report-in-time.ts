import { cancel, type SlicedWork } from '../base/sliced-work.ts';
import { createReport, type Report } from '../report/report.ts';
import { areDemanding, type Thresholds } from '../report/thresholds.ts';
import { stopwatch } from '../sandbox/clock.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import { Slices } from '../sandbox/slices.ts';

/**
 * How long a command may work after it was asked to stop, in milliseconds. Of the five seconds of a stop, the rest is
 * for files and the exit.
 */
export const maxStopMs = 4400;

/** The part of the remaining time for one attempt at a report, and the part of its calls that the next attempt is on. */
const attemptPart = 0.65;
const newestPart = 1 / 8;

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
 * Creates the report on a run until `deadline`, a time of `stopwatch`; null if there is none. If that is too soon for
 * all calls, the report is on the newest ones.
 */
export async function reportInTime(
  name: string,
  { stored, evicted }: Recorded,
  deadline: number | null,
): Promise<ReportInTime> {
  const slices = new Slices();
  for (let kept = stored; ; kept = kept.slice(kept.length - Math.floor(kept.length * newestPart))) {
    const leftOut = stored.length - kept.length;
    const work = createReport(name, { stored: kept, evicted: evicted + leftOut });
    const now = stopwatch();
    // A report without calls takes no time.
    const end = deadline === null || kept.length === 0 ? Infinity : now + (deadline - now) * attemptPart;
    const report = await slices.run(unless(() => stopwatch() >= end, work));
    if (report === null) continue;
    const incomplete =
      leftOut === 0
        ? null
        : `The report has only the last ${kept.length} of ${stored.length} calls, because the command was stopped, and a report on all of them would have delayed the stop. To get the whole report, request /control/report before you stop the command.`;
    return { report, incomplete };
  }
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

/** Does the work. Returns null if it is over before it is done. */
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
