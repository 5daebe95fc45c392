import { oneLine } from '../../base/escape.ts';
import { textTable } from '../../base/text-table.ts';
import { groupBy } from '../../base/group-by.ts';
import { advice, flagsFor, isCovered, uncovered, type DifferenceReport, type Tolerance } from './report.ts';

/** The maximum width of a cell on a terminal. */
const widest = 60;

/** The maximum number of differences on a terminal. The files have all of them. */
const maxShown = 200;

/** Renders the differences as a table for a terminal, with a summary. */
export function toText(report: DifferenceReport, tolerance: Tolerance): string {
  const { differences, sides, skipped } = report;
  const shown = differences.slice(0, maxShown);
  const rows = shown.map((one) => [
    isCovered(one, tolerance) ? '–' : '✗',
    one.operation,
    one.count === 1 ? one.call : `${one.call} ×${one.count}`,
    oneLine(one.what, widest),
    oneLine(one.left, widest),
    oneLine(one.right, widest),
    oneLine(advice(one), widest),
  ]);
  const more = differences.length - shown.length;
  const reasons = [...groupBy(skipped, ({ why }) => why)].map(
    ([why, calls]) => `${calls.length} not sent: ${oneLine(why)}\n`,
  );
  const flags = flagsFor(report);
  return [
    ...(rows.length === 0 ? [] : [textTable(['', 'operation', 'call', 'what', ...sides, 'set'], rows), '\n']),
    ...(more > 0 ? [`And ${more} more; --report writes all of them.\n`] : []),
    ...reasons,
    ...(flags === '' ? [] : [`Options that explain differences: ${flags}\n`]),
    `${summary(report, tolerance)}\n`,
  ].join('');
}

/** Returns the result in one sentence. */
export function summary(report: DifferenceReport, tolerance: Tolerance): string {
  const { differences, compared } = report;
  const calls = compared.reduce((sum, { count }) => sum + count, 0);
  const open = uncovered(report, tolerance).length;
  const known = differences.length - open;
  const covered = known === 0 ? '' : `, ${known} of them known or allowed`;
  const found = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`;
  return `${calls} ${calls === 1 ? 'call' : 'calls'} compared: ${found}${covered}.`;
}
