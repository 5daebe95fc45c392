import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { go } from '../route.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  /** Whether the link leads to the current page. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link inside the console. Modified clicks, such as "open in new tab", are left to the browser. */
export function Link({ to, class: name, current = false, children }: LinkProps): VNode {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return html`<a href=${to} class=${name} aria-current=${current ? 'page' : undefined} onClick=${follow}>${children}</a>`;
}
