import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlProblem, Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { counted, grouped, Pager } from '../../parts/paged.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { ChangeDialog } from './change-dialog.ts';
import { labelOf } from './columns.ts';
import { RecordEditor, type Edited } from './editor.ts';
import { findChange, findRecords, loadPage, pageSize, type CollectionSummary } from './load.ts';
import { RecordTable } from './record-table.ts';

type Record = Schemas['Record'];
type Change = Schemas['RecordChange'];

export interface RecordsProps {
  readonly sandbox: string;
  readonly collection: string;
  readonly summary: CollectionSummary;
  /** Loads again when it changes. */
  readonly round: number;
  /** The slug of the school whose records are shown; null for all. */
  readonly school: string | null;
  /** The id of the record that is open; null for none. */
  readonly shown: string | null;
  /** Opens a record by its id, or closes it. */
  readonly onShow: (id: string | null) => void;
  readonly onChanged: () => void;
}

/** The records of a collection with a search, their differences from the seed, and an editor for one of them. */
export function Records({
  sandbox,
  collection,
  summary,
  round,
  school,
  shown,
  onShow,
  onChanged,
}: RecordsProps): VNode {
  const place = { sandboxId: sandbox, collection };
  const [typed, setTyped] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const text = useSettled(typed.trim());
  const filter = JSON.stringify([school, text, isOnlyChanged]);
  const [turned, setTurned] = useState({ filter, page: 0 });
  // Another filter begins at the first page.
  if (turned.filter !== filter) setTurned({ filter, page: 0 });
  const wanted = turned.filter === filter ? turned.page : 0;
  const query = { school, text, isOnlyChanged, page: wanted };
  const { value, problem } = useLoad(
    async () => ({ filter, wanted, ...(await loadPage(place, summary.columns, query)) }),
    [filter, wanted, summary],
  );
  const isOfFilter = value?.filter === filter && text === typed.trim();
  const isBusy = value !== null && problem === null && !(isOfFilter && value.wanted === wanted);
  const [begun, setBegun] = useState<Record | null>(null);
  const [compared, setCompared] = useState<Change | null>(null);
  const { open, isMissing, problem: notOpened } = useOpen(place, shown, round);
  // The table still has the record.
  useEffect(() => {
    if (isMissing) onChanged();
  }, [isMissing, shown]);
  const opened: Edited | null = open === undefined ? null : { isNew: false, record: open };
  const edited: Edited | null = begun === null ? opened : { isNew: true, record: begun };
  const comparing = useAction();
  const compare = (id: string): void =>
    void comparing.run(async () => {
      const change = await findChange(place, id);
      // Somebody else may have changed the record back.
      if (change === undefined) onChanged();
      else setCompared(change);
    });
  const close = (): void => {
    setBegun(null);
    if (shown !== null) onShow(null);
  };
  const changed = (): void => {
    close();
    onChanged();
  };
  return html`<div class="row" role="search">
      <label>
        Search <input type="search" value=${typed} onInput=${({ currentTarget }: Typed) => setTyped(currentTarget.value)} />
      </label>
      <label>
        <input type="checkbox" checked=${isOnlyChanged} onInput=${({ currentTarget }: Typed) => setOnlyChanged(currentTarget.checked)} /> Only differences from the seed
      </label>
      <span class="soft" role="status">${value !== null && (isBusy ? 'Searching …' : countedOf(value.total, summary.total))}</span>
      <span class="soft small">Finds values in the records, in upper or lower case. Does not find names of fields. To find references to a record, enter its id.</span>
      <button type="button" onClick=${() => setBegun(likeOther(summary.first))}>Add record …</button>
    </div>
    <${ProblemNotice} problem=${problem ?? comparing.problem ?? notOpened} />
    ${isMissing && html`<p class="notice" role="alert">${collection} has no record <code>${shown}</code>. Somebody may have deleted it since this page was loaded.</p>`}
    ${
      value === null
        ? problem === null && html`<${Loading} />`
        : html`<div aria-busy=${isBusy}>
            <${Pager} page=${isBusy && isOfFilter ? wanted : value.page} size=${pageSize} total=${value.total} what="records" off=${!isOfFilter && isBusy} onPage=${(next: number) => setTurned({ filter, page: next })} />
            <${RecordTable} ...${value} sandbox=${sandbox} onEdit=${({ id }: Record) => onShow(String(id))} onCompare=${compare} />
          </div>`
    }
    <${Removed} ...${summary} onCompare=${setCompared} />
    ${
      edited !== null &&
      html`<${RecordEditor} key=${edited.record['id']} sandbox=${sandbox} collection=${collection} edited=${edited} onChanged=${changed} onClose=${close} />`
    }
    ${compared !== null && html`<${ChangeDialog} change=${compared} onClose=${() => setCompared(null)} />`}`;
}

interface Typed {
  readonly currentTarget: HTMLInputElement;
}

/** How long a person must not type before the server searches, in milliseconds. */
const pauseMs = 250;

/** Returns a text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface Opened {
  readonly open: Record | undefined;
  /** Whether there is no such record. */
  readonly isMissing: boolean;
  /** Why the record cannot be loaded. */
  readonly problem: ControlProblem | null;
}

/** Returns the record with an id as it is now. A page that was loaded before may have it as it was. */
function useOpen(
  place: { readonly sandboxId: string; readonly collection: string },
  shown: string | null,
  round: number,
): Opened {
  const last = useRef<Record | undefined>(undefined);
  const { value, problem } = useLoad(
    async () => ({ shown, found: shown === null ? [] : await findRecords(place, [shown]) }),
    [shown, round],
  );
  const loaded = value?.shown === shown ? value.found : null;
  const known = last.current?.['id'] === shown ? last.current : undefined;
  // If somebody else deletes the record, its editor stays open.
  const open = (last.current = loaded?.[0] ?? known);
  return { open, isMissing: shown !== null && loaded !== null && open === undefined, problem };
}

function countedOf(found: number, all: number): string {
  return found === all ? counted(all, 'record') : `${grouped(found)} of ${counted(all, 'record')}`;
}

interface RemovedProps extends Pick<CollectionSummary, 'removed' | 'removedTotal'> {
  readonly onCompare: (change: Change) => void;
}

/** The records of the seed that were removed. */
function Removed({ removed, removedTotal, onCompare }: RemovedProps): VNode | null {
  if (removed.length === 0) return null;
  return html`<h3>${counted(removedTotal, 'removed record')}</h3>
    <ul class="removed">
      ${removed.map(
        (change) =>
          html`<li key=${change.recordId} class="row">
            <code>${change.recordId}</code> ${change.before !== null && labelOf(change.before)}
            <button type="button" class="quiet" aria-label=${`Show difference of ${change.recordId}`} onClick=${() => onCompare(change)}>Show difference</button>
          </li>`,
      )}
    </ul>`;
}

/** Returns a copy of the first record with a new id. */
function likeOther(first: Record | undefined): Record {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return { ...first, id: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}
