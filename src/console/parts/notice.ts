import type { ComponentChildren, VNode } from 'preact';
import type { ControlProblem } from '../api.ts';
import { html } from '../html.ts';
import { plainWords } from './plain-words.ts';

interface ProblemProps {
  readonly problem: ControlProblem | null;
  /** Pointers to what has a field. Violations at or below them are shown there, and not here again. */
  readonly fields?: readonly string[];
}

/** A problem with its violations; nothing if there is no problem, or if all of it is shown at fields. */
export function ProblemNotice({ problem, fields = [] }: ProblemProps): VNode | null {
  if (problem === null) return null;
  const { title, message, violations } = problem;
  const others = violations.filter(
    ({ pointer }) => !fields.some((field) => pointer === field || pointer.startsWith(`${field}/`)),
  );
  if (violations.length > 0 && others.length === 0) return null;
  // The message repeats the violations, numbered if there are several.
  const summary = violations.length > 0 ? message.split(/ (?=\(1\) |\/)/)[0] : message;
  return html`<div class="notice bad" role="alert">
    <p><strong>${title}.</strong> ${summary}</p>
    ${
      others.length > 0 &&
      html`<ul>
      ${others.map(({ pointer, message: wrong }) => html`<li><code>${pointer === '' ? 'the body' : pointer}</code> ${plainWords(wrong)}</li>`)}
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
