import type { VNode } from 'preact';
import { ask, send } from '../../api.ts';
import { html } from '../../html.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';

interface Props {
  readonly sandbox: string;
  readonly onEmptied: () => void;
  readonly onHelp: () => void;
}

/** Downloads and empties the journal. */
export function JournalTools({ sandbox, onEmptied, onHelp }: Props): VNode {
  const { busy, problem, run } = useAction();
  const empty = (): void =>
    void run(() => ask('delete', '/control/sandboxes/{sandboxId}/journal', { sandboxId: sandbox })).then(
      (done) => done && onEmptied(),
    );
  // Fetches the file because a link cannot send a control token.
  const save = (): Promise<boolean> =>
    run(async () => {
      const reply = await send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/journal.har`);
      saveFile(`${sandbox}.har`, await reply.blob());
    });
  return html`<button type="button" disabled=${busy} onClick=${save}>Download HAR</button>
    <${ConfirmButton} label="Empty journal" disabled=${busy} onConfirm=${empty}>
      Deletes all requests in the journal of this sandbox; the report no longer counts them. Keeps everything else. This cannot be undone: to keep a copy, download the HAR first.
    <//>
    <button type="button" class="quiet" onClick=${onHelp}>Show shortcuts</button>
    <${ProblemNotice} problem=${problem} />`;
}
