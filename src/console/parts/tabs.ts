import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';
import { Link } from './link.ts';

interface TabsProps {
  readonly label: string;
  readonly links: readonly { readonly name: string; readonly title: string; readonly to: string }[];
  /** The name of the current one. */
  readonly current: string | undefined;
}

/** Links to the parts of a page, in one line. */
export function Tabs({ label, links, current }: TabsProps): VNode {
  const place = useRef<HTMLElement>(null);
  // On a phone the current link may be outside the visible part.
  useEffect(
    () =>
      place.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [current],
  );
  return html`<nav class="panels" aria-label=${label} ref=${place}>
    ${links.map(({ name, title, to }) => html`<${Link} key=${name} to=${to} current=${name === current}><span class="tab" data-title=${title}>${title}</span><//>`)}
  </nav>`;
}
