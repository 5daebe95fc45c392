import type { VNode } from 'preact';
import { ask } from '../api.ts';
import { html } from '../html.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useLoad } from '../parts/use-load.ts';

/** Which sandboxes there are. */
export function SandboxesPanel(): VNode {
  const { value, problem } = useLoad(() => ask('get', '/control/sandboxes', {}), [], 5000);
  return html`<${ProblemNotice} problem=${problem} />
    ${value === null ? html`<${Loading} />` : html`<ul>${value.sandboxes.map(({ id }) => html`<li key=${id}>${id}</li>`)}</ul>`}`;
}
