import type { VNode } from 'preact';
import { html } from '../html.ts';

interface Props {
  /** The beginning of the names of the two fields. */
  readonly name: string;
  /** The date at first, as YYYY-MM-DD. */
  readonly date?: string;
  readonly required?: boolean;
}

/** A date with a picker, and a time that may be left out. Both are UTC. */
export function MomentField({ name, date = '', required = false }: Props): VNode {
  return html`<label>Date (UTC) <input type="date" name=${`${name}.date`} defaultValue=${date} required=${required} /></label>
    <label>Time (optional) <input type="time" step="1" name=${`${name}.time`} title="00:00 if empty" /></label>`;
}
