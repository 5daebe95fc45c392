import type { ComponentChildren, VNode } from 'preact';
import { html } from '../html.ts';
import { go } from '../route.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  /** Whether it leads to where the person is. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link inside the console; a new tab and the like stay the browser's. */
export function Link({ to, class: name, current = false, children }: LinkProps): VNode {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return html`<a href=${to} class=${name} aria-current=${current ? 'page' : undefined} onClick=${follow}>${children}</a>`;
}
