import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Upstream } from '../../parts/behind-proxy.ts';
import { Badge } from '../../parts/badge.ts';
import { BodyView } from '../../parts/body-view.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { Link } from '../../parts/link.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';
import { useLoad } from '../../parts/use-load.ts';
import { withKey } from '../../parts/with-key.ts';
import { pathTo } from '../../route.ts';
import { CompareField, ComparisonWith } from './compare.ts';
import { FailNextTime } from './fail-next.ts';
import { SendAgain } from './send-again.ts';

interface Props {
  readonly sandbox: string;
  readonly requestId: string;
  /** All entries, newest first. */
  readonly entries: readonly Entry[];
  /** The request id of the entry to compare with; null for none. */
  readonly other: string | null;
  readonly onCompare: (other: string | null) => void;
  /** Opens another entry. */
  readonly onShow: (requestId: string) => void;
  readonly onClose: () => void;
}

/** One journal entry: request and response side by side, violations at their lines, and actions. */
export function JournalDetail(props: Props): VNode {
  const { sandbox, requestId, entries, onClose } = props;
  const { value, problem } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/journal/{requestId}', { sandboxId: sandbox, requestId }),
    [],
  );
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // As a part of the demo page, it must not take the focus away from there.
    if (document.hasFocus()) title.current?.focus();
  }, []);
  const known = entries.find((one) => one.requestId === requestId);
  const isEvicted = value === null && problem?.status === 404 && known !== undefined;
  return html`<section class="detail" aria-label=${`Request ${requestId}`}>
    <div class="row">
      <h2 ref=${title} tabindex="-1">${(value ?? known)?.operation ?? requestId}</h2>
      <button type="button" class="quiet" title="Esc" onClick=${onClose}>Close</button>
    </div>
    ${isEvicted ? html`<${Evicted} entry=${known} />` : html`<${ProblemNotice} problem=${problem} />`}
    ${value === null ? problem === null && html`<${Loading} />` : html`<${Whole} ...${props} entry=${value} />`}
  </section>`;
}

/** What the line of an entry says that the server no longer has. */
function Evicted({ entry: { requestId, receivedAt, ...entry } }: { readonly entry: Entry }): VNode {
  return html`<p><${Facts} ...${entry} /></p>
    <p class="soft small"><code>${requestId}</code> · ${receivedAt} · ${schoolWords(entry.school)}</p>
    <p class="notice">The journal no longer has this entry, so its bodies and headers are gone. It evicts the oldest entries to make room; to keep them, download the HAR in time.</p>`;
}

function schoolWords(school: string | null): string {
  return school === null ? 'no school' : `school ${school}`;
}

function Facts({ outcome, status, durationMs }: Pick<Entry, 'outcome' | 'status' | 'durationMs'>): VNode {
  return html`<span class="row"><${OutcomeBadge} outcome=${outcome} /> <span>${status === 0 ? 'no reply' : `HTTP ${status}`} in ${durationMs.toFixed(1)} ms</span></span>`;
}

interface WholeProps extends Props {
  readonly entry: Schemas['Exchange'];
}

function Whole({ sandbox, entry, other, onCompare, onShow }: WholeProps): VNode {
  const { requestId, at, school, key, page, status, assumed, curl } = entry;
  const upstream = useContext(Upstream);
  return html`<p class="row">
      <${Facts} ...${entry} />
      ${assumed.map(
        (name) =>
          html`<${Link} to=${pathTo(sandbox, 'assumptions', { search: name })}><${Badge} tone="plain">? ${name}<//><//>`,
      )}
    </p>
    <p class="soft small">
      <code>${requestId}</code> · ${at} · ${schoolWords(school)} · key <code>${key ?? 'none'}</code>${page !== null && senders[page] !== undefined && ` · sent by ${senders[page]}, so the report does not count it`}
    </p>
    <${Remarks} entry=${entry} />
    <div class="row uses">
      <${CopyButton} text=${withKey(curl, sandbox, school)} what="the request as a curl command" label="Copy as curl" />
      <${SendAgain} sandbox=${sandbox} entry=${entry} onShow=${onShow} />
      ${upstream === null && html`<${FailNextTime} sandbox=${sandbox} operation=${entry.operation} />`}
      <${CompareField} sandbox=${sandbox} entry=${entry} other=${other} onChoose=${onCompare} />
    </div>
    ${other !== null && html`<${ComparisonWith} key=${other} sandbox=${sandbox} other=${other} entry=${entry} />`}
    <div class="pair">
      <div>
        <h3>Request</h3>
        <p><code>${entry.method} ${entry.url}</code></p>
        <${HeaderList} of=${entry.requestHeaders} />
        <${BodyView} label="Request body" text=${entry.request} cut=${entry.cut.request} violations=${entry.violations} />
        ${entry.requestTrailers !== undefined && html`<${HeaderList} of=${entry.requestTrailers} what="trailers" />`}
      </div>
      <div>
        <h3>Response</h3>
        <p><code>${status === 0 ? 'not sent' : status}</code></p>
        <${HeaderList} of=${entry.responseHeaders} />
        <${BodyView} label="Response body" text=${entry.response} cut=${entry.cut.response} violations=${entry.responseViolations} whole="The response" />
      </div>
    </div>`;
}

/** Who sends calls that are not the client's. The guided demo plays a client. */
const senders: Readonly<Record<string, string>> = {
  console: 'the console',
  player: 'the player',
  docs: 'the API reference',
  browser: 'a browser',
};

/** What was unusual about the call. */
function Remarks({ entry }: Pick<WholeProps, 'entry'>): VNode {
  const { faults, hints = [], responseDifferences = [], keyElsewhere } = entry;
  return html`${faults.map(
    ({ fault, phase, rule }) =>
      html`<p class="notice">⚡ <strong>${fault}</strong> ${phase === 'before' ? 'fired before the operation could take effect' : 'fired after the operation took effect'}, ${rule === null ? 'requested by the call itself' : html`by rule <code>${rule}</code>`}.</p>`,
  )}
  ${hints.map(({ pointer, message }) => html`<p class="notice"><code>${pointer}</code>: ${message}</p>`)}
  ${responseDifferences.map(({ pointer, message }) => html`<p class="notice">≠ <code>${pointer === '' ? 'The response' : pointer}</code> ${message}</p>`)}
  ${keyElsewhere.length > 0 && html`<p class="notice bad">The client sent an API key in the ${keyElsewhere.join(' and the ')}. Send keys only in the SERVICE-API-KEY header.</p>`}`;
}

interface HeaderListProps {
  readonly of: Readonly<Record<string, string>>;
  readonly what?: string;
}

function HeaderList({ of, what = 'headers' }: HeaderListProps): VNode {
  const list = Object.entries(of);
  return html`<details>
    <summary>${list.length} ${what}</summary>
    <dl class="headers">${list.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>
  </details>`;
}
