import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Badge, type Tone } from './badge.ts';

/** The outcome of a call as a badge. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }): VNode {
  return html`<${Badge} tone=${tones[outcome] ?? 'bad'}>${outcome}<//>`;
}

/** All other outcomes are refusals. */
const tones: Readonly<Record<string, Tone>> = {
  ok: 'good',
  'element-error': 'warn',
  fault: 'info',
  'client-gone': 'plain',
};
