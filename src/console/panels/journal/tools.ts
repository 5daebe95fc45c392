import type { VNode } from 'preact';
import { ask, send } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { report } from '../../undo.ts';

interface Props {
  readonly sandbox: string;
  readonly onEmptied: () => void;
  readonly onHelp: () => void;
}

/** Downloads and empties the journal. */
export function JournalTools({ sandbox, onEmptied, onHelp }: Props): VNode {
  const { busy, problem, run } = useAction();
  const empty = (): void =>
    void run(async () => {
      const place = '/control/sandboxes/{sandboxId}/journal';
      await ask('delete', place, { sandboxId: sandbox });
      report('Emptied the journal.', () => ask('post', `${place}/restore`, { sandboxId: sandbox }));
    }).then((done) => done && onEmptied());
  // Fetches the file because a link cannot send a control token.
  const save = (): Promise<boolean> =>
    run(async () => {
      const reply = await send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/journal.har`);
      saveFile(`${sandbox}.har`, await reply.blob());
    });
  return html`<${Button} type="button" off=${busy} onClick=${save}>Download HAR<//>
    <${ConfirmButton} label="Empty journal" off=${busy} onConfirm=${empty}>
      Deletes all requests in the journal of this sandbox; the report no longer counts them. Keeps everything else. To keep a copy, download the HAR first.
    <//>
    <button type="button" class="quiet" onClick=${onHelp}>Show shortcuts</button>
    <${ProblemNotice} problem=${problem} />`;
}
