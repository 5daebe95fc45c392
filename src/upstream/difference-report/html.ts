import { groupBy } from '../../base/group-by.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import { reportPage, section, table } from '../../report/render/html-parts.ts';
import {
  advice,
  flagsFor,
  isCovered,
  uncovered,
  type Difference,
  type DifferenceReport,
  type Tolerance,
} from './report.ts';
import { summary } from './text.ts';

/** Renders the report as a self-contained HTML page without scripts, with both sides beside each other. */
export function toHtml(report: DifferenceReport, tolerance: Tolerance): string {
  const { title, differences } = report;
  const flags = flagsFor(report);
  const kind = uncovered(report, tolerance).length === 0 ? 'kept' : 'broken';
  const operations = [...groupBy(differences, ({ operation }) => operation)];
  const causes =
    flags === ''
      ? nothing
      : markup`<p>Options of the sandbox that explain differences:</p>
<pre class="command"><code>${flags}</code></pre>`;
  const header = markup`<p class="verdict ${kind}">${summary(report, tolerance)}</p>
${causes}`;
  const sections = operations.map(([operation, own]) => operationSection(operation, own, report, tolerance));
  return reportPage(
    title,
    header,
    markup`${sections}
${skippedSection(report)}`,
  );
}

function operationSection(
  operation: string,
  own: readonly Difference[],
  { sides }: DifferenceReport,
  tolerance: Tolerance,
): Markup {
  const heads = ['call', 'what', ...sides, 'set', 'id'];
  const rows = own.map((one) => {
    const isOpen = !isCovered(one, tolerance);
    const call = one.count === 1 ? one.call : `${one.call} ×${one.count}`;
    return markup`<tr class="${isOpen ? 'broken' : 'open'}"><th scope="row"><span class="sign">${isOpen ? '✗' : '–'}</span> ${call}</th><td>${one.what}</td><td><code>${one.left}</code></td><td><code>${one.right}</code></td><td>${advice(one)}</td><td class="small"><code>${one.id}</code></td></tr>`;
  });
  return section(operation, operation, [
    table(`Differences of ${operation}`, heads, markup`<tbody>\n${rows}\n</tbody>`, 'told above'),
  ]);
}

function skippedSection({ skipped }: DifferenceReport): Markup {
  if (skipped.length === 0) return section('skipped', 'Skipped', [markup`<p>Every call was compared.</p>`]);
  const rows = skipped.map(
    ({ operation, call, why }) =>
      markup`<tr><th scope="row">${operation}</th><td>${call}</td><td>${why}</td></tr>`,
  );
  return section('skipped', 'Skipped', [
    table(
      'Calls that were skipped',
      ['operation', 'call', 'why'],
      markup`<tbody>\n${rows}\n</tbody>`,
      'told above',
    ),
  ]);
}
