import type { VNode } from 'preact';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { ConfirmButton } from '../parts/confirm-button.ts';
import { Outcome, useDoing } from '../parts/doing.ts';
import { formText } from '../parts/form-text.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useLoad } from '../parts/use-load.ts';

interface Props {
  readonly sandbox: string;
  readonly onChanged: () => void;
}

/** Moments to go back to: take, restore, remove. */
export function Snapshots({ sandbox: id, onChanged }: Props): VNode {
  const { value, problem, refresh } = useLoad(() => ask('get', '/control/sandboxes/{id}/snapshots', { id }), [id]);
  const doing = useDoing();

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    await doing.run(act, done);
    refresh();
  };
  const take = (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = formText(new FormData(event.currentTarget as HTMLFormElement), 'snapshot');
    return change(() => ask('put', '/control/sandboxes/{id}/snapshots/{name}', { id, name }), `Took ${name}.`);
  };
  const restore = async (name: string): Promise<void> => {
    await change(() => ask('post', '/control/sandboxes/{id}/snapshots/{name}/restore', { id, name }), `Everything is as in ${name}.`);
    onChanged();
  };
  const remove = (name: string) =>
    change(() => ask('delete', '/control/sandboxes/{id}/snapshots/{name}', { id, name }), `The snapshot ${name} is gone.`);

  return html`<h2>Snapshots</h2>
    <form class="row" onSubmit=${take}>
      <label>Name <input name="snapshot" required placeholder="before-lunch" autocomplete="off" /></label>
      <button disabled=${doing.busy}>Take a snapshot</button>
      <span class="soft small">Small letters, digits and hyphens. One of the same name is replaced.</span>
    </form>
    <${Outcome} doing=${doing} />
    <${ProblemNotice} problem=${problem} />
    ${
      value === null
        ? problem === null && html`<${Loading} />`
        : html`<${SnapshotList} snapshots=${value.snapshots} onRestore=${restore} onRemove=${remove} />`
    }`;
}

interface ListProps {
  readonly snapshots: readonly Schemas['Snapshot'][];
  readonly onRestore: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

function SnapshotList({ snapshots, onRestore, onRemove }: ListProps): VNode {
  if (snapshots.length === 0) return html`<p class="soft">None yet.</p>`;
  return html`<ul class="snapshots">
    ${snapshots.map(
      ({ name, at, changedRecords, rules }) =>
        html`<li key=${name} class="row">
          <strong>${name}</strong>
          <span class="soft">${`sandbox time ${at}, ${changedRecords} changed records, ${rules} rules`}</span>
          <${ConfirmButton} label="Restore" name=${`Restore ${name}`} onConfirm=${() => onRestore(name)}>
            State, clock, assumptions and rules go back to what they were then. What has changed since is lost.
          <//>
          <${ConfirmButton} label="Remove" name=${`Remove ${name}`} onConfirm=${() => onRemove(name)}>
            The snapshot is gone then; the state stays as it is.
          <//>
        </li>`,
    )}
  </ul>`;
}
