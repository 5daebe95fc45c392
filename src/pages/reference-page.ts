import { markup, nothing, type Markup } from '../base/markup.ts';
import { toPage } from './page.ts';

/** An OpenAPI document to browse. */
export interface Reference {
  readonly path: string;
  readonly title: string;
  /** The path of the document on this server. */
  readonly document: string;
  /** Whether the page can send requests. */
  readonly canTry: boolean;
  readonly lead: string;
  /** What all operations have in common, below them. */
  readonly shared?: Markup;
}

/** Returns a page on which Swagger UI shows an OpenAPI document. */
export function referencePage({ path, title, document, canTry, lead, shared = nothing }: Reference): string {
  const main = markup`<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p>This page needs JavaScript. The OpenAPI document is at <a href="${document}">${document}</a>.</p></noscript>
<div class="tools" id="tools" hidden="">
${canTry ? sender : nothing}
<div class="field"><label for="filter">Filter</label><input type="search" id="filter" autocomplete="off" spellcheck="false" placeholder="Name or description"></div>
<p class="small" role="status" id="filtered"></p>
</div>
<div id="reference" data-document="${document}" data-can-try="${canTry ? 'yes' : 'no'}"></div>
${shared}`;
  return toPage({
    title,
    path,
    main,
    styles: ['/docs/swagger-ui.css', '/docs/reference.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/reference.js'],
  });
}

/** The sandbox and the school that requests are sent to. The script fills in what there is. */
const sender = markup`<div class="field" data-for="sender" hidden=""><label for="sandbox">Sandbox</label><input id="sandbox" list="sandboxes" value="default" maxlength="64" autocomplete="off" spellcheck="false"><datalist id="sandboxes"></datalist></div>
<div class="field" data-for="sender" hidden=""><label for="school">School</label><select id="school"></select></div>
<p class="small" data-for="sender" hidden="">Key <code id="key"></code></p>`;
