import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Button } from './button.ts';
import { Dialog } from './dialog.ts';

interface Props {
  /** Verb and object. */
  readonly label: string;
  /** Accessible name and dialog title, if they need more than the label. */
  readonly name?: string;
  readonly off?: boolean;
  readonly onConfirm: () => void;
  /** What the action changes, deletes and keeps. */
  readonly children: ComponentChildren;
}

/** A button that asks for confirmation before an action that cannot be undone. */
export function ConfirmButton({ label, name = label, off = false, onConfirm, children }: Props): VNode {
  const [asking, setAsking] = useState(false);
  const confirm = (): void => {
    setAsking(false);
    onConfirm();
  };
  return html`<${Button} type="button" off=${off} aria-label=${name} onClick=${() => setAsking(true)}>${label}<//>
    ${
      asking &&
      html`<${Dialog} title=${`${name}?`} onClose=${() => setAsking(false)}>
      <p>${children}</p>
      <div class="row"><button type="button" class="danger" onClick=${confirm}>${label}</button></div>
    <//>`
    }`;
}
