import { figuresOf, type Check } from '../figures.ts';
import { folded, moment, requests, section, table } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** Maximum number of findings shown before the rest is collapsed. */
const maxOpen = 3;

/** Returns the section on conduct: failed checks first, then passed ones, then those not exercised. */
export function conductSection(report: Report): Markup {
  const { broken, kept, notExercised } = figuresOf(report);
  return section('conduct', 'Conduct', [
    group('Failed', broken, brokenCheck),
    group('Passed', kept, keptCheck),
    group('Not exercised', notExercised, openCheck),
  ]);
}

function group(title: string, checks: readonly Check[], show: (check: Check) => Markup): Markup {
  return checks.length === 0 ? nothing : markup`<h3>${title} (${checks.length})</h3>\n${checks.map(show)}`;
}

function brokenCheck(check: Check): Markup {
  const shown = check.findings.slice(0, maxOpen);
  const more = check.findings.slice(maxOpen);
  return markup`<article class="check broken">
<h4>${heading('✗', check)}</h4>
<p>${check.message}</p>
${evidence(`Findings of ${check.check}`, shown)}
${more.length === 0 ? nothing : folded(markup`${more.length} more`, evidence(`More findings of ${check.check}`, more))}
<p class="small">${check.rule}</p>
</article>`;
}

function evidence(caption: string, findings: Check['findings']): Markup {
  const heads = ['Request', "On the sandbox's clock (UTC)", 'In real time (UTC)'];
  return table(caption, heads, markup`${findings.map(finding)}`, 'told above');
}

function finding({ operation, message, evidence: calls }: Check['findings'][number]): Markup {
  const rows = calls.map(
    ({ requestId, at, receivedAt }) =>
      markup`<tr><td>${requests([requestId])}</td><td>${moment(at)}</td><td>${moment(receivedAt)}</td></tr>`,
  );
  return markup`<tbody><tr><th scope="rowgroup" colspan="3"><code>${operation}</code>: ${message}</th></tr>\n${rows}</tbody>`;
}

function keptCheck(check: Check): Markup {
  return folded(heading('✓', check), markup`<p>${check.message}</p>\n<p class="small">${check.rule}</p>`);
}

function openCheck(check: Check): Markup {
  const { message, exercise, rule } = check;
  return markup`<article class="check open">
<h4>${heading('–', check)}</h4>
<p>${message}</p>
<p>To exercise it: <code class="command">${exercise}</code></p>
<p class="small">${rule}</p>
</article>`;
}

function heading(sign: string, { title, check }: Check): Markup {
  return markup`<span class="sign">${sign}</span> ${title} <code>${check}</code>`;
}
