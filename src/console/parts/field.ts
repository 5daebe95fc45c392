import type { TargetedEvent, ComponentChildren, VNode } from 'preact';
import type { ControlProblem } from '../api.ts';
import { html } from '../html.ts';
import { plainWords } from './plain-words.ts';

interface InputProps {
  readonly label: string;
  readonly name: string;
  readonly help: string;
  readonly type?: 'text' | 'number' | 'password';
  readonly required?: boolean;
  readonly placeholder?: string;
  /** Initial value. */
  readonly value?: string;
  /** Pointer to the value in the request body; violations at or below it are shown at the field. */
  readonly pointer: string;
  readonly problem: ControlProblem | null;
  /** Visible rows of a multi-line field. */
  readonly rows?: number;
  /** The id of a list of suggestions. */
  readonly list?: string;
}

/** The violations of a value, to show beside its field. */
export function WrongAt({ id, pointer, problem }: WrongProps): VNode {
  const wrong = wrongAt(pointer, problem);
  return html`<small id=${id} class="wrong-at">${wrong.map(({ message }) => html`<strong key=${message}>✗ ${plainWords(message)}</strong>`)}</small>`;
}

interface WrongProps {
  readonly id: string;
  readonly pointer: string;
  readonly problem: ControlProblem | null;
}

/** Returns the violations at or below a pointer. */
export function wrongAt(pointer: string, problem: ControlProblem | null): ControlProblem['violations'] {
  return (problem?.violations ?? []).filter(
    (one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`),
  );
}

/** A labeled input with help text and violations. */
export function InputField({
  label,
  name,
  help,
  type = 'text',
  required = false,
  placeholder = '',
  value = '',
  pointer,
  problem,
  rows,
  list,
}: InputProps): VNode {
  const wrong = wrongAt(pointer, problem);
  const described = { 'aria-describedby': `${name}-help`, 'aria-invalid': wrong.length > 0 };
  const attributes = {
    id: name,
    name,
    placeholder,
    required,
    autocomplete: 'off',
    defaultValue: value,
    ...described,
  };
  return html`<div class="field">
    <label for=${name}>${label}</label>
    ${
      rows === undefined
        ? html`<input type=${type} step="any" list=${list} ...${attributes} />`
        : html`<textarea rows=${rows} spellcheck=${false} ...${attributes}></textarea>`
    }
    <small id=${`${name}-help`} class="soft">
      ${wrong.length === 0 ? help : wrong.map((one) => html`<strong key=${one.pointer + one.message}>✗ ${one.pointer.slice(pointer.length)} ${plainWords(one.message)}<br /></strong>`)}
    </small>
  </div>`;
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** Called with the selected value. */
  readonly onChoose?: (value: string) => void;
  readonly children: ComponentChildren;
}

/** A labeled select; `children` are its options. */
export function ChoiceField({ label, name, onChoose, children }: ChoiceProps): VNode {
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => onChoose?.(event.currentTarget.value);
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} name=${name} onChange=${choose}>${children}</select>
  </div>`;
}
