import type { Assumption } from '../assumptions.ts';
import { table } from '../report/render/html-parts.ts';
import { markup, type Markup } from '../base/markup.ts';
import { sidebarOf } from './guide-page.ts';
import { guidePath } from './guides.ts';
import { toPage } from './page.ts';

/**
 * An assumption, with the operations that it applies to and their links to the API reference; null if it
 * applies to no single operation.
 */
export interface Listed extends Assumption {
  readonly name: string;
  readonly operations: readonly { readonly name: string; readonly href: string }[] | null;
}

type Profiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

const path = guidePath('assumptions');

/** Returns the page that explains every assumption. */
export function assumptionsPage(list: readonly Listed[], profiles: Profiles): string {
  const main = markup`<h1>Assumptions</h1>
<p class="lead">An assumption is a named switch for one behavior that the specification leaves open. It has options and a default.
Test your client with each option.</p>
<p>Choose options when you start the server (<code>--assume unknownId=http-404</code>, <code>--profile strict</code>). To change them later, use the
<a href="/console">console</a> or <code>PATCH /control/sandboxes/{sandboxId}/assumptions</code>. The response header <code>Sandbox-Assumed</code> names the
assumptions that shaped a response. <a href="/docs/calibrate">lp-sandbox calibrate</a> determines the options that the real service uses.</p>
<h2 id="profiles">Profiles</h2>
<p>A profile sets several assumptions at once. <code>strict</code> selects the most restrictive options, such as at most 25 elements in a batch. It shows what a client relies on. It does not test different responses, such as an empty page instead of an error. <code>lp-sandbox matrix</code> tests all options.</p>
${table('Profiles', ['profile', 'sets'], markup`<tbody>${Object.entries(profiles).map(profileRow)}</tbody>`, 'told above')}
<h2 id="all">All ${list.length} assumptions</h2>
<ul class="index">${list.map(({ name, question }) => markup`<li><a href="#${name}"><code>${name}</code></a> ${question}</li>`)}</ul>
${list.map(assumptionSection)}`;
  return toPage({ title: 'Assumptions', path, main, sidebar: sidebarOf(path) });
}

function profileRow([name, chosen]: readonly [string, Readonly<Record<string, string>>]): Markup {
  const pairs = Object.entries(chosen).map(
    ([assumption, option]) => markup`<a href="#${assumption}"><code>${assumption}=${option}</code></a>`,
  );
  return markup`<tr><th scope="row"><code>${name}</code></th><td>${pairs.length === 0 ? 'every default' : markup`${pairs}`}</td></tr>`;
}

function assumptionSection({
  name,
  question,
  sentence,
  section,
  options,
  default: byDefault,
  why,
  operations,
}: Listed): Markup {
  return markup`<section class="assumption" id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title"><code>${name}</code></h3>
<p class="question">${question}</p>
<blockquote><p>${sentence}</p><footer>The specification, “${section}”</footer></blockquote>
<dl class="options">
${Object.entries(options).map(([option, text]) => optionRow(option, text, option === byDefault))}
</dl>
<p><strong>Why <code>${byDefault}</code>:</strong> ${why}</p>
<p class="small">Applies to ${appliesTo(operations)}.</p>
</section>`;
}

function optionRow(option: string, text: string, isDefault: boolean): Markup {
  return markup`<dt><code>${option}</code>${isDefault ? markup` <span class="badge">default</span>` : ''}</dt><dd>${text}</dd>`;
}

function appliesTo(operations: Listed['operations']): Markup {
  if (operations === null) return markup`every call, or to URLs that belong to no operation`;
  const last = operations.length - 1;
  return markup`${operations.map(({ name, href }, index) => markup`<a href="${href}"><code>${name}</code></a>${index < last ? ',' : ''}`)}`;
}
