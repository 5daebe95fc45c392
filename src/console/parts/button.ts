import type { ButtonHTMLAttributes, TargetedMouseEvent, VNode } from 'preact';
import { html } from '../html.ts';

interface Props extends Omit<ButtonHTMLAttributes, 'disabled' | 'onClick'> {
  /** Whether the button does nothing now. */
  readonly off: boolean;
  readonly onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

/** A button that may be off. It stays focusable then: browsers take the focus from a disabled button. */
export function Button({ off, onClick, children, ...attributes }: Props): VNode {
  const click = (event: TargetedMouseEvent<HTMLButtonElement>): void => {
    // Keeps the form from being submitted.
    if (off) event.preventDefault();
    else onClick?.(event);
  };
  return html`<button ...${attributes} aria-disabled=${off ? 'true' : undefined} onClick=${click}>${children}</button>`;
}
