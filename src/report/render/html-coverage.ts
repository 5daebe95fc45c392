import { tallyText } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import { folded, listed, numberHead, section, table } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

type Operation = Report['coverage'][number];

/**
 * Returns the section on coverage: outcomes by operation, and the variants of parameters and fields in called
 * operations.
 */
export function coverageSection({ coverage }: Report): Markup {
  const folds = coverage.filter(({ calls }) => calls > 0).map(forms);
  const heading = markup`<h3>Parameters and fields</h3>
<p class="small">How often each variant occurred in called operations. In a pointer, * is any name or index.</p>`;
  return section('coverage', 'Coverage', [
    matrix(coverage),
    folds.length === 0 ? nothing : markup`${heading}\n${folds}`,
  ]);
}

/** The number of calls by operation and outcome. Only refusals that occurred have a column. */
function matrix(coverage: readonly Operation[]): Markup {
  const usual = ['ok', 'element-error'];
  const met = new Set(coverage.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const refusals = [...met].filter((outcome) => !usual.includes(outcome) && outcome !== 'fault').toSorted();
  const columns = [...usual, ...refusals, 'fault'];
  const rows = coverage.map(({ operation, calls, outcomes, faults }) => {
    const cells = columns.map((column) => cell(outcomes[column] ?? 0));
    return markup`<tr${calls === 0 ? markup` class="never"` : nothing}><th scope="row"><code>${operation}</code></th>${cell(calls)}${cells}<td>${tallyText(faults)}</td></tr>`;
  });
  const heads = ['Operation', ...['calls', ...columns.map(nameOf)].map(numberHead), 'Injected faults'];
  return table('Calls by operation and outcome', heads, markup`<tbody>${rows}</tbody>`);
}

function nameOf(outcome: string): string {
  return outcome === 'fault' ? 'faults' : outcome.replaceAll('-', ' ');
}

function cell(count: number): Markup {
  return count === 0 ? markup`<td class="number none">–</td>` : markup`<td class="number">${count}</td>`;
}

/** The variants of an operation that was called, with the number of times each occurred. */
function forms({ operation, parameters, fields }: Operation): Markup {
  const summary = markup`<code>${operation}</code>: sent ${share(parameters)}, received ${share(fields)}`;
  return folded(
    summary,
    markup`${variants('Parameters sent', parameters)}\n${variants('Fields received', fields)}`,
  );
}

function share(uses: Operation['fields']): string {
  return uses.length === 0
    ? 'no variants'
    : `${uses.filter(({ count }) => count > 0).length} of ${uses.length} variants`;
}

function variants(title: string, uses: Operation['fields']): Markup {
  if (uses.length === 0) return nothing;
  const rows = [...groupBy(uses, ({ pointer }) => pointer)].map(
    ([pointer, all]) => markup`<li><code>${pointer}</code>: ${listed(all.map(variant))}</li>`,
  );
  return markup`<h4>${title}</h4>\n<ul class="forms">\n${rows}\n</ul>`;
}

function variant({ option, count }: Operation['fields'][number]): Markup {
  return markup`<code>${option}</code> ${count === 0 ? markup`<strong>never</strong>` : count}`;
}
