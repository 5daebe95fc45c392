import { markup } from '../base/markup.ts';
import { toPage } from './page.ts';

/** A contract to browse. */
export interface Reference {
  readonly path: string;
  readonly title: string;
  /** Where the document is served. */
  readonly document: string;
  /** Whether calls can be tried from the page. */
  readonly canTry: boolean;
  readonly lead: string;
}

/** A page on which Swagger UI shows a contract. */
export function referencePage({ path, title, document, canTry, lead }: Reference): string {
  const main = markup`<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p>This page needs JavaScript. The contract itself is at <a href="${document}">${document}</a>.</p></noscript>
<div id="reference" data-document="${document}" data-can-try="${canTry ? 'yes' : 'no'}"></div>`;
  return toPage({
    title,
    path,
    main,
    styles: ['/docs/swagger-ui.css', '/docs/reference.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/reference.js'],
  });
}
