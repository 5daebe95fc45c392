import { markup } from '../base/markup.ts';
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
}

/** Returns a page on which Swagger UI shows an OpenAPI document. */
export function referencePage({ path, title, document, canTry, lead }: Reference): string {
  const main = markup`<h1>${title}</h1>
<p class="lead">${lead}</p>
<noscript><p>This page needs JavaScript. The OpenAPI document is at <a href="${document}">${document}</a>.</p></noscript>
<div id="reference" data-document="${document}" data-can-try="${canTry ? 'yes' : 'no'}"></div>`;
  return toPage({
    title,
    path,
    main,
    styles: ['/docs/swagger-ui.css', '/docs/reference.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/reference.js'],
  });
}
