import type { ComponentChildren, VNode } from 'preact';
import type { ControlProblem } from '../api.ts';
import { html } from '../html.ts';

/** A problem with its violations; nothing if there is no problem. */
export function ProblemNotice({ problem }: { readonly problem: ControlProblem | null }): VNode | null {
  if (problem === null) return null;
  const { title, message, violations } = problem;
  return html`<div class="notice bad" role="alert">
    <p><strong>${title}.</strong> ${message}</p>
    ${
      violations.length > 0 &&
      html`<ul>
      ${violations.map(({ pointer, message: wrong }) => html`<li><code>${pointer === '' ? 'the body' : pointer}</code> ${wrong}</li>`)}
    </ul>`
    }
  </div>`;
}

/** A loading message. */
export function Loading(): VNode {
  return html`<p class="soft" role="status">Loading …</p>`;
}

/** A message for an empty list, with the next step. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return html`<div class="empty">${children}</div>`;
}
