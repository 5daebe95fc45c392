import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ask, ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { jsonLines, lineAt } from '../../parts/json-lines.ts';
import { parseObject } from '../../parts/parse-json.ts';
import { useAction } from '../../parts/use-action.ts';

/** The record in the editor. */
export interface Edited {
  readonly isNew: boolean;
  readonly record: Schemas['Record'];
}

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
  const place = useRef<HTMLTextAreaElement>(null);
  const knownId = String(edited.record['id']);

  const put = (): Promise<unknown> => {
    const record = parseObject(text, 'The record');
    // Violations are shown by line, so the text is formatted as the lines are counted.
    setSent(record);
    setText(written(record));
    const { id: ownId } = record;
    const recordId = edited.isNew && typeof ownId === 'string' && ownId !== '' ? ownId : knownId;
    return ask(
      'put',
      '/control/sandboxes/{sandboxId}/state/{collection}/{recordId}',
      { sandboxId: id, collection, recordId },
      record,
    );
  };
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await run(async () => put())) onChanged();
  };
  const remove = async (): Promise<void> => {
    const at = { sandboxId: id, collection, recordId: knownId };
    if (await run(() => ask('delete', '/control/sandboxes/{sandboxId}/state/{collection}/{recordId}', at)))
      onChanged();
  };

  return html`<${Dialog} title=${edited.isNew ? `New record of ${collection}` : `${collection}/${knownId}`} onClose=${onClose}>
    <form class="editor" onSubmit=${save}>
      ${edited.isNew && html`<p class="soft">This is a copy of the first record with a new id.</p>`}
      <textarea
        ref=${place}
        aria-label="The record as JSON"
        aria-invalid=${problem !== null}
        spellcheck=${false}
        rows=${Math.min(24, text.split('\n').length + 1)}
        value=${text}
        onInput=${({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }) => setText(currentTarget.value)}
      />
      <${Wrong} problem=${problem} sent=${sent} onShow=${(line: number) => place.current !== null && selectLine(place.current, line)} />
      <div class="row">
        <button class="main" disabled=${busy}>Save record</button>
        ${
          !edited.isNew &&
          html`<${ConfirmButton} label="Delete record" disabled=${busy} onConfirm=${remove}>
          Deletes this record. The server rejects this while another record refers to it.
        <//>`
        }
      </div>
    </form>
  <//>`;
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
        <code> ${pointer === '' ? 'the record' : pointer}</code> ${wrong}
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
