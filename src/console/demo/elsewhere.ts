import type { VNode } from 'preact';
import { html } from '../html.ts';

/** Whether the browser lets this page call the API at this URL. */
export function isElsewhere(baseUrl: string): boolean {
  return new URL(baseUrl).origin !== location.origin;
}

/** Says why the demo cannot run here. */
export function Elsewhere({ baseUrl }: { readonly baseUrl: string }): VNode {
  const demo = `${baseUrl}/demo`;
  return html`<main id="content" class="narrow">
    <h1>The demo cannot run here</h1>
    <p class="notice">
      The public API is at ${baseUrl}, so the browser does not let this page at ${location.origin} call it. Open${' '}
      <a href=${demo}>${demo}</a>. If that leads back here, start the server without <code>--control-port</code>. If there is nothing, start it without${' '}
      <code>--public-url</code>.
    </p>
    <p><a href="/docs/demo">The script of the demo</a> shows what it would do.</p>
  </main>`;
}
