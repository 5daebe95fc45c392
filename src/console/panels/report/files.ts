import type { VNode } from 'preact';
import { send } from '../../api.ts';
import { html } from '../../html.ts';
import { Outcome, useDoing } from '../../parts/doing.ts';
import { saveFile } from '../../parts/save-file.ts';

/** The file formats of the report, by the suffix of their path. */
const renderings = [
  ['.html', 'HTML'],
  ['.md', 'Markdown'],
  ['.junit.xml', 'JUnit'],
  ['', 'JSON'],
] as const;

/** Buttons that download the report. They fetch it because a link cannot send a control token. */
export function ReportFiles({ sandbox }: { readonly sandbox: string }): VNode {
  const doing = useDoing();
  const save = (ending: string): Promise<boolean> => {
    const file = `${sandbox}-report${ending === '' ? '.json' : ending}`;
    return doing.run(async () => {
      const reply = await send('get', `/control/sandboxes/${encodeURIComponent(sandbox)}/report${ending}`);
      saveFile(file, await reply.blob());
    }, `Saved as ${file}.`);
  };
  return html`<div class="row" role="group" aria-label="Download the report">
      <span>Download as</span>
      ${renderings.map(
        ([ending, title]) =>
          html`<button key=${title} type="button" disabled=${doing.busy} onClick=${() => save(ending)}>${title}</button>`,
      )}
    </div>
    <${Outcome} doing=${doing} />`;
}
