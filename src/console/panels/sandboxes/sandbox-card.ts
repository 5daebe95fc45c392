import type { VNode } from 'preact';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { keyOf } from '../../parts/key-of.ts';
import { Link } from '../../parts/link.ts';
import { pathTo } from '../../route.ts';

interface CardProps {
  readonly about: Schemas['Sandbox'];
  /** Whether the console shows this sandbox. */
  readonly current: boolean;
  readonly busy: boolean;
  /** Runs an action, then reloads the list. */
  readonly act: (work: () => Promise<unknown>) => void;
}

/** One sandbox: its settings and its keys. */
export function SandboxCard({ about, current, busy, act }: CardProps): VNode {
  const { id, schools, seed, randomSeed, scenario, exchanges, changedRecords, clock, ttlSeconds, baseUrl } = about;
  const facts = [
    `seed ${seed}`,
    `random seed ${randomSeed}`,
    `${exchanges} ${exchanges === 1 ? 'request' : 'requests'}`,
    `${changedRecords} changed ${changedRecords === 1 ? 'record' : 'records'}`,
    `clock ${clock.mode === 'frozen' ? `frozen at ${clock.now}` : 'running'}`,
    ...(ttlSeconds === null ? [] : [`deleted after ${ttlSeconds} s without use`]),
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
      <${ConfirmButton} label="Reset sandbox" name=${`Reset sandbox ${id}`} disabled=${busy} onConfirm=${() => act(() => ask('post', '/control/sandboxes/{id}/reset', { id }))}>Restores all records, restarts the scenario and resets the counters of the rate limits. Deletes the fault rules that you added. Keeps the journal, snapshots, assumptions and clock.<//>
      ${id !== 'default' && html`<${ConfirmButton} label="Delete sandbox" name=${`Delete sandbox ${id}`} disabled=${busy} onConfirm=${() => act(() => ask('delete', '/control/sandboxes/{id}', { id }))}>Deletes the sandbox with its records, journal, snapshots and rules. Keeps all other sandboxes.<//>`}
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
