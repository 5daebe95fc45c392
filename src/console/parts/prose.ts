import type { VNode } from 'preact';
import { html } from '../html.ts';

/** Text in which backticks mark code, as in Markdown. */
export function Prose({ text }: { readonly text: string }): VNode {
  return html`<span>${text.split('`').map((part, place) => (place % 2 === 0 ? part : html`<code key=${place}>${part}</code>`))}</span>`;
}
