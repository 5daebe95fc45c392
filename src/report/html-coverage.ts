import { tallyText } from './figures.ts';
import { groupBy } from './group-by.ts';
import { codes, folded, numberHead, section, table } from './html-parts.ts';
import { markup, nothing, type Markup } from './markup.ts';
import type { Report } from './report.ts';

type Operation = Report['coverage'][number];

/** What the client met at each operation, and which forms of its fields it never did. */
export function coverageSection({ coverage }: Report): Markup {
  const called = coverage.filter(({ calls }) => calls > 0);
  return section('coverage', 'Coverage', [
    matrix(coverage),
    called.length === 0 ? nothing : markup`<h3>Fields of the operations that were called</h3>\n${called.map(fields)}`,
  ]);
}

/** How often each operation came to each outcome. Only refusals that were met have a column: most clients meet few. */
function matrix(coverage: readonly Operation[]): Markup {
  const usual = ['ok', 'element-error'];
  const met = new Set(coverage.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const refusals = [...met].filter((outcome) => !usual.includes(outcome) && outcome !== 'fault').toSorted();
  const columns = [...usual, ...refusals, 'fault'];
  const rows = coverage.map(({ operation, calls, outcomes, faults }) => {
    const cells = columns.map((column) => cell(outcomes[column] ?? 0));
    return markup`<tr${calls === 0 ? markup` class="never"` : nothing}><th scope="row"><code>${operation}</code></th>${cell(calls)}${cells}<td>${tallyText(faults)}</td></tr>`;
  });
  const heads = ['Operation', ...['calls', ...columns.map(nameOf)].map(numberHead), 'Which faults'];
  return table('Calls to each operation by what came of them', heads, markup`<tbody>${rows}</tbody>`);
}

function nameOf(outcome: string): string {
  return outcome === 'fault' ? 'faults' : outcome.replaceAll('-', ' ');
}

function cell(count: number): Markup {
  return count === 0 ? markup`<td class="number none">–</td>` : markup`<td class="number">${count}</td>`;
}

function fields({ operation, parameters, fields: answered }: Operation): Markup {
  const told = [partOf('forms of parameters', parameters), partOf('forms of answers', answered)].flat().join(', ');
  const summary = markup`<code>${operation}</code> never: ${told}`;
  return folded(
    summary,
    markup`${neverIn('Parameters that it never sent so', parameters)}\n${neverIn('Answers that it never met so', answered)}`,
  );
}

function partOf(name: string, uses: Operation['fields']): readonly string[] {
  const never = uses.filter(({ count }) => count === 0);
  return uses.length === 0 ? [] : [`${never.length} of ${uses.length} ${name}`];
}

/** The forms that never occurred, by the fields that can have them. */
function neverIn(title: string, uses: Operation['fields']): Markup {
  const never = [...groupBy(uses, ({ pointer }) => pointer)].flatMap(([pointer, all]) => {
    const options = all.filter(({ count }) => count === 0).map(({ option }) => option);
    return options.length === 0 ? [] : [markup`<li><code>${pointer}</code> ${codes(options)}</li>`];
  });
  return never.length === 0 ? nothing : markup`<h4>${title}</h4>\n<ul class="forms">\n${never}\n</ul>`;
}
