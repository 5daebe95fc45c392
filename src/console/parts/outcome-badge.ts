import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Badge, type Tone } from './badge.ts';

/** How an exchange ended, in a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }): VNode {
  return html`<${Badge} tone=${tones[outcome] ?? 'bad'}>${outcome}<//>`;
}

/** Every other outcome is a refusal. */
const tones: Readonly<Record<string, Tone>> = { ok: 'good', 'element-error': 'warn', fault: 'info', 'client-gone': 'plain' };
