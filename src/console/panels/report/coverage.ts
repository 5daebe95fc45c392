import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';

type Report = Schemas['Report'];

/** The number of calls by operation and outcome. */
export function Coverage({ coverage, neverCalled }: Pick<Report, 'coverage' | 'neverCalled'>): VNode {
  const outcomes = [...new Set(['ok', 'element-error', ...coverage.flatMap((one) => Object.keys(one.outcomes))])];
  const missed = new Set(neverCalled);
  return html`<div class="wide" tabindex="0" role="region" aria-label="Coverage">
    <table class="grid">
      <caption>
        Calls by operation and outcome. ${neverCalled.length > 0 && `${neverCalled.length} operations were never called.`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          ${outcomes.map((outcome) => html`<th key=${outcome} scope="col" class="number">${outcome}</th>`)}
          <th scope="col">Faults received</th>
        </tr>
      </thead>
      <tbody>
        ${coverage.map(
          ({ operation, outcomes: counts, faults }) =>
            html`<tr key=${operation}>
              <th scope="row">${operation} ${missed.has(operation) && html`<span class="soft">never called</span>`}</th>
              ${outcomes.map((outcome) => html`<${Count} key=${outcome} count=${counts[outcome] ?? 0} isWell=${outcome === 'ok'} />`)}
              <td>
                ${Object.entries(faults)
                  .map(([fault, count]) => `${fault} ${count}`)
                  .join(', ')}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function Count({ count, isWell }: { readonly count: number; readonly isWell: boolean }): VNode {
  if (count === 0) return html`<td class="number none">–</td>`;
  return html`<td class=${isWell ? 'number met well' : 'number met'}>${count}</td>`;
}
