import type { VNode } from 'preact';
import { html } from '../../html.ts';
import { Link } from '../../parts/link.ts';
import { pathTo } from '../../route.ts';

/** Links to the journal entries that prove a finding. */
export function Evidence({ sandbox, requestIds }: { readonly sandbox: string; readonly requestIds: readonly string[] }): VNode {
  return html`<span class="evidence">
    ${requestIds.map((id) => html`<${Link} key=${id} to=${pathTo(sandbox, 'journal', { request: id })}><code>${id}</code><//>`)}
  </span>`;
}
