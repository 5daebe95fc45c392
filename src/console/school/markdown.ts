import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.ts';

type ElementsOf = (text: string) => readonly ComponentChildren[];

/** Renders Markdown; until its parser is loaded, as it is written. The first view of the page has none. */
export function Markdown({ text }: { readonly text: string }): VNode {
  const [parse, setParse] = useState<{ readonly elementsOf: ElementsOf } | null>(null);
  useEffect(() => {
    // Without the parser, the text can still be read.
    void import('./markdown-elements.ts').then(setParse, () => {});
  }, []);
  return html`<div class="prose">${parse === null ? html`<p>${text}</p>` : parse.elementsOf(text)}</div>`;
}

/** Returns the element of a heading of a content, which is below those of the page and of its card. */
export function headingOf(level: number): string {
  return `h${Math.min(6, level + 2)}`;
}

/** A block of code that scrolls within itself. */
export function CodeBlock({ text }: { readonly text: string }): VNode {
  return html`<pre tabindex="0" role="group" aria-label="Code"><code>${text}</code></pre>`;
}
