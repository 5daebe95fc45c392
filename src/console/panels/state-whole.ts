import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { ConfirmButton } from '../parts/confirm-button.ts';
import { Dialog } from '../parts/dialog.ts';
import { Outcome, useDoing } from '../parts/doing.ts';
import { parseJson } from '../parts/parse-json.ts';
import { saveFile } from '../parts/save-file.ts';
import { Misfits } from './state-misfits.ts';

interface Props {
  readonly sandbox: string;
  /** The records that there are. */
  readonly collections: Schemas['StateDocument']['collections'];
  readonly onChanged: () => void;
}

interface ReadFile {
  readonly name: string;
  readonly document: Schemas['StateDocument'];
}

/** What is done to the state as a whole: reset, export, import. */
export function WholeState({ sandbox: id, collections, onChanged }: Props): VNode {
  const doing = useDoing();
  const [file, setFile] = useState<ReadFile | null>(null);
  const [tried, setTried] = useState<ReadFile | null>(null);

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    if (await doing.run(act, done)) onChanged();
  };
  const reset = () => change(() => ask('post', '/control/sandboxes/{id}/reset', { id }), 'Everything is as in the seed.');
  const exportState = () =>
    doing.run(async () => {
      const state = await ask('get', '/control/sandboxes/{id}/state', { id });
      saveFile(`${id}-state.json`, new Blob([`${JSON.stringify(state, null, 2)}\n`], { type: 'application/json' }));
    }, `Saved as ${id}-state.json.`);
  const open = async (event: Event): Promise<void> => {
    const input = event.currentTarget as HTMLInputElement;
    const [picked] = input.files ?? [];
    if (picked === undefined) return;
    // Whether it fits is for the server to say.
    await doing.run(
      async () => setFile({ name: picked.name, document: parseJson(await picked.text(), picked.name) as ReadFile['document'] }),
      '',
    );
    // So that the same file can be picked again.
    input.value = '';
  };
  const importState = async (picked: ReadFile): Promise<void> => {
    const { name, document } = picked;
    setFile(null);
    setTried(picked);
    await change(() => ask('put', '/control/sandboxes/{id}/state', { id }, document), `${name} is the state now.`);
  };

  return html`<div class="row">
      <${ConfirmButton} label="Reset" name="Reset to the seed" disabled=${doing.busy} onConfirm=${reset}>
        All records go back to the seed, and limits start anew. Rules that were added alone are gone; the journal, the snapshots and the
        assumptions stay.
      <//>
      <button type="button" disabled=${doing.busy} onClick=${exportState}>Export as a file</button>
      <label class="row">Import a file <input type="file" accept="application/json,.json" onChange=${open} /></label>
    </div>
    ${
      tried !== null && doing.problem !== null && doing.problem.violations.length > 0
        ? html`<${Misfits} sandbox=${id} problem=${doing.problem} document=${tried.document} collections=${collections} />`
        : html`<${Outcome} doing=${doing} />`
    }
    ${
      file !== null &&
      html`<${Dialog} title=${`Import ${file.name}?`} onClose=${() => setFile(null)}>
      <p>It takes the place of all records there are: what is not in the file is gone. A file that does not fit changes nothing.</p>
      <div class="row"><button type="button" class="danger" onClick=${() => importState(file)}>Import</button></div>
    <//>`
    }`;
}
