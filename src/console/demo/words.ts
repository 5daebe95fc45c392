import type { ComponentChildren } from 'preact';
import { html } from '../html.ts';

/** Renders a sentence of the script: `names` of the API, and *labels* of the page. */
export function words(text: string): ComponentChildren {
  return text.split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('*') ? html`<em>${part.slice(1, -1)}</em>` : part;
  });
}
