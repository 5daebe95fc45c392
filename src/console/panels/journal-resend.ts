import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, asProblem, type ControlProblem, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { keyOf } from '../parts/key-of.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { useLoad } from '../parts/use-load.ts';
import { go, pathTo } from '../route.ts';

interface ResendProps {
  readonly sandbox: string;
  readonly exchange: Schemas['Exchange'];
}

/** Sends the request once more, as a client would, with the key of a school; the journal then shows that call. */
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
      <button type="button" onClick=${resend}>Send again</button>
      <label>as <select value=${chosen} onChange=${(event: Event) => setSchool((event.currentTarget as HTMLSelectElement).value)}>
        ${value.schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
        <option value="">nobody (no key)</option>
      </select></label>
    </span>
    <${ProblemNotice} problem=${problem} />`;
}

function whyNot({ cut }: Schemas['Exchange'], baseUrl: string): string | null {
  if (cut.request > 0) return 'It cannot be sent again: its body was too long to be kept whole.';
  if (new URL(baseUrl).origin !== location.origin) return 'The operations are at another origin than this page: send it again by curl.';
  return null;
}

/** The request id of the call where the reply tells it; a fault may keep any reply from coming. */
async function sendOnce({ url, request, requestHeaders }: Schemas['Exchange'], key: string | null): Promise<string | null> {
  const headers = new Headers(key === null ? {} : { 'SERVICE-API-KEY': key });
  for (const [name, value] of Object.entries(requestHeaders)) {
    // The journal masks secrets with a character that no header can have.
    if (/^(content-type|sandbox-.+|x-.+)$/.test(name) && !value.includes('…')) headers.set(name, value);
  }
  const reply = await fetch(url, { method: 'POST', headers, body: request }).catch(() => null);
  if (reply === null) throw new Error('No reply came: the connection broke off. The journal has the call.');
  return reply.headers.get('Sandbox-Request-Id');
}
