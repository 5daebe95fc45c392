import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ask, type ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { ConfirmButton } from '../../parts/confirm-button.ts';
import { WrongAt, wrongAt } from '../../parts/field.ts';
import { formText } from '../../parts/form-text.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useInvalidFocus } from '../../parts/use-invalid-focus.ts';
import { useLoad } from '../../parts/use-load.ts';

/** The rate limits and their use by key. */
export function LimitsPart({ sandbox: id }: { readonly sandbox: string }): VNode {
  const { value, problem, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/limits', { sandboxId: id }),
    [],
    1000,
  );
  const { busy, problem: failed, run } = useAction();
  const place = useInvalidFocus(failed);
  const act = (work: () => Promise<unknown>): void => void run(work).then(refresh);
  const own = ownLimits(value?.operations ?? {});
  const put = (setting: Schemas['LimitSetting']): void =>
    act(() => ask('put', '/control/sandboxes/{sandboxId}/limits', { sandboxId: id }, setting));
  const scaleTo = (scale: number | null): void => put({ scale, operations: own });
  const setOwn = (name: string, requests: number | null): void => {
    const { [name]: _, ...others } = own;
    put({
      scale: value?.scale ?? null,
      operations: requests === null ? others : { ...others, [name]: requests },
    });
  };
  const setScale = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    scaleTo(Number(new FormData(event.currentTarget).get('scale')));
  };
  return html`<h2>Limits</h2>
    <${ProblemNotice} problem=${problem ?? failed} fields=${['/scale', ...Object.keys(value?.operations ?? {}).map((name) => `/operations/${name}`)]} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      value !== null &&
      html`<p>${value.scale === null ? 'Rate limits are off.' : `The documented limits × ${value.scale}.`}</p>
      <div class="row">
        <form class="row" onSubmit=${setScale} ref=${place}>
          <label>Scale <input name="scale" type="number" step="any" required class="narrow" defaultValue=${value.scale ?? 1} aria-describedby="scale-wrong" aria-invalid=${wrongAt('/scale', failed).length > 0} /></label>
          <${Button} off=${busy}>Scale limits<//>
          <${WrongAt} id="scale-wrong" pointer="/scale" problem=${failed} />
        </form>
        <${Button} type="button" off=${busy || (value.scale === 1 && Object.keys(own).length === 0)} onClick=${() => put({ scale: 1 })}>Restore documented limits<//>
        <${Button} type="button" off=${busy || value.scale === null} onClick=${() => scaleTo(null)}>Turn off limits<//>
        <${ConfirmButton} label="Reset counters" off=${busy} onConfirm=${() => act(() => ask('delete', '/control/sandboxes/{sandboxId}/limits/counters', { sandboxId: id }))}>Sets the request counters of all keys and operations to zero. Keeps the limits.<//>
      </div>
      <p class="soft small">Custom limits are scaled too. “Restore documented limits” removes them.</p>
      <div class="wide" role="region" aria-label="Rate limits" tabindex="0">
        <table class="windows">
          <thead>
            <tr><th scope="col">Operation</th><th scope="col">Limit</th><th scope="col">Used in the current window</th><th scope="col">Custom limit</th></tr>
          </thead>
          <tbody>
            ${Object.entries(value.operations).map(
              ([name, limit]) =>
                html`<${LimitRow} key=${name} name=${name} limit=${limit} problem=${failed} busy=${busy} settable=${value.scale !== null} onSet=${(requests: number | null) => setOwn(name, requests)} />`,
            )}
          </tbody>
        </table>
      </div>`
    }`;
}

/** Returns the custom limits before scaling. */
function ownLimits(operations: Schemas['Limits']['operations']): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, { own }]) => (own === null ? [] : [[name, own]])),
  );
}

interface RowProps {
  readonly name: string;
  readonly limit: Schemas['OperationLimit'];
  readonly busy: boolean;
  readonly problem: ControlProblem | null;
  /** Whether a limit can be set now. */
  readonly settable: boolean;
  /** Sets the requests per window before scaling; null restores the documented limit. */
  readonly onSet: (requests: number | null) => void;
}

/** One operation's limit, its use in the current window, and a field to override it. */
function LimitRow({ name, limit, busy, problem, settable, onSet }: RowProps): VNode {
  const { requests, windowSeconds, stated, own, counters } = limit;
  const differs = requests !== stated;
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td>
      ${requests === null ? 'none' : `${requests} in ${windowSeconds} s`}
      ${differs && html` <span class="soft small">${stated === null ? 'documented: none' : `documented: ${stated}`}</span>`}
    </td>
    <td>${counters.length === 0 ? html`<span class="soft">unused</span>` : counters.map((counter) => used(name, counter, requests))}</td>
    <td><${OwnLimit} name=${name} own=${own} stated=${stated} busy=${busy} problem=${problem} settable=${settable} onSet=${onSet} /></td>
  </tr>`;
}

type OwnProps = Omit<RowProps, 'limit'> & Pick<RowProps['limit'], 'own' | 'stated'>;

function OwnLimit({ name, own, stated, busy, problem, settable, onSet }: OwnProps): VNode {
  const place = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (place.current !== null) place.current.value = String(own ?? '');
  }, [own]);
  const set = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSet(Number(formText(new FormData(event.currentTarget), 'requests')));
  };
  return html`<form class="row own" onSubmit=${set}>
    <input
      ref=${place}
      name="requests"
      type="number"
      min="1"
      required
      class="narrow"
      disabled=${!settable}
      placeholder=${stated ?? ''}
      aria-label=${`Custom limit for ${name}`}
      aria-describedby=${`${name}-wrong`}
      aria-invalid=${wrongAt(`/operations/${name}`, problem).length > 0}
    />
    <${Button} off=${busy || !settable} aria-label=${`Set limit for ${name}`}>Set limit<//>
    ${
      own !== null &&
      html`<${Button} type="button" off=${busy || !settable} aria-label=${`Clear limit for ${name}`} onClick=${() => onSet(null)}>Clear limit<//>`
    }
    <${WrongAt} id=${`${name}-wrong`} pointer=${`/operations/${name}`} problem=${problem} />
  </form>`;
}

function used(
  name: string,
  { who, used: count }: Schemas['OperationLimit']['counters'][number],
  requests: number | null,
): VNode {
  const share = requests === null ? `${count}` : `${count} of ${requests}`;
  return html`<div class="used" key=${who}>
    <span><code>${who}</code> ${share}${requests !== null && count >= requests && html` <strong>full</strong>`}</span>
    ${requests !== null && html`<meter min="0" max=${Math.max(requests, 1)} high=${requests * 0.8} optimum="0" value=${count} aria-label=${`${name}, ${who}: ${share}`}></meter>`}
  </div>`;
}
