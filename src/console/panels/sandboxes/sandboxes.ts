import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, exchange, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Badge } from '../../parts/badge.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { plainDuration } from '../../parts/duration.ts';
import { keyOf } from '../../parts/key-of.ts';
import { Link } from '../../parts/link.ts';
import { listPage } from '../../parts/list-sandboxes.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { counted, grouped } from '../../parts/paged.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';
import { withSnapshot } from '../../undo.ts';
import type { PanelProps } from '../panel.ts';
import { NewSandboxForm } from './new-sandbox.ts';

/** The number of sandboxes on a page. */
const size = 40;

/** How often the page is loaded, in milliseconds. */
const everyMs = 3000;

/** All sandboxes with their keys, and actions to create, reset and delete them. */
export function SandboxesPanel({ sandbox }: PanelProps): VNode {
  const [making, setMaking] = useState(false);
  /** The cursors of the pages up to the one that is shown; null is that of the first page. */
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const cursor = cursors.at(-1) ?? null;
  const { value, problem, refresh } = useLoad(
    () => listPage(sandbox, cursor, size),
    [sandbox, cursor],
    everyMs,
  );
  const action = useAction();
  const [deleted, setDeleted] = useState<string | null>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone; the next one would delete another sandbox.
  useEffect(() => notice.current?.focus(), [deleted]);
  const act = (work: () => Promise<unknown>): void => {
    setDeleted(null);
    void action.run(work).then(refresh);
  };
  const remove = async (id: string): Promise<void> => {
    setDeleted(null);
    if (await action.run(() => ask('delete', '/control/sandboxes/{sandboxId}', { sandboxId: id })))
      setDeleted(id);
    refresh();
  };
  const permitted = value?.permitted ?? null;
  const isGone = value !== null && !value.isCurrentThere && permitted === null;
  return html`<p class="soft">Sandboxes are isolated from each other: each has its own data, keys, clock, failures, limits and journal.</p>
    ${
      permitted === null
        ? html`<p><button type="button" class="main" onClick=${() => setMaking(true)}>Create sandbox …</button></p>`
        : html`<p class="notice">Your token permits only the sandbox <code>${permitted}</code>. To create or see others, use the control token of the server.</p>`
    }
    <${ProblemNotice} problem=${problem ?? action.problem} />
    ${deleted !== null && html`<p class="notice good" role="status" tabindex="-1" ref=${notice}>Sandbox ${deleted} is deleted.</p>`}
    ${isGone && html`<p class="notice">There is no sandbox <code>${sandbox}</code>: it was deleted, or never existed. Switch to one of these.</p>`}
    ${value === null && problem === null && html`<${Loading} />`}
    ${value !== null && html`<${CursorPager} page=${cursors.length - 1} next=${value.next} total=${value.total} onBack=${() => setCursors((before) => before.slice(0, -1))} onFirst=${() => setCursors([null])} onNext=${(next: string) => setCursors((before) => [...before, next])} />`}
    <div>
      ${(value?.sandboxes ?? []).map((each) => html`<${SandboxCard} key=${each.id} about=${each} current=${each.id === sandbox} busy=${action.busy} act=${act} onDelete=${remove} />`)}
    </div>
    ${making && html`<${NewSandboxForm} onClose=${() => setMaking(false)} onMade=${refresh} />`}`;
}

interface CursorPagerProps {
  /** The number of the page, from 0. */
  readonly page: number;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
  readonly total: number;
  readonly onFirst: () => void;
  readonly onBack: () => void;
  readonly onNext: (cursor: string) => void;
}

/** The buttons that lead to the first page and the neighboring ones: only they have known cursors. */
function CursorPager({ page, next, total, onFirst, onBack, onNext }: CursorPagerProps): VNode | null {
  if (page === 0 && next === null) return null;
  return html`<div class="pages row">
    <${Button} type="button" off=${page === 0} onClick=${onFirst}>First<//>
    <${Button} type="button" off=${page === 0} onClick=${onBack}>Previous<//>
    <span role="status">${`page ${grouped(page + 1)} of ${counted(total, 'sandbox', 'sandboxes')}`}</span>
    <${Button} type="button" off=${next === null} onClick=${() => next !== null && onNext(next)}>Next<//>
  </div>`;
}

interface CardProps {
  readonly about: Schemas['Sandbox'];
  /** Whether the console shows this sandbox. */
  readonly current: boolean;
  readonly busy: boolean;
  /** Runs an action, then reloads the list. */
  readonly act: (work: () => Promise<unknown>) => void;
  readonly onDelete: (id: string) => void;
}

/** One sandbox: its settings and its keys. */
function SandboxCard({ about, current, busy, act, onDelete }: CardProps): VNode {
  const { id, schools, seed, randomSeed, scenario, exchanges, changedRecords, clock, ttlSeconds, baseUrl } =
    about;
  const facts = [
    `seed ${seed}`,
    `random seed ${randomSeed}`,
    `${exchanges} ${exchanges === 1 ? 'request' : 'requests'}`,
    `${changedRecords} changed ${changedRecords === 1 ? 'record' : 'records'}`,
    `clock ${clock.mode === 'frozen' ? `frozen at ${clock.now}` : 'running'}`,
    ...(ttlSeconds === null ? [] : [`deleted ${plainDuration(ttlSeconds)} after its last use`]),
  ];
  return html`<section class="card" aria-label=${`Sandbox ${id}`}>
    <div class="row">
      <h2>${id} ${current && html`<${Badge} tone="info">current<//>`} ${scenario !== null && html`<${Badge} tone="warn">scenario ${scenario}<//>`}</h2>
      ${!current && html`<${Link} to=${pathTo(id, 'sandboxes')}>Switch to this sandbox<//>`}
      <${Link} to=${pathTo(id, 'journal')}>Open journal<//>
    </div>
    <p class="soft small">${facts.join(' · ')}</p>
    <div class="wide" role="region" aria-label=${`Keys of ${id}`} tabindex="0">
      <table>
        <thead>
          <tr><th scope="col">School</th><th scope="col">SERVICE-API-KEY</th></tr>
        </thead>
        <tbody>
          ${schools.map(({ name, slug }) => keyRow(id, name, slug))}
        </tbody>
      </table>
    </div>
    <p class="small">Operations at <code>${baseUrl}/public/…</code> <${CopyButton} text=${baseUrl} what="the server URL" /></p>
    <div class="row">
      <${ConfirmButton} label="Reset sandbox" name=${`Reset sandbox ${id}`} off=${busy} onConfirm=${() => act(() => reset(id))}>Restores all records, restarts the scenario and resets the counters of the rate limits. Deletes the fault rules that you added. Keeps the journal, snapshots, assumptions and clock.<//>
      ${id !== 'default' && html`<${ConfirmButton} label="Delete sandbox" name=${`Delete sandbox ${id}`} off=${busy} onConfirm=${() => onDelete(id)}>Deletes the sandbox with its records (${changedRecords} changed), its journal (${exchanges} ${exchanges === 1 ? 'request' : 'requests'}), snapshots and rules. Keeps all other sandboxes. This cannot be undone.<//>`}
    </div>
  </section>`;
}

function reset(sandboxId: string): Promise<void> {
  return withSnapshot(sandboxId, `Reset the sandbox ${sandboxId} to its seed.`, () =>
    exchange('post', '/control/sandboxes/{sandboxId}/reset', { sandboxId }),
  );
}

function keyRow(id: string, name: string, slug: string): VNode {
  const key = keyOf(id, slug);
  return html`<tr key=${slug}>
    <th scope="row">${name}</th>
    <td><code>${key}</code> <${CopyButton} text=${key} what=${`the key of ${name} in ${id}`} /></td>
  </tr>`;
}
