import type { TargetedEvent, VNode } from 'preact';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Paged } from '../../parts/paged.ts';
import type { Difference } from '../../parts/differences.ts';
import { entryDifferences } from './entry-differences.ts';

interface FieldProps {
  readonly entry: Entry;
  /** All entries, newest first. */
  readonly entries: readonly Entry[];
  /** The request id of the other entry; null for none. */
  readonly other: string | null;
  readonly onChoose: (requestId: string | null) => void;
}

/** A longer list is not readable. */
const maxOffered = 50;

/** A choice of entries to compare this one with: those of the same operation. */
export function CompareField({ entry, entries, other, onChoose }: FieldProps): VNode {
  const same = entries.filter((one) => one !== entry && one.operation === entry.operation);
  const chosen = entries.filter(({ requestId }) => requestId === other);
  const offered = [...new Set([...chosen, ...same.slice(0, maxOffered)])];
  const choose = ({ currentTarget: { value } }: TargetedEvent<HTMLSelectElement>): void =>
    onChoose(value === '' ? null : value);
  return html`<label>Compare with <select value=${other ?? ''} disabled=${offered.length === 0} onChange=${choose}>
    <option value="">${offered.length === 0 ? 'no other call of this operation' : 'no other call'}</option>
    ${offered.map((one) => html`<option key=${one.requestId} value=${one.requestId}>${titleOf(one)}</option>`)}
  </select></label>`;
}

function titleOf({ receivedAt, requestId, school, status, outcome }: Entry): string {
  return `${receivedAt.slice(11, 23)} ${status === 0 ? 'no response' : status} ${outcome}, ${school ?? 'no school'} (${requestId})`;
}

interface ComparisonProps {
  readonly before: Entry;
  readonly after: Entry;
}

/** How two entries differ, part by part. */
export function Comparison({ before, after }: ComparisonProps): VNode {
  const parts = entryDifferences(before, after);
  return html`<section class="comparison" aria-label="Comparison">
    <h3>Differences from ${before.requestId}</h3>
    ${parts.length === 0 && html`<p>The two calls are the same, apart from the time and what differs in every call.</p>`}
    ${parts.map(({ part, differences }) => html`<${Paged} key=${`${before.requestId} ${part}`} items=${differences} size=${100} what="differences" show=${(shown: readonly Difference[]) => table(part, shown, before, after)} />`)}
  </section>`;
}

function table(part: string, differences: readonly Difference[], before: Entry, after: Entry): VNode {
  return html`<div class="wide" tabindex="0" role="region" aria-label=${`${part}: differences`}>
    <table class="differences">
      <caption>${part}</caption>
      <thead>
        <tr><th scope="col">Value</th><th scope="col">${before.requestId}</th><th scope="col">${after.requestId}</th></tr>
      </thead>
      <tbody>
        ${differences.map(
          (one) =>
            html`<tr key=${one.pointer}>
              <th scope="row"><code>${one.pointer === '' ? 'all of it' : one.pointer.slice(1)}</code></th>
              <td>${one.before === null ? '–' : html`<del>${one.before}</del>`}</td>
              <td>${one.after === null ? '–' : html`<ins>${one.after}</ins>`}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
