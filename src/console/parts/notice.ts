import type { ComponentChildren, VNode } from 'preact';
import type { ControlProblem } from '../api.ts';
import { html } from '../html.ts';

/** What went wrong, with every violation; nothing where nothing did. */
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

/** That something is on its way. */
export function Loading(): VNode {
  return html`<p class="soft" role="status">Loading …</p>`;
}

/** That there is nothing, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }): VNode {
  return html`<div class="empty">${children}</div>`;
}
