import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { differencesBetween } from '../../parts/differences.ts';
import { jsonLines, lineAt } from '../../parts/json-lines.ts';
import { plainWords } from '../../parts/plain-words.ts';
import { parseObject } from '../../parts/parse-json.ts';
import { useAction } from '../../parts/use-action.ts';
import { report } from '../../undo.ts';

/** The record in the editor. */
export interface Edited {
  readonly isNew: boolean;
  readonly record: Schemas['Record'];
}

/** The route of a record. */
const place = '/control/sandboxes/{sandboxId}/state/{collection}/{recordId}';

interface Props {
  readonly sandbox: string;
  readonly collection: string;
  readonly edited: Edited;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Edits a record as JSON, shows violations at their lines, and deletes the record. */
export function RecordEditor({ sandbox: id, collection, edited, onChanged, onClose }: Props): VNode {
  const [text, setText] = useState(() => written(edited.record));
  const [sent, setSent] = useState(edited.record);
  const { busy, problem, run } = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (problem !== null) area.current?.focus();
  }, [problem]);
  const knownId = String(edited.record['id']);

  const put = (): Promise<Schemas['Record']> => {
    const record = parseObject(text, 'The record');
    // Violations are shown by line, so the text is formatted as the lines are counted.
    setSent(record);
    setText(written(record));
    const { id: ownId } = record;
    const recordId = edited.isNew && typeof ownId === 'string' && ownId !== '' ? ownId : knownId;
    return ask('put', place, { sandboxId: id, collection, recordId }, record);
  };
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await run(async () => reportSaved(await put()))) onChanged();
  };
  const reportSaved = (saved: Schemas['Record']): void => {
    const recordId = String(saved['id']);
    const at = { sandboxId: id, collection, recordId };
    const name = `${collection}/${recordId}`;
    if (edited.isNew) return report(`Added ${name}.`, () => ask('delete', place, at));
    const changed = changedFields(edited.record, saved);
    if (changed.length === 0) return report(`Nothing changed in ${name}.`, null);
    report(`Saved ${name}: changed ${changed.join(', ')}.`, () => ask('put', place, at, edited.record));
  };
  const remove = async (): Promise<void> => {
    const at = { sandboxId: id, collection, recordId: knownId };
    if (!(await run(() => ask('delete', place, at)))) return;
    report(`Deleted ${collection}/${knownId}.`, () => ask('put', place, at, edited.record));
    onChanged();
  };

  return html`<${Dialog} title=${edited.isNew ? `New record of ${collection}` : `${collection}/${knownId}`} keepsInput onClose=${onClose}>
    <form class="editor" onSubmit=${save}>
      ${edited.isNew && html`<p class="soft">This is a copy of the first record with a new id.</p>`}
      <textarea
        ref=${area}
        aria-label="The record as JSON"
        aria-invalid=${problem !== null}
        aria-describedby="record-problem"
        spellcheck=${false}
        rows=${Math.min(24, text.split('\n').length + 1)}
        value=${text}
        onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
      />
      <div id="record-problem"><${Wrong} problem=${problem} sent=${sent} onShow=${(line: number) => area.current !== null && selectLine(area.current, line)} /></div>
      <div class="row">
        <${Button} class="main" off=${busy}>Save record<//>
        ${
          !edited.isNew &&
          html`<${ConfirmButton} label="Delete record" off=${busy} onConfirm=${remove}>
          Deletes this record. The server rejects this while another record refers to it.
        <//>`
        }
      </div>
    </form>
  <//>`;
}

/** Maximum number of changed fields that are listed. */
const maxListed = 8;

/** Returns the pointers of the values that differ, without their leading slash. */
function changedFields(before: Schemas['Record'], after: Schemas['Record']): readonly string[] {
  const pointers = differencesBetween(before, after).map(({ pointer }) => pointer.slice(1));
  const hidden = pointers.length - maxListed;
  return hidden > 0 ? [...pointers.slice(0, maxListed), `${hidden} more`] : pointers;
}

function written(record: Schemas['Record']): string {
  return JSON.stringify(record, null, 2);
}

interface WrongProps {
  readonly problem: ControlProblem | null;
  /** The record that has the violations. */
  readonly sent: Schemas['Record'];
  readonly onShow: (line: number) => void;
}

/** The violations, each with its line. */
function Wrong({ problem, sent, onShow }: WrongProps): VNode | null {
  if (problem === null) return null;
  const { title, message, violations } = problem;
  if (violations.length === 0)
    return html`<p class="notice bad" role="alert"><strong>${title}.</strong> ${message}</p>`;
  const lines = jsonLines(sent);
  return html`<ul class="notice bad wrong" role="alert">
    ${violations.map(({ pointer, message: wrong }) => {
      const line = lineAt(lines, pointer) + 1;
      return html`<li key=${`${pointer} ${wrong}`}>
        <button type="button" class="quiet" onClick=${() => onShow(line)}>Line ${line}</button>
        <code> ${pointer === '' ? 'the record' : pointer}</code> ${plainWords(wrong)}
      </li>`;
    })}
  </ul>`;
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
}
