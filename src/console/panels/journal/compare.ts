import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { listEntries, type Entry, type EntryPage, type WholeEntry } from '../../journal-stream.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';
import { Paged } from '../../parts/paged.ts';
import type { Difference } from '../../parts/differences.ts';
import { entryDifferences } from './entry-differences.ts';

interface FieldProps {
  readonly sandbox: string;
  readonly entry: WholeEntry;
  /** The request id of the other entry; null for none. */
  readonly other: string | null;
  readonly onChoose: (requestId: string | null) => void;
}

/** A longer list is not readable, but who looks for an old call may ask for it. */
const maxOffered = 50;

/** The option that offers all calls. */
const all = '-';

/** A choice of entries to compare this one with: those of the same operation, from the whole journal. */
export function CompareField({ sandbox, entry, other, onChoose }: FieldProps): VNode {
  const [offersAll, setOffersAll] = useState(false);
  const { value } = useLoad(() => listSame(sandbox, entry, offersAll), [sandbox, entry.requestId, offersAll]);
  const same = value?.entries.toReversed().filter(({ requestId }) => requestId !== entry.requestId) ?? [];
  const isListed = other === null || same.some(({ requestId }) => requestId === other);
  const choose = ({ currentTarget }: TargetedEvent<HTMLSelectElement>): void => {
    if (currentTarget.value === all) {
      setOffersAll(true);
      currentTarget.value = other ?? '';
    } else onChoose(currentTarget.value === '' ? null : currentTarget.value);
  };
  const none = value !== null && same.length === 0 && isListed;
  return html`<label>Compare with <select value=${other ?? ''} disabled=${none} onChange=${choose}>
    <option value="">${none ? 'no other call of this operation' : 'no other call'}</option>
    ${!isListed && html`<option value=${other}>${other}</option>`}
    ${same.map((one) => html`<option key=${one.requestId} value=${one.requestId}>${titleOf(one)}</option>`)}
    ${value?.more === true && !offersAll && html`<option value=${all}>Offer older calls, too …</option>`}
  </select></label>`;
}

/** Lists the newest calls of the same operation, or all. */
function listSame(
  sandbox: string,
  { operation, outcome }: WholeEntry,
  offersAll: boolean,
): Promise<EntryPage> {
  return listEntries(sandbox, {
    operation,
    // Only among unmatched calls is any name an operation.
    ...(outcome === 'unmatched' ? { outcome } : {}),
    // One of them is the entry itself.
    ...(offersAll ? {} : { limit: String(maxOffered + 1) }),
  });
}

function titleOf({ receivedAt, requestId, school, status, outcome }: Entry): string {
  return `${receivedAt.slice(11, 23)} ${status === 0 ? 'no response' : status} ${outcome}, ${school ?? 'no school'} (${requestId})`;
}

interface WithProps {
  readonly sandbox: string;
  /** The request id of the other entry. */
  readonly other: string;
  readonly entry: WholeEntry;
}

/** How an entry differs from another one, which is loaded first. */
export function ComparisonWith({ sandbox, other, entry }: WithProps): VNode {
  const { value, problem } = useLoad(
    () =>
      ask('get', '/control/sandboxes/{sandboxId}/journal/{requestId}', {
        sandboxId: sandbox,
        requestId: other,
      }),
    [sandbox, other],
  );
  if (problem?.status === 404)
    return html`<p class="notice" role="status">The journal has no entry <code>${other}</code> to compare with.</p>`;
  if (value === null) return html`<${ProblemNotice} problem=${problem} />`;
  return html`<${Comparison} before=${value} after=${entry} />`;
}

interface ComparisonProps {
  readonly before: WholeEntry;
  readonly after: WholeEntry;
}

/** How two entries differ, part by part. */
function Comparison({ before, after }: ComparisonProps): VNode {
  const parts = entryDifferences(before, after);
  return html`<section class="comparison" aria-label="Comparison">
    <h3>Differences from ${before.requestId}</h3>
    ${parts.length === 0 && html`<p>The two calls are the same, apart from the time and what differs in every call.</p>`}
    ${parts.map(({ part, differences }) => html`<${Paged} key=${`${before.requestId} ${part}`} items=${differences} size=${100} what="differences" show=${(shown: readonly Difference[]) => table(part, shown, before, after)} />`)}
  </section>`;
}

function table(
  part: string,
  differences: readonly Difference[],
  before: WholeEntry,
  after: WholeEntry,
): VNode {
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
