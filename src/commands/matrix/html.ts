import { stripVTControlCharacters } from 'node:util';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import { ExchangeStock } from '../../report/render/html-exchange.ts';
import { codes, folded, numberHead, reportPage, section, table } from '../../report/render/html-parts.ts';
import { reportSections } from '../../report/render/html.ts';
import type { MatrixResult, Run } from './plan.ts';
import { figuresOf, resultText, summaryOf } from './table.ts';

/**
 * Renders the matrix as a self-contained HTML page: failed runs first, with the requests and responses of their
 * last calls and their output, then all runs, then the report on the calls of all runs together.
 */
export function toHtml({ matrix, evidence }: MatrixResult): string {
  const { runs, missed, report } = matrix;
  const failed = runs.filter(isFailure);
  const allowed = runs.filter(({ result, allowed: isAllowed }) => result === 'failed' && isAllowed);
  const isBad = failed.length > 0 || missed.length > 0;
  const header = markup`<p class="verdict ${isBad ? 'broken' : 'kept'}"><span class="sign">${isBad ? '✗' : '✓'}</span> ${summaryOf(matrix)}</p>
${missed.map((one) => markup`<p><strong>Missed:</strong> ${one}</p>`)}`;
  const stock = new ExchangeStock({
    ...report,
    exchanges: [...report.exchanges, ...[...evidence.values()].flat()],
  });
  const shown = (run: Run): Markup => failure(run, evidence.get(run.name) ?? [], stock);
  const main = markup`${failed.length === 0 ? nothing : section('failed', `Failed runs (${failed.length})`, failed.map(shown))}
${allowed.length === 0 ? nothing : section('allowed', `Failed runs that are allowed (${allowed.length})`, allowed.map(shown))}
${section('runs', 'All runs', [allRuns(runs)])}
${reportSections(report, stock)}`;
  return reportPage('Matrix of the client', header, main);
}

function isFailure({ result, allowed }: Run): boolean {
  return result === 'failed' && !allowed;
}

/** Returns what is known of a failed run: why it failed, its last calls, its output, and how to repeat it. */
function failure(
  run: Run,
  calls: MatrixResult['matrix']['report']['exchanges'],
  stock: ExchangeStock,
): Markup {
  const { name, allowed, reason, failedTests, missed, files, command } = run;
  const output = stripVTControlCharacters(run.output).trim();
  return markup`<article class="check ${allowed ? 'should' : 'broken'}" id="run-${name}">
<h3><span class="sign">${allowed ? '!' : '✗'}</span> <code>${name}</code></h3>
<p>${reason ?? ''}</p>
${list('Failed tests', failedTests)}
${list('Missed thresholds', missed)}
${calls.length === 0 ? nothing : markup`<h4>Last calls</h4>\n<ol class="calls">${calls.map((call) => stock.call(call))}</ol>`}
${output === '' ? nothing : folded(markup`Output`, markup`<pre role="group" aria-label="Output of ${name}" tabindex="0"><code>${output}</code></pre>`)}
<p>To repeat it: <code class="command">${command}</code></p>
${files.length === 0 ? nothing : markup`<p class="small">Files: ${codes(files)}</p>`}
</article>`;
}

function list(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return nothing;
  return markup`<h4>${title}</h4>\n<ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul>`;
}

/** The order of the table: what needs attention comes first. */
const order: readonly Run['result'][] = ['failed', 'not-met', 'passed', 'skipped'];

function allRuns(runs: readonly Run[]): Markup {
  const sorted = runs.toSorted((one, other) => rank(one) - rank(other));
  const heads = [
    'Run',
    'Result',
    ...['Calls', 'Violations'].map(numberHead),
    'Conduct',
    numberHead('Seconds'),
    'Reason',
  ];
  return table('All runs', heads, markup`<tbody>${sorted.map(row)}</tbody>`, 'told above');
}

function rank({ result, allowed }: Run): number {
  return order.indexOf(result) + (allowed ? 0.5 : 0);
}

function row(run: Run): Markup {
  const [calls = '', violations = '', conduct = '', seconds = ''] = figuresOf(run);
  const name = markup`<code>${run.name}</code>`;
  const shown = run.result === 'failed' ? markup`<a href="#run-${run.name}">${name}</a>` : name;
  return markup`<tr><th scope="row">${shown}</th><td>${resultText(run)}</td><td class="number" data-title="Calls">${calls}</td><td class="number" data-title="Violations">${violations}</td><td data-title="Conduct">${conduct}</td><td class="number" data-title="Seconds">${seconds}</td><td>${run.reason ?? ''}</td></tr>`;
}
