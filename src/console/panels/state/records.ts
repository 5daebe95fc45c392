import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ControlProblem, Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { counted, grouped, Pager } from '../../parts/paged.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { maxTyped, useTyped } from '../../parts/use-typed.ts';
import { ChangeDialog } from './change-dialog.ts';
import { RecordEditor, type Edited } from './editor.ts';
import { findChange, findModel, findRecords, loadPage, pageSize, type CollectionSummary } from './load.ts';
import { RecordTable } from './record-table.ts';
import { Removed } from './removed.ts';
import type { View } from './view.ts';

type Record = Schemas['Record'];
type Change = Schemas['RecordChange'];

export interface RecordsProps {
  readonly sandbox: string;
  readonly view: View;
  readonly summary: CollectionSummary;
  /** Loads again when it changes. */
  readonly round: number;
  /** The school of the view; null for all. */
  readonly school: Record | null;
  /** The id of the record that is open; null for none. */
  readonly shown: string | null;
  /** Opens a record by its id, or closes it. */
  readonly onShow: (id: string | null) => void;
  /** Shows other records. */
  readonly onView: ChangeView;
  readonly onChanged: () => void;
}

/** Changes a part of the view. */
export type ChangeView = (change: Partial<View>, how: 'push' | 'replace' | 'note') => void;

/** The records of a collection with a search, their differences from the seed, and an editor for one of them. */
export function Records({
  sandbox,
  view,
  summary,
  round,
  school,
  shown,
  onShow,
  onView,
  onChanged,
}: RecordsProps): VNode {
  const { collection, text, isOnlyChanged, page: wanted } = view;
  const place = { sandboxId: sandbox, collection };
  const search = (how: 'replace' | 'note') => (next: string) => onView({ text: next, page: 0 }, how);
  const [typed, setTyped] = useTyped({ text, keep: search('replace'), note: search('note') });
  const filter = JSON.stringify([view.school, text, isOnlyChanged]);
  const { value, problem } = useLoad(
    async () => ({ filter, wanted, ...(await loadPage(place, summary, view)) }),
    [filter, wanted, summary],
  );
  const isOfFilter = value?.filter === filter && text === typed.trim();
  const isBusy = value !== null && problem === null && !(isOfFilter && value.wanted === wanted);
  // An address can name a page behind the last one.
  const isBehind = value !== null && isOfFilter && value.wanted === wanted && value.page !== wanted;
  useEffect(() => {
    if (isBehind) onView({ page: value.page }, 'replace');
  }, [isBehind]);
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
  const adding = useAction();
  const add = (): void => void adding.run(async () => setBegun(withNewId(await findModel(place, school))));
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
        Search <input type="search" maxlength=${maxTyped} value=${typed} onInput=${({ currentTarget }: Typed) => setTyped(currentTarget.value)} />
      </label>
      <label>
        <input type="checkbox" checked=${isOnlyChanged} onInput=${({ currentTarget }: Typed) => onView({ isOnlyChanged: currentTarget.checked, page: 0 }, 'replace')} /> Only differences from the seed
      </label>
      <span class="soft" role="status">${value !== null && (isBusy ? 'Searching …' : countedOf(value.total, value.all))}</span>
      <span class="soft small">Finds values in the records, in upper or lower case. Does not find names of fields. To find references to a record, enter its id.</span>
      <${Button} type="button" off=${adding.busy} onClick=${add}>Add record …<//>
    </div>
    <${ProblemNotice} problem=${problem ?? comparing.problem ?? adding.problem ?? notOpened} />
    ${isMissing && html`<p class="notice" role="alert">${collection} has no record <code>${shown}</code>. Somebody may have deleted it since this page was loaded.</p>`}
    ${
      value === null
        ? problem === null && html`<${Loading} />`
        : html`<div aria-busy=${isBusy}>
            <${Pager} page=${isBusy && isOfFilter ? wanted : value.page} size=${pageSize} total=${value.total} what="records" off=${!isOfFilter && isBusy} onPage=${(next: number) => onView({ page: next }, 'push')} />
            <${RecordTable} ...${value} none=${isOnlyChanged ? 'No added or changed records.' : 'No records.'} sandbox=${sandbox} onEdit=${({ id }: Record) => onShow(String(id))} onCompare=${compare} />
          </div>`
    }
    <${Removed} sandbox=${sandbox} view=${view} round=${round} onCompare=${setCompared} />
    ${
      edited !== null &&
      html`<${RecordEditor} key=${edited.record['id']} sandbox=${sandbox} collection=${collection} edited=${edited} onChanged=${changed} onClose=${close} />`
    }
    ${compared !== null && html`<${ChangeDialog} change=${compared} onClose=${() => setCompared(null)} />`}`;
}

interface Typed {
  readonly currentTarget: HTMLInputElement;
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

/** Returns a copy of a record with a new id. */
function withNewId(record: Record | undefined): Record {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return { ...record, id: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}
