import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { counted } from '../../parts/paged.ts';
import { useLoad } from '../../parts/use-load.ts';
import { labelOf } from './columns.ts';
import { findRemoved } from './load.ts';
import type { View } from './view.ts';

type Change = Schemas['RecordChange'];

interface Props {
  readonly sandbox: string;
  readonly view: View;
  /** Loads again when it changes. */
  readonly round: number;
  readonly onCompare: (change: Change) => void;
}

/** The removed records of the seed that match the view; nothing if there are none. */
export function Removed({ sandbox: sandboxId, view, round, onCompare }: Props): VNode | null {
  const { collection, school, text } = view;
  const filter = JSON.stringify([school, text]);
  const { value, problem } = useLoad(
    async () => ({ filter, ...(await findRemoved({ sandboxId, collection }, view)) }),
    [filter, round],
  );
  if (problem !== null) return html`<${ProblemNotice} problem=${problem} />`;
  if (value === null || value.filter !== filter || value.changes.length === 0) return null;
  const { changes, total = changes.length } = value;
  return html`<h3>${counted(total, 'removed record')}</h3>
    <ul class="removed">
      ${changes.map(
        (change) =>
          html`<li key=${change.recordId} class="row">
            <code>${change.recordId}</code> ${change.before !== null && labelOf(change.before)}
            <button type="button" class="quiet" aria-label=${`Show difference of ${change.recordId}`} onClick=${() => onCompare(change)}>Show difference</button>
          </li>`,
      )}
    </ul>`;
}
