import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';

/** The color of a badge. It repeats what the badge's text says. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain';

export function Badge({
  tone,
  title,
  children,
}: {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ComponentChildren;
}): VNode {
  return html`<span class=${`badge ${tone}`} title=${title}>${children}</span>`;
}
