import type { TargetedEvent, TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import type { WholeEntry } from '../../journal-stream.ts';
import { Dialog } from '../../parts/dialog.ts';
import { keyOf } from '../../parts/key-of.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useAction, type Action } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { hindranceOf, sendCall } from './send-call.ts';

interface Props {
  readonly sandbox: string;
  readonly entry: WholeEntry;
  /** Opens a journal entry. */
  readonly onShow: (requestId: string) => void;
}

/** Sends the request again, as it was or edited, with the key of a school, and opens the new entry. */
export function SendAgain({ sandbox, entry, onShow }: Props): VNode {
  const { value } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: sandbox }),
    [sandbox],
  );
  const [school, setSchool] = useState(entry.school);
  const [isEditing, setEditing] = useState(false);
  const action = useAction();
  if (value === null) return html`<span></span>`;
  const hindrance = hindranceOf(entry, value.baseUrl);
  if (hindrance !== null) return html`<span class="soft small">${hindrance}</span>`;
  const chosen = school ?? value.schools[0]?.slug ?? '';
  const send = (body: string): Promise<boolean> =>
    action.run(async () => {
      const requestId = await sendCall(entry, body, chosen === '' ? null : keyOf(sandbox, chosen));
      if (requestId !== null) onShow(requestId);
    });
  const schools = html`<${SchoolField} schools=${value.schools} chosen=${chosen} onChoose=${setSchool} />`;
  return html`<span class="row">
      <${Button} type="button" off=${action.busy} onClick=${() => send(entry.request)}>Send request again<//>
      <button type="button" onClick=${() => setEditing(true)}>Edit and resend …</button>
      ${!isEditing && schools}
    </span>
    ${!isEditing && html`<${ProblemNotice} problem=${action.problem} />`}
    ${isEditing && html`<${EditDialog} entry=${entry} action=${action} schools=${schools} onSend=${send} onClose=${() => setEditing(false)} />`}`;
}

interface SchoolProps {
  readonly schools: Schemas['Sandbox']['schools'];
  readonly chosen: string;
  readonly onChoose: (slug: string) => void;
}

function SchoolField({ schools, chosen, onChoose }: SchoolProps): VNode {
  return html`<label>as <select value=${chosen} onChange=${(event: TargetedEvent<HTMLSelectElement>) => onChoose(event.currentTarget.value)}>
    ${schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
    <option value="">no school (no key)</option>
  </select></label>`;
}

interface EditProps {
  readonly entry: WholeEntry;
  readonly action: Action;
  readonly schools: VNode;
  /** Returns whether the request was sent. */
  readonly onSend: (body: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** A request with a body that can be edited. It may be invalid JSON: the server should say so. */
function EditDialog({ entry, action, schools, onSend, onClose }: EditProps): VNode {
  const [body, setBody] = useState(() => laidOut(entry.request));
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (await onSend(body)) onClose();
  };
  return html`<${Dialog} title=${`Edit and resend ${entry.operation}`} keepsInput onClose=${onClose}>
    <form class="resend" onSubmit=${send}>
      <label class="field">Request body
        <textarea rows=${Math.min(20, body.split('\n').length + 1)} spellcheck=${false} value=${body} onInput=${({ currentTarget }: TargetedEvent<HTMLTextAreaElement>) => setBody(currentTarget.value)}></textarea>
      </label>
      <${ProblemNotice} problem=${action.problem} />
      <div class="row"><${Button} class="main" off=${action.busy}>Send request<//> ${schools}</div>
    </form>
  <//>`;
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
