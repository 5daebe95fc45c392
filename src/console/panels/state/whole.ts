import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { parseJson } from '../../parts/parse-json.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Misfits } from './misfits.ts';

interface Props {
  readonly sandbox: string;
  /** The current records. */
  readonly collections: Schemas['StateDocument']['collections'];
  readonly onChanged: () => void;
}

interface ReadFile {
  readonly name: string;
  readonly document: Schemas['StateDocument'];
}

/** Resets, exports and imports the whole state. */
export function WholeState({ sandbox: id, collections, onChanged }: Props): VNode {
  const doing = useDoing();
  const [file, setFile] = useState<ReadFile | null>(null);
  const [tried, setTried] = useState<ReadFile | null>(null);

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    if (await doing.run(act, done)) onChanged();
  };
  const reset = () => change(() => ask('post', '/control/sandboxes/{id}/reset', { id }), 'Reset the sandbox to its seed.');
  const exportState = () =>
    doing.run(async () => {
      const state = await ask('get', '/control/sandboxes/{id}/state', { id });
      saveFile(`${id}-state.json`, new Blob([`${JSON.stringify(state, null, 2)}\n`], { type: 'application/json' }));
    }, `Saved ${id}-state.json.`);
  const open = async (event: Event): Promise<void> => {
    const input = event.currentTarget as HTMLInputElement;
    const [picked] = input.files ?? [];
    if (picked === undefined) return;
    // The server validates the document.
    await doing.run(
      async () => setFile({ name: picked.name, document: parseJson(await picked.text(), picked.name) as ReadFile['document'] }),
      '',
    );
    // Lets the user choose the same file again.
    input.value = '';
  };
  const importState = async (picked: ReadFile): Promise<void> => {
    const { name, document } = picked;
    setFile(null);
    setTried(picked);
    await change(() => ask('put', '/control/sandboxes/{id}/state', { id }, document), `Imported ${name}.`);
  };

  return html`<div class="row">
      <${ConfirmButton} label="Reset to seed" disabled=${doing.busy} onConfirm=${reset}>
        Restores all records, restarts the scenario and resets the counters of the rate limits. Deletes the fault rules that you added. Keeps the
        journal, snapshots, assumptions and clock.
      <//>
      <button type="button" disabled=${doing.busy} onClick=${exportState}>Export state</button>
      <label class="row">Import state <input type="file" accept="application/json,.json" onChange=${open} /></label>
    </div>
    ${
      tried !== null && doing.problem !== null && doing.problem.violations.length > 0
        ? html`<${Misfits} sandbox=${id} problem=${doing.problem} document=${tried.document} collections=${collections} />`
        : html`<${Outcome} doing=${doing} />`
    }
    ${
      file !== null &&
      html`<${Dialog} title=${`Import ${file.name}?`} onClose=${() => setFile(null)}>
      <p>Replaces all records with the file's records. Records that are not in the file are deleted. An invalid file changes nothing.</p>
      <div class="row"><button type="button" class="danger" onClick=${() => importState(file)}>Import state</button></div>
    <//>`
    }`;
}
