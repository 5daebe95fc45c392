import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { holdAddress } from '../route.ts';

interface DialogProps {
  readonly title: string;
  /** Called when the dialog closes, also with Escape. */
  readonly onClose: () => void;
  /** Whether to ask before input is discarded. */
  readonly keepsInput?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. It focuses its first field. */
export function Dialog({ title, onClose, keepsInput = false, children }: DialogProps): VNode {
  const place = useRef<HTMLDialogElement>(null);
  const [hasInput, setHasInput] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isGone = useRef(false);
  useEffect(() => {
    const { current: dialog } = place;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      isGone.current = true;
      // Returns the focus to where it was, which a removed dialog does not.
      dialog?.close();
    };
  }, []);
  const asks = keepsInput && hasInput;
  const leaving = useRef(false);
  const leave = (): void => {
    leaving.current = true;
    setAsking(true);
  };
  // Before the next event, which may be *Back*.
  useLayoutEffect(() => (asks ? holdAddress(leave) : undefined), [asks]);
  const keep = (): void => {
    leaving.current = false;
    setAsking(false);
  };
  const discard = (): void => {
    if (!leaving.current) return place.current?.close();
    // Where the person wanted to go. A dialog that is not part of the address is still open there.
    addEventListener('popstate', () => setTimeout(() => place.current?.close()), { once: true });
    setHasInput(false);
    setTimeout(() => history.back());
  };
  const close = (): void => (asks ? setAsking(true) : place.current?.close());
  const ask = (event: Event): void => {
    // Of this dialog, not of one inside it.
    if (!asks || !(event.target instanceof Element) || event.target.closest('dialog') !== place.current)
      return;
    event.preventDefault();
    setAsking(true);
  };
  // Browsers let a second Escape close a dialog even if its `cancel` event is prevented.
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') ask(event);
  };
  return html`<dialog ref=${place} aria-label=${title} onClose=${() => isGone.current || onClose()} onCancel=${ask} onKeyDown=${press} onInput=${() => setHasInput(true)}>
    <div class="row">
      <h2>${title}</h2>
      <button type="button" class="quiet" onClick=${close}>Close</button>
    </div>
    ${isAsking && html`<${DiscardQuestion} onKeep=${keep} onDiscard=${discard} />`}
    ${children}
  </dialog>`;
}

interface QuestionProps {
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

function DiscardQuestion({ onKeep, onDiscard }: QuestionProps): VNode {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return html`<div class="notice row" role="alert">
    <span>Discard your changes?</span>
    <button ref=${keep} type="button" onClick=${onKeep}>Keep editing</button>
    <button type="button" class="danger" onClick=${onDiscard}>Discard changes</button>
  </div>`;
}
