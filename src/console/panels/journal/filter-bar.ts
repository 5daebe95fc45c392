import type { TargetedEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { html } from '../../html.ts';
import type { Entry, EntryPage } from '../../journal-stream.ts';
import { isReversed, statusesIn, type Filter } from './filter.ts';

interface BarProps {
  readonly entries: readonly Entry[];
  /** What occurs in the whole journal, also in entries that are not loaded. */
  readonly values: EntryPage['values'];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

const lasts = [
  ['1', 'last minute'],
  ['10', 'last 10 minutes'],
  ['60', 'last hour'],
] as const;

/** The option of the time field that means "between two times". */
const between = '-';

/** The filters; they offer only values that occur. */
export function FilterBar({ entries, values, filter, onChange }: BarProps): VNode {
  const { operation, outcome, status, last, after, before } = filter;
  const [isRange, setRange] = useState(after !== '' || before !== '');
  const operations = useMemo(
    () => known([...values.operations, ...entries.map((one) => one.operation)], operation),
    [values, entries, operation],
  );
  const outcomes = useMemo(
    () => known([...values.outcomes, ...entries.map((one) => one.outcome)], outcome),
    [values, entries, outcome],
  );
  const statuses = useMemo(() => {
    const all = statusesIn([...values.statuses, ...entries.map((one) => one.status)]);
    return status === '' || all.includes(status) ? all : [status, ...all];
  }, [values, entries, status]);
  const set = (name: keyof Filter) => (event: TargetedEvent<HTMLInputElement>) =>
    onChange({ ...filter, [name]: event.currentTarget.value });
  const choice = (
    name: 'operation' | 'outcome' | 'status',
    label: string,
    options: readonly string[],
  ): VNode =>
    html`<select aria-label=${label} value=${filter[name]} onChange=${set(name)}>
      <option value="">every ${name}</option>
      ${options.map((option) => html`<option key=${option} value=${option}>${option === '0' ? 'no response' : option}</option>`)}
    </select>`;
  const chooseTime = ({ currentTarget: { value } }: TargetedEvent<HTMLSelectElement>): void => {
    setRange(value === between);
    onChange({ ...filter, after: '', before: '', last: value === between ? '' : value });
  };
  const isWrong = isRange && isReversed(filter);
  const limit = (name: 'after' | 'before', label: string): VNode =>
    html`<label class="row">${label} <input type="datetime-local" step="1" value=${filter[name]} aria-invalid=${isWrong} aria-describedby="range-wrong" onChange=${set(name)} /></label>`;
  return html`<div class="row filters" role="search" aria-label="Filter requests">
    ${choice('operation', 'Operation', operations)} ${choice('outcome', 'Outcome', outcomes)} ${choice('status', 'Status', statuses)}
    <select aria-label="Time" value=${isRange ? between : last} onChange=${chooseTime}>
      <option value="">any time</option>
      ${lasts.map(([minutes, title]) => html`<option key=${minutes} value=${minutes}>${title}</option>`)}
      <option value=${between}>between …</option>
    </select>
    ${
      isRange &&
      html`${limit('after', 'From (UTC)')} ${limit('before', 'To (UTC)')}
      <small id="range-wrong" role="status">${isWrong && html`<strong>✗ The end is before the start, so no request fits. Swap the times.</strong>`}</small>`
    }
    <input type="search" aria-label="Text" placeholder="Search in bodies, ids, schools …" value=${filter.text} onInput=${set('text')} />
  </div>`;
}

function known(values: readonly string[], chosen: string): readonly string[] {
  return [...new Set(chosen === '' ? values : [chosen, ...values])].toSorted();
}
