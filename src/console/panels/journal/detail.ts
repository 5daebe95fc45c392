import type { VNode } from 'preact';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { BodyView } from '../../parts/body-view.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { Link } from '../../parts/link.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';
import { FailNextTime } from './fail.ts';
import { SendAgain } from './resend.ts';

type Exchange = Schemas['Exchange'];

/** One journal entry: request and response side by side, violations at their lines, and actions. */
export function JournalDetail({ sandbox, requestId }: { readonly sandbox: string; readonly requestId: string }): VNode {
  const { value, problem } = useLoad(() => ask('get', '/control/sandboxes/{id}/journal/{requestId}', { id: sandbox, requestId }), []);
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
  const { requestId, at, school, key, status, outcome, durationMs, faults, assumed, violations, responseViolations, keyElsewhere } =
    exchange;
  return html`<p class="row">
      <${OutcomeBadge} outcome=${outcome} /> <span>${status === 0 ? 'no reply' : `HTTP ${status}`} in ${durationMs.toFixed(1)} ms</span>
      ${assumed.map(
        (name) => html`<${Link} to=${pathTo(sandbox, 'assumptions', { search: name })}><${Badge} tone="plain">? ${name}<//><//>`,
      )}
    </p>
    <p class="soft small">
      <code>${requestId}</code> · ${at} · ${school === null ? 'no school' : `school ${school}`} · key <code>${key ?? 'none'}</code>
    </p>
    ${faults.map(
      ({ fault, phase, rule }) =>
        html`<p class="notice">⚡ <strong>${fault}</strong> ${phase === 'before' ? 'fired before the call took effect' : 'fired after the call took effect'}, ${rule === null ? 'requested by the call itself' : html`by rule <code>${rule}</code>`}.</p>`,
    )}
    ${keyElsewhere.length > 0 && html`<p class="notice bad">An API key was sent in the ${keyElsewhere.join(' and the ')}. Send keys only in the SERVICE-API-KEY header.</p>`}
    <div class="row">
      <${CopyButton} text=${exchange.curl} what="the request as a curl command" label="Copy as curl" />
      <${SendAgain} sandbox=${sandbox} exchange=${exchange} />
      <${FailNextTime} sandbox=${sandbox} exchange=${exchange} />
    </div>
    <div class="pair">
      <div>
        <h3>Request</h3>
        <p><code>POST ${exchange.url}</code></p>
        <${Headers} of=${exchange.requestHeaders} />
        <${BodyView} label="Request body" text=${exchange.request} cut=${exchange.cut.request} violations=${violations} />
      </div>
      <div>
        <h3>Response</h3>
        <p><code>${status === 0 ? 'not sent' : status}</code></p>
        <${Headers} of=${exchange.responseHeaders} />
        <${BodyView} label="Response body" text=${exchange.response} cut=${exchange.cut.response} violations=${responseViolations} whole="The response" />
      </div>
    </div>`;
}

function Headers({ of }: { readonly of: Readonly<Record<string, string>> }): VNode {
  const list = Object.entries(of);
  return html`<details>
    <summary>${list.length} headers</summary>
    <dl class="headers">${list.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>
  </details>`;
}
