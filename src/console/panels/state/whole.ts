import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, exchange, type ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { Link } from '../../parts/link.ts';
import { parseJson } from '../../parts/parse-json.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';
import { withSnapshot } from '../../undo.ts';
import { findRecords } from './load.ts';

interface Props {
  readonly sandbox: string;
  readonly onChanged: () => void;
}

interface ReadFile {
  readonly name: string;
  readonly document: Schemas['StateDocument'];
}

/** Resets, exports and imports the whole state. */
export function WholeState({ sandbox: id, onChanged }: Props): VNode {
  const doing = useDoing();
  const [file, setFile] = useState<ReadFile | null>(null);
  const [tried, setTried] = useState<ReadFile | null>(null);

  const change = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    if (await doing.run(act, done)) onChanged();
  };
  const reset = () =>
    change(
      () =>
        withSnapshot(id, 'Reset the sandbox to its seed.', () =>
          exchange('post', '/control/sandboxes/{sandboxId}/reset', { sandboxId: id }),
        ),
      '',
    );
  const exportState = () =>
    doing.run(async () => {
      const state = await ask('get', '/control/sandboxes/{sandboxId}/state', { sandboxId: id });
      saveFile(
        `${id}-state.json`,
        new Blob([`${JSON.stringify(state, null, 2)}\n`], { type: 'application/json' }),
      );
    }, `Saved ${id}-state.json.`);
  const open = async (event: TargetedEvent<HTMLInputElement>): Promise<void> => {
    const input = event.currentTarget;
    const [picked] = input.files ?? [];
    if (picked === undefined) return;
    // The server validates the document.
    await doing.run(
      async () =>
        setFile({
          name: picked.name,
          document: parseJson(await picked.text(), picked.name) as ReadFile['document'],
        }),
      '',
    );
    // Lets the user choose the same file again.
    input.value = '';
  };
  const importState = async (picked: ReadFile): Promise<void> => {
    const { name, document } = picked;
    setFile(null);
    setTried(picked);
    await change(
      () =>
        withSnapshot(id, `Imported ${name}.`, () =>
          exchange('put', '/control/sandboxes/{sandboxId}/state', { sandboxId: id }, document),
        ),
      '',
    );
  };

  return html`<div class="row">
      <${ConfirmButton} label="Reset to seed" off=${doing.busy} onConfirm=${reset}>
        Restores all records, restarts the scenario and resets the counters of the rate limits. Deletes the fault rules that you added. Keeps the
        journal, snapshots, assumptions and clock.
      <//>
      <${Button} type="button" off=${doing.busy} onClick=${exportState}>Export state<//>
      <label class="row">Import state <input type="file" accept="application/json,.json" onChange=${open} /></label>
    </div>
    ${
      tried !== null && doing.problem !== null && doing.problem.violations.length > 0
        ? html`<${Misfits} sandbox=${id} problem=${doing.problem} document=${tried.document} />`
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

interface MisfitsProps {
  readonly sandbox: string;
  readonly problem: ControlProblem;
  /** The rejected document. */
  readonly document: Schemas['StateDocument'];
}

/** Longer lists are not readable. */
const maxShown = 100;

/**
 * The violations of a rejected document, each with its pointer and its record; the record is a link if its id
 * exists.
 */
function Misfits({ sandbox, problem, document }: MisfitsProps): VNode {
  const { title, violations } = problem;
  const hidden = violations.length - maxShown;
  const shown = violations
    .slice(0, maxShown)
    .map((one) => ({ ...one, place: placeOf(document, one.pointer) }));
  const { value: known } = useLoad(() => namesOf(sandbox, shown), [problem]);
  return html`<div class="notice bad" role="alert">
    <p><strong>${title}.</strong> The file was not imported, and nothing has changed.</p>
    <ul>
      ${shown.map(
        ({ pointer, message: wrong, place }) =>
          html`<li key=${`${pointer} ${wrong}`}>
            <code>${pointer === '' ? 'the document' : pointer}</code> ${wrong}
            <${Place} sandbox=${sandbox} place=${place} known=${known} />
          </li>`,
      )}
    </ul>
    ${hidden > 0 && html`<p>And ${hidden} more.</p>`}
  </div>`;
}

interface Place {
  readonly collection: string;
  /** Index of the record in its collection. */
  readonly index: number;
  /** Null if the record has no id. */
  readonly id: string | null;
}

/** Returns the record that a pointer leads into, or null if it leads into none. */
function placeOf(document: Schemas['StateDocument'], pointer: string): Place | null {
  const [, top, collection = '', index = ''] = pointer.split('/');
  if (top !== 'collections' || index === '') return null;
  // The document is unvalidated input.
  const id: unknown = document.collections?.[collection]?.[Number(index)]?.['id'];
  return { collection, index: Number(index), id: typeof id === 'string' ? id : null };
}

/** Returns which of the records exist, as "videos/7d1f". */
async function namesOf(
  sandboxId: string,
  shown: readonly { readonly place: Place | null }[],
): Promise<ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { place } of shown)
    if (place !== null && place.id !== null)
      ids.set(place.collection, (ids.get(place.collection) ?? new Set()).add(place.id));
  const lists = [...ids].map(async ([collection, wanted]) => {
    // The file may name a collection that does not exist.
    const records = await findRecords({ sandboxId, collection }, [...wanted]).catch(() => []);
    return records.map(({ id }) => `${collection}/${String(id)}`);
  });
  return new Set((await Promise.all(lists)).flat());
}

interface PlaceProps {
  readonly sandbox: string;
  readonly place: Place | null;
  /** The records that exist; null until loaded. */
  readonly known: ReadonlySet<string> | null;
}

function Place({ sandbox, place, known }: PlaceProps): VNode | null {
  if (place === null) return null;
  const { collection, index, id } = place;
  if (id === null)
    return html`<span class="soft">${` in record ${index + 1} of ${collection}, which has no id`}</span>`;
  const name = html`<code>${collection}/${id}</code>`;
  if (known === null) return html`<span class="soft"> in ${name}</span>`;
  const isThere = known.has(`${collection}/${id}`);
  return html`<span class="soft">
    ${' in '}${isThere ? html`<${Link} to=${pathTo(sandbox, 'state', { collection, record: id })}>${name}<//>` : html`${name}, which does not exist now`}
  </span>`;
}
