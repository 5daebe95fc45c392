import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';

interface ConfirmProps {
  readonly label: string;
  /** What is lost; asked before it is done. */
  readonly question: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be taken back: it asks once, in its own place. */
export function ConfirmButton({ label, question, disabled = false, onConfirm }: ConfirmProps): VNode {
  const [asking, setAsking] = useState(false);
  if (!asking) return html`<button type="button" disabled=${disabled} onClick=${() => setAsking(true)}>${label}</button>`;
  const confirm = (): void => {
    setAsking(false);
    onConfirm();
  };
  return html`<span class="row" role="group" aria-label=${label}>
    <span>${question}</span>
    <button type="button" class="danger" onClick=${confirm} ref=${(button: HTMLButtonElement | null) => button?.focus()}>${label}</button>
    <button type="button" onClick=${() => setAsking(false)}>Keep</button>
  </span>`;
}
