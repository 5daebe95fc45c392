import type { Problem } from '../base/problem.ts';
import { markup } from '../base/markup.ts';
import { linkCards, toPage, words, type LinkCard } from './page.ts';

/** What the address in the browser was meant for, which decides the links of the page. */
export type Meant =
  | { readonly kind: 'page' }
  | { readonly kind: 'control' }
  /** An operation; the journal has the request. */
  | { readonly kind: 'operation'; readonly sandboxId: string; readonly requestId: string };

/** Returns the page for a browser at a wrong address: the message of the problem, and where to go instead. */
export function problemPage({ status, title, detail }: Problem, meant: Meant): string {
  const main = markup`<h1>${title} <span class="version">${status}</span></h1>
<p class="lead">${detail}</p>
<section aria-labelledby="instead">
<h2 id="instead">Where to go</h2>
${linkCards(linksFor(meant))}
</section>`;
  return toPage({ title, path: '', main });
}

const start: LinkCard = ['/', 'Start page', 'The URL, the API keys and the first call.'];
const console: LinkCard = ['/console', 'Console', words.console.sandbox];

function linksFor(meant: Meant): readonly LinkCard[] {
  if (meant.kind === 'control')
    return [
      console,
      ['/docs/control', 'Control plane API', 'All routes under /control, with their parameters.'],
      start,
    ];
  if (meant.kind === 'page')
    return [start, console, ['/docs', 'API reference', 'Every operation with its fields and examples.']];
  const { sandboxId, requestId } = meant;
  return [
    [
      '/docs',
      'API reference',
      'Try an operation here. Opening its URL is not enough: every operation needs POST and a key.',
    ],
    [
      `/console/${sandboxId}/journal?request=${requestId}`,
      'This request in the journal',
      `Request ${requestId}, as the sandbox received it.`,
    ],
    start,
  ];
}
