import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Dialog } from '../../parts/dialog.ts';
import { differencesBetween } from '../../parts/differences.ts';

interface Props {
  readonly change: Schemas['RecordChange'];
  readonly onClose: () => void;
}

const summaries: Readonly<Record<Schemas['RecordChange']['kind'], string>> = {
  added: 'The record is not in the seed.',
  changed: 'These values differ from the seed.',
  removed: 'The record is in the seed, but was removed.',
};

/** How a record differs from the seed. */
export function ChangeDialog({ change, onClose }: Props): VNode {
  const { collection, recordId, kind, before, after } = change;
  return html`<${Dialog} title=${`Difference of ${collection}/${recordId}`} onClose=${onClose}>
    <p>${summaries[kind]}</p>
    <div class="wide" tabindex="0" role="region" aria-label="Differences">
      <table class="differences">
        <thead>
          <tr><th scope="col">Value</th><th scope="col">In the seed</th><th scope="col">Now</th></tr>
        </thead>
        <tbody>
          ${differencesBetween(before, after).map(
            (one) =>
              html`<tr key=${one.pointer}>
                <th scope="row"><code>${one.pointer.slice(1)}</code></th>
                <td>${one.before === null ? '–' : html`<del>${one.before}</del>`}</td>
                <td>${one.after === null ? '–' : html`<ins>${one.after}</ins>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  <//>`;
}
