import { counted, figuresOf, inScope, signs, type Check } from '../figures.ts';
import type { ExchangeStock } from './html-exchange.ts';
import { folded, section } from './html-parts.ts';
import { markup, nothing, type Markup } from '../../base/markup.ts';
import type { Report } from '../report.ts';

/** Maximum number of findings shown before the rest is collapsed. */
const maxOpen = 3;

/** Returns the section on conduct: failed checks first, then advice, then what passed, and collapsed the others. */
export function conductSection(report: Report, stock: ExchangeStock): Markup {
  const { broken, advised, kept, notJudged, notExercised } = figuresOf(report);
  const found = (check: Check): Markup => withFindings(check, stock);
  const must = broken.filter(({ strength }) => strength === 'must');
  const should = broken.filter(({ strength }) => strength === 'should');
  return section('conduct', 'Conduct', [
    group('Violated', must, found),
    group('Should be followed', should, found),
    group('Advice', advised, found),
    group('Passed', kept, (check) => quiet('✓', check)),
    group('Not judged', notJudged, (check) => quiet('–', check)),
    notExercised.length === 0 ? nothing : openOnes(notExercised),
  ]);
}

function group(title: string, checks: readonly Check[], show: (check: Check) => Markup): Markup {
  return checks.length === 0 ? nothing : markup`<h3>${title} (${checks.length})</h3>\n${checks.map(show)}`;
}

const looks = { must: 'broken', should: 'should', advice: 'advised' } as const;

function withFindings(check: Check, stock: ExchangeStock): Markup {
  const { strength, unlisted = 0 } = check;
  const shown = check.findings.slice(0, maxOpen).map((one) => finding(one, stock));
  const more = check.findings.slice(maxOpen).map((one) => finding(one, stock));
  return markup`<article class="check ${looks[strength]}">
<h4>${heading(signs[strength], check)} <span class="badge">${strength}</span></h4>
<p>${check.message}</p>
${shown}
${more.length === 0 ? nothing : folded(markup`${more.length} more`, markup`${more}`)}
${unlisted === 0 ? nothing : markup`<p>${counted(unlisted, 'more finding')}, not listed.</p>`}
${about(check)}
</article>`;
}

function finding(one: Check['findings'][number], stock: ExchangeStock): Markup {
  const { id, operation, message, evidence } = one;
  return markup`<div class="finding">
<p><code>${operation}</code>: ${message}${inScope(one)}</p>
<ol class="calls">
${evidence.map((call) => stock.call(call))}
</ol>
<p class="small">To allow it: <code class="command">--allow '${id}'</code></p>
</div>`;
}

function about({ rule, basis }: Check): Markup {
  return markup`<p class="small">${rule}</p>\n<p class="small">${basis}</p>`;
}

function quiet(sign: string, check: Check): Markup {
  return folded(heading(sign, check), markup`<p>${check.message}</p>\n${about(check)}`);
}

function openOnes(checks: readonly Check[]): Markup {
  const items = checks.map(
    (check) => markup`<article class="check open">
<h4>${heading('–', check)}</h4>
<p>${check.message}</p>
<p>To exercise it: <code class="command">${check.exercise}</code></p>
${about(check)}
</article>`,
  );
  return markup`<h3>Not exercised (${checks.length})</h3>\n${folded(
    markup`${checks.map(({ title }) => title).join(' · ')}`,
    markup`${items}`,
  )}`;
}

function heading(sign: string, { title, check }: Check): Markup {
  return markup`<span class="sign">${sign}</span> ${title} <code>${check}</code>`;
}
