import type { TargetedEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Badge } from '../../parts/badge.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { Link } from '../../parts/link.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.ts';
import { OutcomeBadge } from '../../parts/outcome-badge.ts';
import { useAction } from '../../parts/use-action.ts';
import { identityOf, useJournal } from '../../parts/use-journal.ts';
import { useMedia } from '../../parts/use-media.ts';
import { VirtualList } from '../../parts/virtual-list.ts';
import { pathTo } from '../../route.ts';
import type { PanelProps } from '../panel.ts';
import { JournalDetail } from './detail.ts';
import './journal.css';

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
    void run(() => ask('delete', '/control/sandboxes/{sandboxId}/journal', { sandboxId: sandbox })).then(
      (done) => done && clear(),
    );
  const detail =
    chosen !== null && html`<${JournalDetail} key=${chosen} sandbox=${sandbox} requestId=${chosen} />`;
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

/** One line of the journal; links to the details. */
function JournalRow({
  entry,
  to,
  current,
}: {
  readonly entry: Entry;
  readonly to: string;
  readonly current: boolean;
}): VNode {
  const {
    receivedAt,
    operation,
    school,
    status,
    outcome,
    durationMs,
    faults,
    assumed,
    violations,
    responseViolations = [],
    responseDifferences = [],
    hints = [],
  } = entry;
  return html`<${Link} class="exchange" to=${to} current=${current}>
    <time datetime=${receivedAt}>${receivedAt.slice(11, 23)}</time>
    <span class="what">POST <strong>${operation}</strong> <span class="soft">${school ?? 'no school'}</span></span>
    <span class="number">${status === 0 ? 'no response' : status}</span>
    <span class="number soft">${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms</span>
    <span class="badges">
      <${OutcomeBadge} outcome=${outcome} />
      ${violations.length > 0 && html`<${Badge} tone="bad">${violations.length} ${violations.length === 1 ? 'violation' : 'violations'}<//>`}
      ${responseViolations.length > 0 && html`<${Badge} tone="bad" title="the response violates the contract">${responseViolations.length} in the response<//>`}
      ${responseDifferences.length > 0 && html`<${Badge} tone="warn" title="the response differs from the sandbox's assumptions">≠ ${responseDifferences.length}<//>`}
      ${hints.length > 0 && html`<${Badge} tone="warn" title="likely mistakes that did not fail the call">${hints.length} ${hints.length === 1 ? 'hint' : 'hints'}<//>`}
      ${faults.map(({ fault, rule }) => html`<${Badge} tone="warn" title=${rule === null ? 'requested by the call' : `rule ${rule}`}>⚡ ${fault}<//>`)}
      ${assumed.map((name) => html`<${Badge} tone="plain" title="an assumption that affected the response">? ${name}<//>`)}
    </span>
  <//>`;
}

/** Conditions for the list; an empty string is no condition. */
interface Filter {
  readonly operation: string;
  readonly outcome: string;
  readonly text: string;
}

const noFilter: Filter = { operation: '', outcome: '', text: '' };

function fits(entry: Entry, { operation, outcome, text }: Filter): boolean {
  if (operation !== '' && entry.operation !== operation) return false;
  if (outcome !== '' && entry.outcome !== outcome) return false;
  if (text === '') return true;
  const wanted = text.toLowerCase();
  const { requestId, school, url, request, response, faults, assumed } = entry;
  const places = [
    requestId,
    school ?? '',
    url,
    ...assumed,
    ...faults.map(({ fault, rule }) => `${fault} ${rule ?? ''}`),
    request,
    response,
  ];
  return places.some((place) => place.toLowerCase().includes(wanted));
}

interface BarProps {
  readonly entries: readonly Entry[];
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** The filters; they offer only values that occur. */
function FilterBar({ entries, filter, onChange }: BarProps): VNode {
  const operations = useMemo(
    () =>
      known(
        entries.map(({ operation }) => operation),
        filter.operation,
      ),
    [entries, filter.operation],
  );
  const outcomes = useMemo(
    () =>
      known(
        entries.map(({ outcome }) => outcome),
        filter.outcome,
      ),
    [entries, filter.outcome],
  );
  const set = (name: keyof Filter) => (event: TargetedEvent<HTMLInputElement>) =>
    onChange({ ...filter, [name]: event.currentTarget.value });
  const choice = (name: 'operation' | 'outcome', label: string, options: readonly string[]): VNode =>
    html`<select aria-label=${label} value=${filter[name]} onChange=${set(name)}>
      <option value="">every ${name}</option>
      ${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
    </select>`;
  return html`<div class="row filters" role="search" aria-label="Filter requests">
    ${choice('operation', 'Operation', operations)} ${choice('outcome', 'Outcome', outcomes)}
    <input type="search" aria-label="Text" placeholder="Search in bodies, ids, schools …" value=${filter.text} onInput=${set('text')} />
  </div>`;
}

function known(values: readonly string[], chosen: string): readonly string[] {
  return [...new Set(chosen === '' ? values : [chosen, ...values])].toSorted();
}
