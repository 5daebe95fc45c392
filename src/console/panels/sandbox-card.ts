import type { VNode } from 'preact';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { Badge } from '../parts/badge.ts';
import { ConfirmButton } from '../parts/confirm-button.ts';
import { CopyButton } from '../parts/copy-button.ts';
import { keyOf } from '../parts/key-of.ts';
import { Link } from '../parts/link.ts';
import { pathTo } from '../route.ts';

interface CardProps {
  readonly about: Schemas['Sandbox'];
  /** Whether it is the one that the console shows. */
  readonly current: boolean;
  readonly busy: boolean;
  /** Does something to a sandbox, and shows what became of it. */
  readonly act: (work: () => Promise<unknown>) => void;
}

/** One sandbox: what it is like, and its keys. */
export function SandboxCard({ about, current, busy, act }: CardProps): VNode {
  const { id, schools, seed, randomSeed, scenario, exchanges, changedRecords, clock, ttlSeconds, baseUrl } = about;
  const facts = [
    `seed ${seed}`,
    `random seed ${randomSeed}`,
    `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`,
    `${changedRecords} changed ${changedRecords === 1 ? 'record' : 'records'}`,
    `clock ${clock.mode === 'frozen' ? `frozen at ${clock.now}` : 'running'}`,
    ...(ttlSeconds === null ? [] : [`goes away after ${ttlSeconds} s without use`]),
  ];
  return html`<section class="card" aria-label=${`Sandbox ${id}`}>
    <div class="row">
      <h2>${id} ${current && html`<${Badge} tone="info">shown now<//>`} ${scenario !== null && html`<${Badge} tone="warn">scenario ${scenario}<//>`}</h2>
      ${!current && html`<${Link} to=${pathTo(id, 'sandboxes')}>Switch to it<//>`}
      <${Link} to=${pathTo(id, 'journal')}>Journal<//>
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
    <p class="small">Operations at <code>${baseUrl}/public/…</code> <${CopyButton} text=${baseUrl} what="the URL of the server" /></p>
    <div class="row">
      <${ConfirmButton} label="Reset" name=${`Reset ${id}`}  disabled=${busy} onConfirm=${() => act(() => ask('post', '/control/sandboxes/{id}/reset', { id }))}>Its data goes back to the seed, limits and the scenario start anew, and rules that were added alone are gone. Journal, snapshots and assumptions stay.<//>
      ${id !== 'default' && html`<${ConfirmButton} label="Remove" name=${`Remove ${id}`}  disabled=${busy} onConfirm=${() => act(() => ask('delete', '/control/sandboxes/{id}', { id }))}>It goes with all that is in it.<//>`}
    </div>
  </section>`;
}

function keyRow(id: string, name: string, slug: string): VNode {
  const key = keyOf(id, slug);
  return html`<tr key=${slug}>
    <th scope="row">${name}</th>
    <td><code>${key}</code> <${CopyButton} text=${key} what=${`the key of ${name} in ${id}`} /></td>
  </tr>`;
}
