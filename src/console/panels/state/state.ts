import type { TargetedEvent, TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, exchange, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { formText } from '../../parts/form-text.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { counted, grouped } from '../../parts/paged.ts';
import { useLoad } from '../../parts/use-load.ts';
import { closeOver, go, goOver, noteAddress, pathTo } from '../../route.ts';
import { withSnapshot } from '../../undo.ts';
import { isUndoName } from '../../undo-name.ts';
import type { PanelProps } from '../panel.ts';
import { loadOverview, summarize } from './load.ts';
import { Records, type ChangeView, type RecordsProps } from './records.ts';
import { queryOf, viewIn, type View } from './view.ts';
import { WholeState } from './whole.ts';
import './state.css';

/** The records and snapshots of a sandbox. */
export function StatePanel({ sandbox: id, query, undone }: PanelProps): VNode {
  const [changes, setChanges] = useState(0);
  const round = changes + undone;
  const { value, problem } = useLoad(() => loadOverview(id), [id, round]);
  const refresh = (): void => setChanges((before) => before + 1);
  if (value === null)
    return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  const names = value.collections.map(({ name }) => name);
  const { view, problems } = viewIn(query, value);
  const { collection } = view;
  const shown = query.get('record');
  const at = (next: View, record: string | null): string =>
    pathTo(id, 'state', { ...queryOf(next), ...(record === null ? {} : { record }) });
  const show = (record: string | null): void => (record === null ? closeOver : goOver)(at(view, record));
  // The search can take effect after a record was opened.
  const change: ChangeView = (part, how) => {
    const path = at({ ...view, ...part }, how === 'push' ? null : shown);
    if (how === 'note') noteAddress(path);
    else go(path, how);
  };
  const choose = ({ currentTarget: { value: slug } }: TargetedEvent<HTMLSelectElement>): void =>
    change({ school: slug === '' ? null : slug, page: 0 }, 'push');
  const turnTo = (name: string): void =>
    change({ collection: name, text: '', isOnlyChanged: false, page: 0 }, 'push');
  return html`<div class="state">
    <${ProblemNotice} problem=${problem} />
    ${problems.map((text) => html`<p key=${text} class="notice warn" role="alert">${text}</p>`)}
    <${WholeState} sandbox=${id} onChanged=${refresh} />
    <${Snapshots} sandbox=${id} undone=${undone} onChanged=${refresh} />
    <div class="row">
      <h2>Records</h2>
      <label>
        School
        <select value=${view.school ?? ''} onChange=${choose}>
          <option value="">all schools</option>
          ${value.schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
        </select>
      </label>
    </div>
    <div class="collections" role="group" aria-label="Collections">
      ${value.collections.map(
        ({ name, records, differences }) =>
          html`<button key=${name} type="button" aria-pressed=${name === collection} onClick=${() => turnTo(name)}>
            ${name} <span class="soft">${grouped(records)}</span>${differences > 0 && html` <span class="dot" title="differs from the seed">●</span>`}
          </button>`,
      )}
    </div>
    <${Collection}
      key=${collection}
      sandbox=${id}
      view=${view}
      names=${names}
      round=${round}
      school=${value.schools.find(({ slug }) => slug === view.school) ?? null}
      shown=${shown}
      onShow=${show}
      onView=${change}
      onChanged=${refresh}
    />
  </div>`;
}

interface CollectionProps extends Omit<RecordsProps, 'summary'> {
  /** The names of all collections. */
  readonly names: readonly string[];
}

/** Loads what the collection that is shown begins with. A collection can have 100,000 records. */
function Collection({ names, ...props }: CollectionProps): VNode {
  const {
    sandbox: sandboxId,
    view: { collection },
    round,
  } = props;
  const { value, problem } = useLoad(() => summarize({ sandboxId, collection }, names), [round]);
  return html`<${ProblemNotice} problem=${problem} />
    ${value === null ? problem === null && html`<${Loading} />` : html`<${Records} ...${props} summary=${value} />`}`;
}

interface SnapshotsProps extends Pick<PanelProps, 'sandbox' | 'undone'> {
  readonly onChanged: () => void;
}

/** Takes, restores and deletes snapshots. */
function Snapshots({ sandbox: id, undone, onChanged }: SnapshotsProps): VNode {
  const { value, problem, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/snapshots', { sandboxId: id }),
    [id, undone],
  );
  const doing = useDoing();

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    await doing.run(act, done);
    refresh();
  };
  const take = (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = formText(new FormData(event.currentTarget), 'snapshot');
    return change(
      () => ask('put', '/control/sandboxes/{sandboxId}/snapshots/{name}', { sandboxId: id, name }),
      `Took snapshot ${name}.`,
    );
  };
  const restore = async (name: string): Promise<void> => {
    await change(
      () =>
        withSnapshot(id, `Restored snapshot ${name}.`, () =>
          exchange('post', '/control/sandboxes/{sandboxId}/snapshots/{name}/restore', {
            sandboxId: id,
            name,
          }),
        ),
      '',
    );
    onChanged();
  };
  const remove = (name: string) =>
    change(
      () => ask('delete', '/control/sandboxes/{sandboxId}/snapshots/{name}', { sandboxId: id, name }),
      `Deleted snapshot ${name}.`,
    );

  return html`<h2>Snapshots</h2>
    <form class="row" onSubmit=${take}>
      <label>Name <input name="snapshot" required placeholder="before-lunch" pattern="[a-z0-9\\-]{1,64}" title="Use a–z, 0–9 and hyphens." autocomplete="off" /></label>
      <${Button} off=${doing.busy}>Take snapshot<//>
      <span class="soft small">Use lowercase letters, digits and hyphens. A snapshot with the same name is replaced.</span>
    </form>
    <${Outcome} doing=${doing} />
    <${ProblemNotice} problem=${problem} />
    ${
      value === null
        ? problem === null && html`<${Loading} />`
        : html`<${SnapshotList} snapshots=${value.snapshots.filter(({ name }) => !isUndoName(name))} onRestore=${restore} onRemove=${remove} />
          <${UndoSnapshots} snapshots=${value.snapshots.filter(({ name }) => isUndoName(name))} onRestore=${restore} onRemove=${remove} />`
    }`;
}

/** The snapshots that the console took, apart from those of people and programs; nothing if there are none. */
function UndoSnapshots(props: ListProps): VNode | null {
  if (props.snapshots.length === 0) return null;
  return html`<details>
    <summary>${counted(props.snapshots.length, 'snapshot')} for Undo</summary>
    <p class="soft small">Each open page of the console keeps one, and deletes it when Undo is no longer offered.</p>
    <${SnapshotList} ...${props} />
  </details>`;
}

interface ListProps {
  readonly snapshots: readonly Schemas['Snapshot'][];
  readonly onRestore: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

function SnapshotList({ snapshots, onRestore, onRemove }: ListProps): VNode {
  if (snapshots.length === 0) return html`<p class="soft">No snapshots yet.</p>`;
  return html`<ul class="snapshots">
    ${snapshots.map(
      ({ name, at, changedRecords, rules }) =>
        html`<li key=${name} class="row">
          <strong>${name}</strong>
          <span class="soft">${`sandbox time ${at}, ${counted(changedRecords, 'changed record')}, ${counted(rules, 'rule')}`}</span>
          <${ConfirmButton} label="Restore snapshot" name=${`Restore snapshot ${name}`} onConfirm=${() => onRestore(name)}>
            Restores the records, clock, assumptions and fault rules of the snapshot. Discards later changes to them. Resets the counters of rules and rate limits. Keeps the journal and all snapshots.
          <//>
          <${ConfirmButton} label="Delete snapshot" name=${`Delete snapshot ${name}`} onConfirm=${() => onRemove(name)}>
            Deletes the snapshot with its ${counted(changedRecords, 'changed record')} and ${counted(rules, 'rule')}. Keeps the current state. This cannot be undone.
          <//>
        </li>`,
    )}
  </ul>`;
}
