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
import { report, warnIfChanged } from '../../undo.ts';
import {
  changedFields,
  changeRecord,
  ConflictQuestion,
  findRecord,
  isTooLate,
  readRecord,
  recordPath,
  type Conflict,
  type Found,
  type RecordPlace,
} from './conflict.ts';

type Record = Schemas['Record'];

/** The record in the editor. */
export interface Edited {
  readonly isNew: boolean;
  readonly record: Record;
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
  /** What the edited text began with; null if there was no such record. */
  const [loaded, setLoaded] = useState(edited.isNew ? null : edited.record);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** What the current record has replaced, or the other way round, so that neither is lost. */
  const [other, setOther] = useState<Other | null>(null);
  const { busy, problem, run } = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (problem !== null) area.current?.focus();
  }, [problem]);
  const knownId = String(edited.record['id']);

  const at = (recordId: string): RecordPlace => ({ sandboxId: id, collection, recordId });
  /** Acts on the record as it is now, but asks first if it is no longer as the user knows it. */
  const guarded = async (
    recordId: string,
    verb: Conflict['verb'],
    act: (found: Found) => Promise<void>,
    known = loaded,
  ): Promise<void> => {
    const found = await findRecord(at(recordId));
    const { record: now } = found;
    const isGone = now === null && verb === 'Delete';
    if (isGone || differencesBetween(known, now).length === 0)
      return act(found).catch((error: unknown) => {
        // It has changed between the two requests.
        if (isTooLate(error)) return guarded(recordId, verb, act, known);
        throw error;
      });
    // It may change once more before the user answers.
    const again = (): void => void run(() => guarded(recordId, verb, act, now));
    setConflict({ before: known, now, verb, act: again });
  };
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    setConflict(null);
    void run(async () => {
      const record = parseObject(text, 'The record');
      // Violations are shown by line, so the text is formatted as the lines are counted.
      setSent(record);
      setText(written(record));
      const { id: ownId } = record;
      const recordId = edited.isNew && typeof ownId === 'string' && ownId !== '' ? ownId : knownId;
      await guarded(recordId, 'Save', async (found) => {
        reportSaved(found.record, await changeRecord(at(recordId), found, record));
        onChanged();
      });
    });
  };
  const reportSaved = (before: Record | null, saved: Record): void => {
    const place = at(String(saved['id']));
    const name = `${collection}/${place.recordId}`;
    const alsoUndoes = warnIfChanged('the record', saved, () => readRecord(place));
    if (before === null)
      return report(`Added ${name}.`, () => ask('delete', recordPath, { ...place }), { alsoUndoes });
    const changed = changedFields(before, saved);
    if (changed.length === 0) return report(`Nothing changed in ${name}.`, null);
    report(
      `Saved ${name}: changed ${changed.join(', ')}.`,
      () => ask('put', recordPath, { ...place }, before),
      { alsoUndoes },
    );
  };
  const remove = (): void => {
    setConflict(null);
    void run(() => guarded(knownId, 'Delete', deleteNow));
  };
  const deleteNow = async (found: Found): Promise<void> => {
    const place = at(knownId);
    const { record: now } = found;
    if (now === null) report(`Somebody else had already deleted ${collection}/${knownId}.`, null);
    else {
      await changeRecord(place, found, null);
      const alsoUndoes = warnIfChanged('the record', null, () => readRecord(place));
      const undo = () => ask('put', recordPath, { ...place }, now);
      report(`Deleted ${collection}/${knownId}.`, undo, { alsoUndoes });
    }
    onChanged();
  };
  const load = (record: Record): void => {
    setLoaded(record);
    setOther({ text, isTyped: true });
    setText(written(record));
    setConflict(null);
  };

  const swap = (shown: Other): void => {
    setOther({ text, isTyped: !shown.isTyped });
    setText(shown.text);
  };

  return html`<${Dialog} title=${edited.isNew ? `New record of ${collection}` : `${collection}/${knownId}`} keepsInput onClose=${onClose}>
    <form class="editor" onSubmit=${save}>
      ${edited.isNew && html`<p class="soft">This is a copy of another record with a new id.</p>`}
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
      ${other !== null && html`<${OtherText} other=${other} onSwap=${swap} />`}
      ${conflict !== null && html`<${ConflictQuestion} conflict=${conflict} busy=${busy} onLoad=${load} />`}
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

/** The text that the editor does not show, if there are two. */
interface Other {
  readonly text: string;
  /** Whether it is what the person typed; else it is the record that was loaded. */
  readonly isTyped: boolean;
}

interface OtherProps {
  readonly other: Other;
  readonly onSwap: (other: Other) => void;
}

/** Says which of the two texts the editor shows, and leads to the other. */
function OtherText({ other, onSwap }: OtherProps): VNode {
  return html`<p class="notice row" role="status">
    <span>${other.isTyped ? 'This is the current record. What you typed is kept.' : 'This is what you typed. The current record is kept.'}</span>
    <button type="button" onClick=${() => onSwap(other)}>${other.isTyped ? 'Show what I typed' : 'Show the current record'}</button>
  </p>`;
}

function written(record: Record): string {
  return JSON.stringify(record, null, 2);
}

interface WrongProps {
  readonly problem: ControlProblem | null;
  /** The record that has the violations. */
  readonly sent: Record;
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
