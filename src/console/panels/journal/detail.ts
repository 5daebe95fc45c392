import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, asProblem, type ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { BodyView } from '../../parts/body-view.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { keyOf } from '../../parts/key-of.ts';
import { Link } from '../../parts/link.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { withKey } from '../../parts/with-key.ts';
import { go, pathTo } from '../../route.ts';
import { firstFailure, parametersFor } from '../failures/rule-from.ts';

type Exchange = Schemas['Exchange'];

/** One journal entry: request and response side by side, violations at their lines, and actions. */
export function JournalDetail({
  sandbox,
  requestId,
}: {
  readonly sandbox: string;
  readonly requestId: string;
}): VNode {
  const { value, problem } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/journal/{requestId}', { sandboxId: sandbox, requestId }),
    [],
  );
  return html`<section class="detail" aria-label=${`Request ${requestId}`}>
    <div class="row">
      <h2>${value?.operation ?? requestId}</h2>
      <${Link} to=${pathTo(sandbox, 'journal')}>Close<//>
    </div>
    <${ProblemNotice} problem=${problem} />
    ${value === null ? problem === null && html`<${Loading} />` : html`<${Whole} sandbox=${sandbox} exchange=${value} />`}
  </section>`;
}

function Whole({ sandbox, exchange }: { readonly sandbox: string; readonly exchange: Exchange }): VNode {
  const {
    requestId,
    at,
    school,
    key,
    status,
    outcome,
    durationMs,
    faults,
    assumed,
    violations,
    responseViolations,
    responseDifferences = [],
    hints = [],
    keyElsewhere,
  } = exchange;
  return html`<p class="row">
      <${OutcomeBadge} outcome=${outcome} /> <span>${status === 0 ? 'no reply' : `HTTP ${status}`} in ${durationMs.toFixed(1)} ms</span>
      ${assumed.map(
        (name) =>
          html`<${Link} to=${pathTo(sandbox, 'assumptions', { search: name })}><${Badge} tone="plain">? ${name}<//><//>`,
      )}
    </p>
    <p class="soft small">
      <code>${requestId}</code> · ${at} · ${school === null ? 'no school' : `school ${school}`} · key <code>${key ?? 'none'}</code>
    </p>
    ${faults.map(
      ({ fault, phase, rule }) =>
        html`<p class="notice">⚡ <strong>${fault}</strong> ${phase === 'before' ? 'fired before the operation could take effect' : 'fired after the operation took effect'}, ${rule === null ? 'requested by the call itself' : html`by rule <code>${rule}</code>`}.</p>`,
    )}
    ${hints.map(({ pointer, message }) => html`<p class="notice"><code>${pointer}</code>: ${message}</p>`)}
    ${responseDifferences.map(({ pointer, message }) => html`<p class="notice">≠ <code>${pointer === '' ? 'The response' : pointer}</code> ${message}</p>`)}
    ${keyElsewhere.length > 0 && html`<p class="notice bad">The client sent an API key in the ${keyElsewhere.join(' and the ')}. Send keys only in the SERVICE-API-KEY header.</p>`}
    <div class="row">
      <${CopyButton} text=${withKey(exchange.curl, sandbox, school)} what="the request as a curl command" label="Copy as curl" />
      <${SendAgain} sandbox=${sandbox} exchange=${exchange} />
      <${FailNextTime} sandbox=${sandbox} exchange=${exchange} />
    </div>
    <div class="pair">
      <div>
        <h3>Request</h3>
        <p><code>POST ${exchange.url}</code></p>
        <${HeaderList} of=${exchange.requestHeaders} />
        <${BodyView} label="Request body" text=${exchange.request} cut=${exchange.cut.request} violations=${violations} />
      </div>
      <div>
        <h3>Response</h3>
        <p><code>${status === 0 ? 'not sent' : status}</code></p>
        <${HeaderList} of=${exchange.responseHeaders} />
        <${BodyView} label="Response body" text=${exchange.response} cut=${exchange.cut.response} violations=${responseViolations} whole="The response" />
      </div>
    </div>`;
}

function HeaderList({ of }: { readonly of: Readonly<Record<string, string>> }): VNode {
  const list = Object.entries(of);
  return html`<details>
    <summary>${list.length} headers</summary>
    <dl class="headers">${list.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>
  </details>`;
}

interface ResendProps {
  readonly sandbox: string;
  readonly exchange: Schemas['Exchange'];
}

/** Sends the request again with the key of a school, and opens the new journal entry. */
function SendAgain({ sandbox, exchange }: ResendProps): VNode {
  const { value } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: sandbox }),
    [sandbox],
  );
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
      <label>as <select value=${chosen} onChange=${(event: TargetedEvent<HTMLSelectElement>) => setSchool(event.currentTarget.value)}>
        ${value.schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
        <option value="">no school (no key)</option>
      </select></label>
    </span>
    <${ProblemNotice} problem=${problem} />`;
}

function whyNot({ cut }: Schemas['Exchange'], baseUrl: string): string | null {
  if (cut.request > 0)
    return 'This request cannot be sent again: its body was too long to be stored completely.';
  if (new URL(baseUrl).origin !== location.origin)
    return 'This page and the API have different origins. Copy the curl command to send the request again.';
  return null;
}

/** Returns the request id of the new call, or null if the response has none. */
async function sendOnce(
  { url, request, requestHeaders }: Schemas['Exchange'],
  key: string | null,
): Promise<string | null> {
  const headers = new Headers(key === null ? {} : { 'SERVICE-API-KEY': key });
  for (const [name, value] of Object.entries(requestHeaders)) {
    // The journal masks secrets with a character that no header can have.
    if (/^(content-type|sandbox-.+|x-.+)$/.test(name) && !value.includes('…')) headers.set(name, value);
  }
  // The report does not count it as a call of the client.
  headers.set('Sandbox-Page', 'console');
  const reply = await fetch(url, { method: 'POST', headers, body: request }).catch(() => null);
  if (reply === null) throw new Error('No response: the connection broke. The call is in the journal.');
  return reply.headers.get('Sandbox-Request-Id');
}

/** Adds a rule that fails the next call of this operation once. */
function FailNextTime({
  sandbox,
  exchange,
}: {
  readonly sandbox: string;
  readonly exchange: Schemas['Exchange'];
}): VNode {
  const { operation } = exchange;
  const faults = useLoad(() => ask('get', '/control/faults', {}), []);
  const [fault, setFault] = useState<string>(firstFailure.fault);
  const [added, setAdded] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  const add = (): void =>
    void run(async () => {
      const { id } = await ask(
        'post',
        '/control/sandboxes/{sandboxId}/faults',
        { sandboxId: sandbox },
        { operation, fault, ...parametersFor(fault), when: { times: 1 } },
      );
      setAdded(id);
    });
  const summary = faults.value?.faults.find(({ name }) => name === fault)?.summary;
  return html`<span class="row">
      <button type="button" disabled=${busy} onClick=${add}>Fail the next call</button>
      <label>with <select value=${fault} title=${summary} onChange=${(event: TargetedEvent<HTMLSelectElement>) => setFault(event.currentTarget.value)}>
        ${(faults.value?.faults ?? [{ name: fault }]).map(({ name }) => html`<option key=${name}>${name}</option>`)}
      </select></label>
      <${Link} to=${pathTo(sandbox, 'failures', { operation, fault, times: '1' })}>Edit the rule first …<//>
    </span>
    <${ProblemNotice} problem=${problem} />
    ${added !== null && html`<span role="status">The next call of <code>${operation}</code> will fail: <${Link} to=${pathTo(sandbox, 'failures')}>rule ${added}<//>.</span>`}`;
}
