import type { VNode } from 'preact';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';
import { go, pathTo } from '../../route.ts';
import type { PanelProps } from '../panel.ts';
import { Records } from './records.ts';
import { Snapshots } from './snapshots.ts';
import { WholeState } from './whole.ts';
import './state.css';

/** The records and snapshots of a sandbox. */
export function StatePanel({ sandbox: id, query }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(() => ask('get', '/control/sandboxes/{id}/state', { id }), [id]);
  if (value === null) return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  const names = Object.keys(value.collections);
  const collection = names.find((name) => name === query.get('collection')) ?? names[0] ?? '';
  const show = (record: string | null): void => go(pathTo(id, 'state', { collection, ...(record === null ? {} : { record }) }));
  return html`<div class="state">
    <${ProblemNotice} problem=${problem} />
    <${WholeState} sandbox=${id} collections=${value.collections} onChanged=${refresh} />
    <${Snapshots} sandbox=${id} onChanged=${refresh} />
    <h2>Records</h2>
    <div class="collections" role="group" aria-label="Collections">
      ${names.map(
        (name) =>
          html`<button key=${name} type="button" aria-pressed=${name === collection} onClick=${() => go(pathTo(id, 'state', { collection: name }))}>
            ${name} <span class="soft">${value.collections[name]?.length}</span>
          </button>`,
      )}
    </div>
    <${Records}
      key=${collection}
      sandbox=${id}
      collection=${collection}
      records=${value.collections[collection] ?? []}
      shown=${query.get('record')}
      onShow=${show}
      onChanged=${refresh}
    />
  </div>`;
}
