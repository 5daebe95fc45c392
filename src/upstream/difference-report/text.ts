import { oneLine } from '../../base/escape.ts';
import { textTable } from '../../base/text-table.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  advice,
  flagsFor,
  isCovered,
  uncovered,
  type Difference,
  type DifferenceReport,
  type Tolerance,
} from './report.ts';

/** The maximum width of a cell on a terminal. */
const widest = 60;

/** The maximum number of differences on a terminal. The files have all of them. */
const maxShown = 200;

/** Renders the differences as a table for a terminal, with a summary. Equal ones share a line. */
export function toText(report: DifferenceReport, tolerance: Tolerance): string {
  const { differences, sides, skipped } = report;
  const alike = groupBy(differences, (one) =>
    JSON.stringify([isCovered(one, tolerance), one.what, one.left, one.right, advice(one)]),
  );
  const groups = [...alike.values()];
  const rows = groups.slice(0, maxShown).map((own) => rowOf(own, tolerance));
  const more = groups.slice(maxShown).flat().length;
  const reasons = [...groupBy(skipped, ({ why }) => why)].map(
    ([why, calls]) => `${calls.length} skipped: ${oneLine(why)}\n`,
  );
  const flags = flagsFor(report);
  return [
    ...(rows.length === 0 ? [] : [textTable(['', 'what', ...sides, 'set', 'calls'], rows), '\n']),
    ...(more > 0 ? [`And ${more} more; --report writes all of them.\n`] : []),
    ...reasons,
    ...(flags === '' ? [] : [`Options that explain differences: ${flags}\n`]),
    `${summary(report, tolerance)}\n`,
  ].join('');
}

/** Returns the line of differences that are equal in different calls. */
function rowOf(own: readonly Difference[], tolerance: Tolerance): readonly string[] {
  const [first, ...others] = own;
  if (first === undefined) return [];
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    isCovered(first, tolerance) ? '–' : '✗',
    oneLine(first.what, widest),
    oneLine(first.left, widest),
    oneLine(first.right, widest),
    oneLine(advice(first), widest),
    `${first.operation} ${first.call}${rest}`,
  ];
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
