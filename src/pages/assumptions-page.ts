import type { Assumption } from '../assumptions.ts';
import { table } from '../report/render/html-parts.ts';
import { markup, type Markup } from '../base/markup.ts';
import { toPage } from './page.ts';

/** An assumption, and the operations that ask it, with their places in the reference; null where it belongs to none in particular. */
export interface Listed extends Assumption {
  readonly name: string;
  readonly operations: readonly { readonly name: string; readonly href: string }[] | null;
}

type Profiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The page that explains every point that the specification leaves open. */
export function assumptionsPage(list: readonly Listed[], profiles: Profiles): string {
  const main = markup`<h1>Assumptions</h1>
<p class="lead">What the specification leaves open has a name, options and a default here, so that a client can be tried under each reading.</p>
<p>Choose when the server starts (<code>--assume unknownId=http-404</code>, <code>--profile strict</code>), or while it runs:
in the <a href="/console">console</a>, or with <code>PATCH /control/sandboxes/{id}/assumptions</code>. A reply that one of them shaped names it in the header
<code>Sandbox-Assumed</code>.</p>
<h2 id="profiles">Profiles</h2>
<p>A profile chooses several at once. A client that works under <code>strict</code> works under every looser reading.</p>
${table('Profiles', ['profile', 'chooses'], markup`<tbody>${Object.entries(profiles).map(profileRow)}</tbody>`, 'told above')}
<h2 id="all">All ${list.length}</h2>
<ul class="index">${list.map(({ name, question }) => markup`<li><a href="#${name}"><code>${name}</code></a> ${question}</li>`)}</ul>
${list.map(assumptionSection)}`;
  return toPage({ title: 'Assumptions', path: '/docs/assumptions', main });
}

function profileRow([name, chosen]: readonly [string, Readonly<Record<string, string>>]): Markup {
  const pairs = Object.entries(chosen).map(
    ([assumption, option]) => markup`<a href="#${assumption}"><code>${assumption}=${option}</code></a>`,
  );
  return markup`<tr><th scope="row"><code>${name}</code></th><td>${pairs.length === 0 ? 'every default' : markup`${pairs}`}</td></tr>`;
}

function assumptionSection({ name, question, sentence, section, options, default: byDefault, why, operations }: Listed): Markup {
  return markup`<section class="assumption" id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title"><code>${name}</code></h3>
<p class="question">${question}</p>
<blockquote><p>${sentence}</p><footer>The specification, “${section}”</footer></blockquote>
<dl class="options">
${Object.entries(options).map(([option, text]) => optionRow(option, text, option === byDefault))}
</dl>
<p><strong>Why <code>${byDefault}</code>:</strong> ${why}</p>
<p class="small">Asked ${askedWhere(operations)}.</p>
</section>`;
}

function optionRow(option: string, text: string, isDefault: boolean): Markup {
  return markup`<dt><code>${option}</code>${isDefault ? markup` <span class="badge">default</span>` : ''}</dt><dd>${text}</dd>`;
}

function askedWhere(operations: Listed['operations']): Markup {
  if (operations === null) return markup`of every call, or of what lies beside the operations`;
  const last = operations.length - 1;
  return markup`by ${operations.map(({ name, href }, index) => markup`<a href="${href}"><code>${name}</code></a>${index < last ? ',' : ''}`)}`;
}
