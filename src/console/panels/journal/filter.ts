import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';

/** Conditions for the list; an empty string is no condition. */
export interface Filter {
  readonly operation: string;
  readonly outcome: string;
  readonly text: string;
}

export const noFilter: Filter = { operation: '', outcome: '', text: '' };

export function fits(entry: Entry, { operation, outcome, text }: Filter): boolean {
  if (operation !== '' && entry.operation !== operation) return false;
  if (outcome !== '' && entry.outcome !== outcome) return false;
  if (text === '') return true;
  const wanted = text.toLowerCase();
  const { requestId, school, url, request, response, faults, assumed } = entry;
  const places = [
    requestId,
    school ?? '',
    url,
    ...assumed,
    ...faults.map(({ fault, rule }) => `${fault} ${rule ?? ''}`),
    request,
    response,
  ];
  return places.some((place) => place.toLowerCase().includes(wanted));
}

interface BarProps {
  readonly entries: readonly Entry[];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** The filters; they offer only values that occur. */
export function FilterBar({ entries, filter, onChange }: BarProps): VNode {
  const operations = useMemo(
    () =>
      known(
        entries.map(({ operation }) => operation),
        filter.operation,
      ),
    [entries, filter.operation],
  );
  const outcomes = useMemo(
    () =>
      known(
        entries.map(({ outcome }) => outcome),
        filter.outcome,
      ),
    [entries, filter.outcome],
  );
  const set = (name: keyof Filter) => (event: Event) => onChange({ ...filter, [name]: (event.currentTarget as HTMLInputElement).value });
  const choice = (name: 'operation' | 'outcome', label: string, options: readonly string[]): VNode =>
    html`<select aria-label=${label} value=${filter[name]} onChange=${set(name)}>
      <option value="">every ${name}</option>
      ${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
    </select>`;
  return html`<div class="row filters" role="search" aria-label="Filter requests">
    ${choice('operation', 'Operation', operations)} ${choice('outcome', 'Outcome', outcomes)}
    <input type="search" aria-label="Text" placeholder="Search in bodies, ids, schools …" value=${filter.text} onInput=${set('text')} />
  </div>`;
}

function known(values: readonly string[], chosen: string): readonly string[] {
  return [...new Set(chosen === '' ? values : [chosen, ...values])].toSorted();
}
