import type { VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html } from '../../html.ts';
import type { Entry } from '../../journal-stream.ts';
import { Badge } from '../../parts/badge.ts';
import { Upstream } from '../../parts/behind-proxy.ts';
import { Button } from '../../parts/button.ts';
import { Empty, Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { identityOf, useJournal, type FollowedJournal, type Gap } from '../../parts/use-journal.ts';
import { useMedia } from '../../parts/use-media.ts';
import { VirtualList } from '../../parts/virtual-list.ts';
import { closeOver, go, goOver, pathTo } from '../../route.ts';
import type { PanelProps } from '../panel.ts';
import { JournalDetail } from './detail.ts';
import { FilterBar } from './filter-bar.ts';
import { filterIn, fitting, queryOf, type Filter } from './filter.ts';
import { JournalRow } from './row.ts';
import { ShortcutsDialog, useShortcuts } from './shortcuts.ts';
import { JournalTools } from './tools.ts';
import { useEvicted } from './use-evicted.ts';
import { useFound, type Found } from './use-found.ts';
import './journal.css';

/** The requests and responses as they happen, with the details of the one that the address names. */
export function JournalPanel({ sandbox, query }: PanelProps): VNode {
  const journal = useJournal(sandbox);
  const { entries, problem, gap, hasOlder, loadOlder, clear } = journal;
  const older = useAction();
  const evicted = useEvicted(sandbox, entries);
  const [isHelping, setHelping] = useState(false);
  const isWide = useMedia('(min-width: 90rem)');
  const isNarrow = useMedia('(max-width: 48rem)');
  /** Whether a line of the list has its badges below the rest. */
  const isTwoLined = isNarrow || (isWide && query.get('request') !== null);
  const place = useRef<HTMLDivElement>(null);
  const filter = filterIn(query);
  const { shown, found, chosen, openEntry, close, step } = useChoice(sandbox, query, journal);
  useShortcuts({
    next: () => step(1),
    previous: () => step(-1),
    close: chosen === null ? null : close,
    search: () => place.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    help: () => setHelping(true),
  });
  const other = query.get('with');
  // A filter looks through all entries, and a link may lead to an old one.
  const isIncomplete =
    Object.values(filter).some((value) => value !== '') ||
    (chosen !== null && (entries?.every(({ requestId }) => requestId !== chosen) ?? false));
  const load = (): void => {
    if (hasOlder && !older.busy) void older.run(loadOlder);
  };
  useEffect(() => {
    if (isIncomplete) load();
  }, [isIncomplete, hasOlder]);
  const setFilter = (wanted: Filter): void =>
    go(
      pathTo(sandbox, 'journal', { ...queryOf(wanted), ...(chosen === null ? {} : { request: chosen }) }),
      'replace',
    );
  const at = (more: Readonly<Record<string, string>>): string =>
    pathTo(sandbox, 'journal', { ...queryOf(filter), ...more });
  const detail =
    chosen !== null &&
    html`<${JournalDetail}
      key=${chosen}
      sandbox=${sandbox}
      requestId=${chosen}
      entries=${entries ?? []}
      other=${other}
      onCompare=${(other: string | null) => openEntry(chosen, other)}
      onShow=${openEntry}
      onClose=${close}
    />`;
  const row = (entry: Entry): VNode =>
    html`<${JournalRow} entry=${entry} to=${at({ request: entry.requestId })} current=${entry.requestId === chosen} isNext=${chosen !== null} isEvicted=${evicted.has(identityOf(entry))} maxBadges=${isTwoLined ? 2 : 4} />`;
  const open = shown.find(({ requestId }) => requestId === chosen);
  return html`<div ref=${place}>
    <div class="row state">
      <${Badge} tone=${problem === null ? 'good' : 'bad'}>${problem === null ? 'live' : 'not live'}<//>
      <span role="status">${entries === null ? '' : count(shown.length, entries.length, hasOlder)}</span>
      ${hasOlder && html`<${Button} type="button" off=${older.busy} onClick=${load}>Load older requests<//>`}
      <${JournalTools} sandbox=${sandbox} onEmptied=${() => clear()} onHelp=${() => setHelping(true)} />
    </div>
    <${ProblemNotice} problem=${problem ?? older.problem ?? found.problem} />
    ${gap !== null && html`<p class="notice">${gapWords[gap]}</p>`}
    ${entries === null && problem === null && html`<${Loading} />`}
    <div class=${chosen === null ? 'journal' : 'journal open'}>
      ${!isWide && detail}
      <section key="list" aria-label="Requests">
        <${FilterBar} entries=${entries ?? []} values=${journal.values} filter=${filter} onChange=${setFilter} />
        ${entries?.length === 0 && html`<${NoRequests} sandbox=${sandbox} />`}
        ${entries !== null && entries.length > 0 && shown.length === 0 && html`<${Empty}>${found.isComplete ? 'No request matches the filter.' : 'Searching the journal …'}<//>`}
        ${shown.length > 0 && html`<${VirtualList} label="Requests, newest first" items=${shown} keyOf=${identityOf} row=${row} rowHeight=${isTwoLined ? 60 : 36} revealed=${open === undefined ? null : identityOf(open)} onEnd=${load} />`}
      </section>
      ${isWide && detail}
    </div>
    ${isHelping && html`<${ShortcutsDialog} onClose=${() => setHelping(false)} />`}
  </div>`;
}

/** What to do to see the first request. */
function NoRequests({ sandbox }: { readonly sandbox: string }): VNode {
  const upstream = useContext(Upstream);
  if (upstream === null)
    return html`<${Empty}>No requests yet. Call an operation of this sandbox to see it here. Find the API keys under <a href=${pathTo(sandbox, 'sandboxes')}>Sandboxes</a>.<//>`;
  return html`<${Empty}>No requests yet. Use <code>${`${location.origin}/public/`}</code> as the URL of the service in your client, with an API key of <code>${upstream}</code>. This page then shows each call and its response.<//>`;
}

const gapWords: Readonly<Record<Gap, string>> = {
  missing:
    'Some requests are missing. While this page was disconnected, the journal received more than it can store.',
  emptied:
    'While this page was disconnected, the journal was emptied, or the server started again. The earlier requests are gone.',
};

interface Choice {
  /** The entries that fit the filter, newest first. */
  readonly shown: readonly Entry[];
  readonly found: Found;
  /** The request id of the open entry; null for none. */
  readonly chosen: string | null;
  /** Opens an entry, compared with another if there is one. */
  readonly openEntry: (requestId: string, other?: string | null) => void;
  /** Closes the entry and moves the focus to its line. */
  readonly close: () => void;
  /** Opens the entry some places below the open one. */
  readonly step: (places: number) => void;
}

function useChoice(sandbox: string, query: URLSearchParams, { entries, round }: FollowedJournal): Choice {
  const chosen = query.get('request');
  const filter = filterIn(query);
  const key = JSON.stringify(filter);
  const found = useFound(sandbox, { text: filter.text, round, newest: entries?.[0]?.requestId });
  const shown = useMemo(
    () => (entries ?? []).filter(fitting(filter, Date.now(), found.ids)),
    [entries, key, found.ids],
  );
  const [left, setLeft] = useState<string | null>(null);
  const at = (more: Readonly<Record<string, string>>): string =>
    pathTo(sandbox, 'journal', { ...queryOf(filter), ...more });
  useEffect(() => {
    if (left === null || chosen !== null) return;
    const line = document.querySelector<HTMLElement>(
      `.exchange[href="${CSS.escape(at({ request: left }))}"]`,
    );
    (line ?? document.querySelector<HTMLElement>('.exchange'))?.focus();
    setLeft(null);
  }, [left, chosen]);
  const openEntry = (requestId: string, other: string | null = null): void => {
    const path = at({ request: requestId, ...(other === null ? {} : { with: other }) });
    if (chosen === null) goOver(path);
    else go(path, 'replace');
  };
  const close = (): void => {
    if (chosen === null) return;
    setLeft(chosen);
    closeOver(at({}));
  };
  const step = (places: number): void => {
    const from = shown.findIndex(({ requestId }) => requestId === chosen);
    const to = shown[from < 0 ? 0 : from + places];
    if (to !== undefined) openEntry(to.requestId);
  };
  return { shown, found, chosen, openEntry, close, step };
}

function count(shown: number, all: number, hasOlder: boolean): string {
  if (hasOlder) return `${shown === all ? 'the' : `${shown} of the`} newest ${all} requests`;
  const word = all === 1 ? 'request' : 'requests';
  return shown === all ? `${all} ${word}` : `${shown} of ${all} ${word}`;
}
