import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, asProblem, type ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { keyOf } from '../../parts/key-of.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';
import { go, pathTo } from '../../route.ts';

interface ResendProps {
  readonly sandbox: string;
  readonly exchange: Schemas['Exchange'];
}

/** Sends the request again with the key of a school, and opens the new journal entry. */
export function SendAgain({ sandbox, exchange }: ResendProps): VNode {
  const { value } = useLoad(() => ask('get', '/control/sandboxes/{id}', { id: sandbox }), [sandbox]);
  const [school, setSchool] = useState(exchange.school);
  const [problem, setProblem] = useState<ControlProblem | null>(null);
  if (value === null) return html`<span></span>`;
  const hindrance = whyNot(exchange, value.baseUrl);
  if (hindrance !== null) return html`<span class="soft small">${hindrance}</span>`;
  const chosen = school ?? value.schools[0]?.slug ?? '';
  const resend = async (): Promise<void> => {
    setProblem(null);
    try {
      const requestId = await sendOnce(exchange, chosen === '' ? null : keyOf(sandbox, chosen));
      if (requestId !== null) go(pathTo(sandbox, 'journal', { request: requestId }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return html`<span class="row">
      <button type="button" onClick=${resend}>Send request again</button>
      <label>as <select value=${chosen} onChange=${(event: Event) => setSchool((event.currentTarget as HTMLSelectElement).value)}>
        ${value.schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
        <option value="">no school (no key)</option>
      </select></label>
    </span>
    <${ProblemNotice} problem=${problem} />`;
}

function whyNot({ cut }: Schemas['Exchange'], baseUrl: string): string | null {
  if (cut.request > 0) return 'This request cannot be sent again: its body was too long to be stored completely.';
  if (new URL(baseUrl).origin !== location.origin)
    return 'The API has another origin than this page. Copy the curl command to send the request again.';
  return null;
}

/** Returns the request id of the new call, or null if the response has none. */
async function sendOnce({ url, request, requestHeaders }: Schemas['Exchange'], key: string | null): Promise<string | null> {
  const headers = new Headers(key === null ? {} : { 'SERVICE-API-KEY': key });
  for (const [name, value] of Object.entries(requestHeaders)) {
    // The journal masks secrets with a character that no header can have.
    if (/^(content-type|sandbox-.+|x-.+)$/.test(name) && !value.includes('…')) headers.set(name, value);
  }
  const reply = await fetch(url, { method: 'POST', headers, body: request }).catch(() => null);
  if (reply === null) throw new Error('No response: the connection broke. The call is in the journal.');
  return reply.headers.get('Sandbox-Request-Id');
}
