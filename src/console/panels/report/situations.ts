import type { VNode } from 'preact';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { keyOf } from '../../parts/key-of.ts';
import { Link } from '../../parts/link.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';

type Situations = Schemas['Report']['situations'];

interface Props {
  readonly sandbox: string;
  readonly situations: Situations;
}

/** The situations that a client should meet, and how to create the missing ones. */
export function SituationsPart({ sandbox, situations: { met, of, percent, missing } }: Props): VNode {
  return html`<h2 id="situations">Situations</h2>
    <p>${`The client has met ${met} of the ${of} recommended situations: ${percent} %.`}</p>
    <meter min="0" max=${of} value=${met} aria-labelledby="situations">${percent} %</meter>
    ${
      missing.length > 0 &&
      html`<details>
        <summary>${`${missing.length} situations not met yet, with commands to create them`}</summary>
        <${Variables} sandbox=${sandbox} />
        <ul>
          ${missing.map((situation) => html`<${Missing} key=${`${situation.kind} ${situation.name}`} sandbox=${sandbox} situation=${situation} />`)}
        </ul>
      </details>`
    }`;
}

function Missing({ sandbox, situation }: { readonly sandbox: string; readonly situation: Situations['missing'][number] }): VNode {
  const { kind, name, message, command } = situation;
  return html`<li>
    ${message} <${CopyButton} text=${command} what=${`the command for ${name}`} label="Copy command" />
    ${kind === 'fault' && html`<${Link} to=${pathTo(sandbox, 'failures', { fault: name, times: '1' })}>Add rule …<//>`}
    <pre tabindex="0">${command}</pre>
  </li>`;
}

/** The variables that the commands use, for shells that `lp-sandbox exec` did not start. */
function Variables({ sandbox: id }: { readonly sandbox: string }): VNode | null {
  const { value } = useLoad(() => ask('get', '/control/sandboxes/{id}', { id }), [id]);
  if (value === null) return null;
  const variables = {
    SANDBOX_URL: value.baseUrl,
    SANDBOX_API_KEY: keyOf(id, value.schools[0]?.slug ?? ''),
    SANDBOX_CONTROL_URL: `${location.origin}/control`,
    SANDBOX_ID: id,
  };
  const text = `export ${Object.entries(variables)
    .map(([name, set]) => `${name}='${set}'`)
    .join(' ')}`;
  return html`<p class="soft">
      The commands use variables that <code>lp-sandbox exec</code> sets. To set them in another shell:
      <${CopyButton} text=${text} what="the variables" label="Copy variables" />
    </p>
    <pre tabindex="0">${text}</pre>
    <p class="soft small">
      If the server requires a control token, add this to requests to the control plane: <code>-H "Authorization: Bearer $SANDBOX_CONTROL_TOKEN"</code>.
    </p>`;
}
