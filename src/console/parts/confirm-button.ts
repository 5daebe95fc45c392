import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Dialog } from './dialog.ts';

interface Props {
  /** What the button does, in a word or two. */
  readonly label: string;
  /** The same for whoever hears the page, where the label alone does not tell what it is about. */
  readonly name?: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  /** What it brings about, and what is lost. */
  readonly children: ComponentChildren;
}

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton({ label, name = label, disabled = false, onConfirm, children }: Props): VNode {
  const [asking, setAsking] = useState(false);
  const confirm = (): void => {
    setAsking(false);
    onConfirm();
  };
  return html`<button type="button" disabled=${disabled} aria-label=${name} onClick=${() => setAsking(true)}>${label}</button>
    ${
      asking &&
      html`<${Dialog} title=${`${name}?`} onClose=${() => setAsking(false)}>
      <p>${children}</p>
      <div class="row"><button type="button" class="danger" onClick=${confirm}>${label}</button></div>
    <//>`
    }`;
}
