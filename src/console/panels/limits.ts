import type { VNode } from 'preact';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { ConfirmButton } from '../parts/confirm-button.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoad } from '../parts/use-load.ts';

/** What of each operation's window is used, and by whom. */
export function LimitsPart({ sandbox: id }: { readonly sandbox: string }): VNode {
  const { value, problem, refresh } = useLoad(() => ask('get', '/control/sandboxes/{id}/limits', { id }), [], 1000);
  const { busy, problem: failed, run } = useAction();
  const act = (work: () => Promise<unknown>): void => void run(work).then(refresh);
  const scaleTo = (scale: number | null): void => act(() => ask('put', '/control/sandboxes/{id}/limits', { id }, { scale }));
  const setScale = (event: SubmitEvent): void => {
    event.preventDefault();
    scaleTo(Number(new FormData(event.currentTarget as HTMLFormElement).get('scale')));
  };
  return html`<h2>Limits</h2>
    <${ProblemNotice} problem=${problem ?? failed} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      value !== null &&
      html`<p>${value.scale === null ? 'All limits are switched off.' : `The stated limits, times ${value.scale}.`}</p>
      <div class="row">
        <form class="row" onSubmit=${setScale}>
          <label>Scale <input name="scale" type="number" min="0" step="any" required class="narrow" defaultValue=${value.scale ?? 1} /></label>
          <button disabled=${busy}>Scale all</button>
        </form>
        <button type="button" disabled=${busy || value.scale === 1} onClick=${() => scaleTo(1)}>As stated</button>
        <button type="button" disabled=${busy || value.scale === null} onClick=${() => scaleTo(null)}>Switch off</button>
        <${ConfirmButton} label="Reset counters"  disabled=${busy} onConfirm=${() => act(() => ask('delete', '/control/sandboxes/{id}/limits/counters', { id }))}>Every window starts anew.<//>
      </div>
      <p class="soft small">A new scale replaces limits that were set for single operations.</p>
      <div class="wide" role="region" aria-label="Windows" tabindex="0">
        <table class="windows">
          <thead>
            <tr><th scope="col">Operation</th><th scope="col">Limit</th><th scope="col">Used in the window that runs</th></tr>
          </thead>
          <tbody>
            ${Object.entries(value.operations).map(([name, limit]) => windowRow(name, limit))}
          </tbody>
        </table>
      </div>`
    }`;
}

function windowRow(name: string, { requests, windowSeconds, stated, counters }: Schemas['OperationLimit']): VNode {
  const differs = requests !== stated;
  return html`<tr key=${name}>
    <th scope="row"><code>${name}</code></th>
    <td>
      ${requests === null ? 'none' : `${requests} in ${windowSeconds} s`}
      ${differs && html` <span class="soft small">${stated === null ? 'none stated' : `stated: ${stated}`}</span>`}
    </td>
    <td>${counters.length === 0 ? html`<span class="soft">nothing</span>` : counters.map((counter) => used(name, counter, requests))}</td>
  </tr>`;
}

function used(name: string, { who, used: count }: Schemas['OperationLimit']['counters'][number], requests: number | null): VNode {
  const share = requests === null ? `${count}` : `${count} of ${requests}`;
  return html`<div class="used" key=${who}>
    <span><code>${who}</code> ${share}${requests !== null && count >= requests && html` <strong>full</strong>`}</span>
    ${requests !== null && html`<meter min="0" max=${Math.max(requests, 1)} high=${requests * 0.8} optimum="0" value=${count} aria-label=${`${name}, ${who}: ${share}`}></meter>`}
  </div>`;
}
