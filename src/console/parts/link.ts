import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { go, goOver } from '../route.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  /** Whether the link leads to the current page. */
  readonly current?: boolean;
  /** Whether it adds an entry to the history, replaces the current one, or shows something over it. */
  readonly how?: 'push' | 'replace' | 'over';
  readonly children: ComponentChildren;
}

/** A link inside the console. Modified clicks, such as "open in new tab", are left to the browser. */
export function Link({ to, class: name, current = false, how = 'push', children }: LinkProps): VNode {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (how === 'over') goOver(to);
    else go(to, how);
  };
  return html`<a href=${to} class=${name} aria-current=${current ? 'page' : undefined} onClick=${follow}>${children}</a>`;
}
