import type { SlicedWork } from '../base/sliced-work.ts';
import { listed } from '../base/lists.ts';
import { mergeReports, shortened } from '../report/merge.ts';
import { renderings } from '../report/render/renderings.ts';
import { createReport, type Report } from '../report/report.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { thresholdsIn } from './report-query.ts';
import { plain, sandboxOf, text, type ControlRequest, type ControlRoute } from './route.ts';
import { inSlices, inTurn, whenFree } from './work.ts';

/** Maximum number of findings per check in a text, which is rendered in one go. JSON has more. */
const maxFindings = 50;

/** The routes of a report in every format. */
export function reportRoutes(
  access: ControlRoute['access'],
  path: string,
  reportFor: (request: ControlRequest) => Promise<Report>,
): readonly ControlRoute[] {
  return [
    plain(access, 'GET', path, (request) => {
      // JSON has no thresholds, but a wrong name is a mistake here, too.
      thresholdsIn(request.query);
      return reportFor(request);
    }),
    ...Object.entries(renderings).map(([suffix, { type, render }]) =>
      text(access, `${path}.${suffix}`, async (request) => {
        const thresholds = thresholdsIn(request.query);
        const report = await reportFor(request);
        const key = `${suffix} ${JSON.stringify(thresholds.failOn)}`;
        const rendered = (): string => render(shortened(report, undefined, maxFindings), thresholds);
        return { type, text: request.parts.reports.textOf(report, key, rendered) };
      }),
    ),
  ];
}

/** Maximum memory of a report, in bytes per byte of the journal. */
const memoryOfReport = 8;

/** Returns the report on one sandbox. */
export async function reportOf(request: ControlRequest): Promise<Report> {
  // The sandbox may be deleted during the wait.
  return reportOn(request, await whenFree(request, sandboxOf(request), () => sandboxOf(request)));
}

/**
 * At most one report per sandbox is in the server's queue, so that many requests for one sandbox do not delay
 * the others.
 */
function reportOn({ parts, isGone = isNever }: Working, sandbox: Sandbox): Promise<Report> {
  const { id, journal, reading } = sandbox;
  return parts.reports.of(sandbox).run(isGone, (areGone) => {
    const working = { parts, isGone: areGone };
    return inTurn(working, reading, () =>
      parts.sandboxes.reports.run(journal.bytes * memoryOfReport, () =>
        inSlices(working, createReport(id, journal)),
      ),
    );
  });
}

type Working = Pick<ControlRequest, 'parts' | 'isGone'>;

function isNever(): boolean {
  return false;
}

/**
 * Returns the merged report on all sandboxes with calls. They are read one after the other, so that the
 * memory is that of the largest one. At most one such report is in progress.
 */
export function reportOfAll({ parts, isGone = isNever }: ControlRequest): Promise<Report> {
  return parts.reports.ofAll.run(isGone, async (areGone) => {
    const working = { parts, isGone: areGone };
    // Stored sandboxes have no journal.
    const [first = parts.sandboxes.default, ...others] = [...parts.sandboxes.all].filter(hasCalls);
    const read = [first.id];
    const merged = [{ report: nameless(await reportOn(working, first)), of: 1 }];
    for (const sandbox of others) {
      // It may have been emptied or deleted since.
      if (!hasCalls(sandbox)) continue;
      read.push(sandbox.id);
      merged.push({ report: nameless(await reportOn(working, sandbox)), of: 1 });
      // Reports on as many sandboxes are merged, so that each takes part in few merges.
      while (merged.length > 1 && merged.at(-1)?.of === merged.at(-2)?.of) await mergeLast(working, merged);
    }
    while (merged.length > 1) await mergeLast(working, merged);
    const [all] = merged;
    if (all === undefined) throw new Error('There is a report on the first sandbox.');
    return { ...shortened(all.report), sandbox: listed(read.slice(0, maxNamed), read.length) };
  });
}

/** A merged report, and the number of sandboxes in it. */
interface MergedReport {
  readonly report: Report;
  readonly of: number;
}

/** Replaces the last two reports by one. */
async function mergeLast(working: Working, merged: MergedReport[]): Promise<void> {
  const [former, latter] = merged.splice(-2);
  if (former === undefined || latter === undefined) throw new Error('There are two reports to merge.');
  const report = await inSlices(working, mergingTwo(former.report, latter.report));
  merged.push({ report, of: former.of + latter.of });
}

/** Merges in a slice of its own. */
function* mergingTwo(one: Report, other: Report): SlicedWork<Report> {
  yield;
  return shortened(mergeReports([one, other]), maxKindsBetween);
}

/** Maximum number of violations that are held before the most frequent ones are listed. */
const maxKindsBetween = 5000;

/** Maximum number of sandboxes that a report names. */
const maxNamed = 10;

/** There may be thousands of names, so they are listed once, at the end. */
function nameless(report: Report): Report {
  return { ...report, sandbox: '' };
}

/** Whether a client called the sandbox. That of a guided demo, which begins with a call of the demo, has none. */
function hasCalls({ journal }: Sandbox): boolean {
  return (journal.count > 0 || journal.evicted > 0) && journal.at(journal.oldest)?.page !== 'demo';
}
