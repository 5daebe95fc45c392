import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { counted } from '../../parts/paged.ts';
import { useLoad } from '../../parts/use-load.ts';
import { labelOf } from './columns.ts';
import { findRemoved } from './load.ts';

type Change = Schemas['RecordChange'];

interface Props {
  readonly sandbox: string;
  readonly collection: string;
  /** The slug of a school; null for all. */
  readonly school: string | null;
  /** Loads again when it changes. */
  readonly round: number;
  readonly onCompare: (change: Change) => void;
}

/** The records of the seed that were removed; nothing if there are none. */
export function Removed({ sandbox: sandboxId, collection, school, round, onCompare }: Props): VNode | null {
  const { value, problem } = useLoad(
    async () => ({ school, ...(await findRemoved({ sandboxId, collection }, school)) }),
    [school, round],
  );
  if (problem !== null) return html`<${ProblemNotice} problem=${problem} />`;
  if (value === null || value.school !== school || value.changes.length === 0) return null;
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
