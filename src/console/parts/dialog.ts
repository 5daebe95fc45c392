import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';

interface DialogProps {
  readonly title: string;
  /** Called when the dialog closes, also with Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => place.current?.showModal(), []);
  return html`<dialog ref=${place} aria-label=${title} onClose=${onClose}>
    <header class="row">
      <h2>${title}</h2>
      <button type="button" class="quiet" onClick=${() => place.current?.close()}>Close</button>
    </header>
    ${children}
  </dialog>`;
}
