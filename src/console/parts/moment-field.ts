import type { VNode } from 'preact';
import type { ControlProblem } from '../control-problem.ts';
import { html } from '../html.ts';

/** Browsers offer later years, which the sandbox's clock does not know. */
const lastDate = '9999-12-31';

interface Props {
  /** The beginning of the names of the two fields. */
  readonly name: string;
  /** The date at first, as YYYY-MM-DD. */
  readonly date?: string;
  /** Pointer to the time in the request body; its violations are shown here. */
  readonly pointer: string;
  readonly problem: ControlProblem | null;
}

/** A date with a picker, and a time that may be left out. Both are UTC. */
export function MomentField({ name, date = '', pointer, problem }: Props): VNode {
  const wrong = (problem?.violations ?? []).filter((one) => one.pointer === pointer);
  const described = { 'aria-describedby': `${name}-wrong`, 'aria-invalid': wrong.length > 0 };
  return html`<label>Date (UTC) <input type="date" name=${`${name}.date`} defaultValue=${date} max=${lastDate} ...${described} /></label>
    <label>Time (optional) <input type="time" step="1" name=${`${name}.time`} title="00:00 if empty" /></label>
    <small id=${`${name}-wrong`}>${wrong.map(({ message }) => html`<strong key=${message}>✗ ${message}</strong>`)}</small>`;
}
