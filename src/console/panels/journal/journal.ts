import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Badge } from '../../parts/badge.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { identityOf, useJournal } from '../../parts/use-journal.ts';
import { useMedia } from '../../parts/use-media.ts';
import { VirtualList } from '../../parts/virtual-list.ts';
import { pathTo } from '../../route.ts';
import './journal.css';
import { fits, FilterBar, noFilter } from './filter.ts';
import { JournalDetail } from './detail.ts';
import { JournalRow } from './row.ts';
import type { PanelProps } from '../panel.ts';

/** The requests and responses as they happen, with the details of the one that the address names. */
export function JournalPanel({ sandbox, query }: PanelProps): VNode {
  const { entries, problem, hasGap, clear } = useJournal(sandbox);
  const [filter, setFilter] = useState(noFilter);
  const { busy, problem: failed, run } = useAction();
  const isWide = useMedia('(min-width: 90rem)');
  const isNarrow = useMedia('(max-width: 48rem)');
  const shown = useMemo(() => (entries ?? []).filter((entry) => fits(entry, filter)), [entries, filter]);
  const chosen = query.get('request');
  const empty = (): void =>
    void run(() => ask('delete', '/control/sandboxes/{id}/journal', { id: sandbox })).then((done) => done && clear());
  const detail = chosen !== null && html`<${JournalDetail} key=${chosen} sandbox=${sandbox} requestId=${chosen} />`;
  const row = (entry: Entry): VNode =>
    html`<${JournalRow} entry=${entry} to=${pathTo(sandbox, 'journal', { request: entry.requestId })} current=${entry.requestId === chosen} />`;
  return html`<div class="row state">
      <${Badge} tone=${problem === null ? 'good' : 'bad'}>${problem === null ? 'live' : 'not live'}<//>
      <span role="status">${entries === null ? '' : count(shown.length, entries.length)}</span>
      <${ConfirmButton} label="Empty journal" disabled=${busy} onConfirm=${empty}>Deletes all requests in the journal of this sandbox; the report no longer counts them. Keeps everything else.<//>
    </div>
    <${ProblemNotice} problem=${problem ?? failed} />
    ${hasGap && html`<p class="notice">Some requests are missing. While this page was disconnected, the journal received more than it can store.</p>`}
    ${entries === null && problem === null && html`<${Loading} />`}
    <div class=${chosen === null ? 'journal' : 'journal open'}>
      ${!isWide && detail}
      <section key="list" aria-label="Requests">
        <${FilterBar} entries=${entries ?? []} filter=${filter} onChange=${setFilter} />
        ${entries?.length === 0 && html`<${Empty}>No requests yet. Call an operation of this sandbox to see it here. Find the API keys under <a href=${pathTo(sandbox, 'sandboxes')}>Sandboxes</a>.<//>`}
        ${entries !== null && entries.length > 0 && shown.length === 0 && html`<${Empty}>No request matches the filter.<//>`}
        ${shown.length > 0 && html`<${VirtualList} label="Requests, newest first" items=${shown} keyOf=${identityOf} row=${row} rowHeight=${isNarrow ? 60 : 36} />`}
      </section>
      ${isWide && detail}
    </div>`;
}

function count(shown: number, all: number): string {
  const word = all === 1 ? 'request' : 'requests';
  return shown === all ? `${all} ${word}` : `${shown} of ${all} ${word}`;
}
