import { tallyText } from '../figures.ts';
import { groupBy } from '../../base/group-by.ts';
import { codes, folded, numberHead, section, table } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

type Operation = Report['coverage'][number];

/** Returns the section on coverage: outcomes by operation, and the field variants that never occurred. */
export function coverageSection({ coverage }: Report): Markup {
  const folds = coverage.filter(({ calls }) => calls > 0).flatMap(forms);
  return section('coverage', 'Coverage', [
    matrix(coverage),
    folds.length === 0 ? nothing : markup`<h3>Field variants that never occurred in called operations</h3>\n${folds}`,
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
  const heads = ['Operation', ...['calls', ...columns.map(nameOf)].map(numberHead), 'Faults'];
  return table('Calls by operation and outcome', heads, markup`<tbody>${rows}</tbody>`);
}

function nameOf(outcome: string): string {
  return outcome === 'fault' ? 'faults' : outcome.replaceAll('-', ' ');
}

function cell(count: number): Markup {
  return count === 0 ? markup`<td class="number none">–</td>` : markup`<td class="number">${count}</td>`;
}

function forms({ operation, parameters, fields }: Operation): readonly Markup[] {
  const parts = [
    { name: 'of its parameters', uses: parameters },
    { name: 'of its results', uses: fields },
  ].filter(({ uses }) => neverIn(uses).length > 0);
  if (parts.length === 0) return [];
  const counts = parts.map(({ name, uses }) => `${neverIn(uses).length} of ${uses.length} ${name}`);
  const lists = parts.map(({ name, uses }) => markup`<h4>Variants ${name}</h4>\n<ul class="forms">\n${byField(neverIn(uses))}\n</ul>`);
  return [folded(markup`<code>${operation}</code>: ${counts.join(', ')}`, markup`${lists}`)];
}

function neverIn(uses: Operation['fields']): Operation['fields'] {
  return uses.filter(({ count }) => count === 0);
}

function byField(never: Operation['fields']): readonly Markup[] {
  return [...groupBy(never, ({ pointer }) => pointer)].map(
    ([pointer, all]) => markup`<li><code>${pointer}</code>: ${codes(all.map(({ option }) => option))}</li>`,
  );
}
