import type { VNode } from 'preact';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';
import { BehindProxy } from '../parts/behind-proxy.ts';

/** What a description of any sandbox says about the server. */
type Server = Pick<Schemas['Sandbox'], 'baseUrl' | 'upstream'>;

/** Whether the calls of the demo would come to its sandbox: the browser allows them, and no proxy forwards them. */
export function canRun({ baseUrl, upstream }: Server): boolean {
  return upstream === undefined && new URL(baseUrl).origin === location.origin;
}

/** Says why the demo cannot run here. */
export function CannotRun({ server: { baseUrl, upstream } }: { readonly server: Server }): VNode {
  return html`<main id="content" class="narrow">
    <h1>The demo cannot run here</h1>
    ${
      upstream === undefined
        ? html`<${Elsewhere} baseUrl=${baseUrl} />`
        : html`<${BehindProxy} upstream=${upstream} effect="the demo would change the data of that service" purpose="To give the demo" />`
    }
    <p><a href="/docs/demo">The script of the demo</a> shows what it would do.</p>
  </main>`;
}

function Elsewhere({ baseUrl }: { readonly baseUrl: string }): VNode {
  const demo = `${baseUrl}/demo`;
  return html`<p class="notice">
    The public API is at ${baseUrl}, so the browser does not let this page at ${location.origin} call it. Open${' '}
    <a href=${demo}>${demo}</a>. If that leads back here, start the server without <code>--control-port</code>. If there is nothing, start it without${' '}
    <code>--public-url</code>.
  </p>`;
}
