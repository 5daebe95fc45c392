import type { ComponentChildren, VNode } from 'preact';
import type { ControlProblem } from '../api.ts';
import { html } from '../html.ts';

interface InputProps {
  readonly label: string;
  readonly name: string;
  readonly help: string;
  readonly type?: 'text' | 'number';
  readonly placeholder?: string;
  /** Where the value stands in what is sent, to find what is wrong with it. */
  readonly pointer: string;
  readonly problem: ControlProblem | null;
}

/** A labelled input, with what it is for and what is wrong with it. */
export function InputField({ label, name, help, type = 'text', placeholder = '', pointer, problem }: InputProps): VNode {
  const wrong = (problem?.violations ?? []).filter((violation) => violation.pointer === pointer).map(({ message }) => message);
  const attributes = { name, type, placeholder, 'aria-describedby': `${name}-help`, 'aria-invalid': wrong.length > 0 };
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input id=${name} step="any" autocomplete="off" ...${attributes} />
    <small id=${`${name}-help`} class="soft">
      ${wrong.map((message) => html`<strong key=${message}>✗ ${message}<br /></strong>`)}${help}
    </small>
  </div>`;
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** Told what is chosen. */
  readonly onChoose?: (value: string) => void;
  readonly children: ComponentChildren;
}

/** A labelled list to choose from; `children` are its options. */
export function ChoiceField({ label, name, onChoose, children }: ChoiceProps): VNode {
  const choose = (event: Event): void => onChoose?.((event.currentTarget as HTMLSelectElement).value);
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} name=${name} onChange=${choose}>${children}</select>
  </div>`;
}
