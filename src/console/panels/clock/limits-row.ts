import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { formText } from '../../parts/form-text.ts';

interface Props {
  readonly name: string;
  readonly limit: Schemas['OperationLimit'];
  /** Whether a limit can be set now. */
  readonly settable: boolean;
  /** Sets the requests per window before scaling; null restores the documented limit. */
  readonly onSet: (requests: number | null) => void;
}

/** One operation's limit, its use in the current window, and a field to override it. */
export function LimitRow({ name, limit, settable, onSet }: Props): VNode {
  const { requests, windowSeconds, stated, own, counters } = limit;
  const differs = requests !== stated;
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td>
      ${requests === null ? 'none' : `${requests} in ${windowSeconds} s`}
      ${differs && html` <span class="soft small">${stated === null ? 'documented: none' : `documented: ${stated}`}</span>`}
    </td>
    <td>${counters.length === 0 ? html`<span class="soft">unused</span>` : counters.map((counter) => used(name, counter, requests))}</td>
    <td><${OwnLimit} key=${own} name=${name} own=${own} stated=${stated} settable=${settable} onSet=${onSet} /></td>
  </tr>`;
}

type OwnProps = Omit<Props, 'limit'> & Pick<Props['limit'], 'own' | 'stated'>;

function OwnLimit({ name, own, stated, settable, onSet }: OwnProps): VNode {
  const set = (event: SubmitEvent): void => {
    event.preventDefault();
    onSet(Number(formText(new FormData(event.currentTarget as HTMLFormElement), 'requests')));
  };
  return html`<form class="row own" onSubmit=${set}>
    <input
      name="requests"
      type="number"
      min="1"
      required
      class="narrow"
      disabled=${!settable}
      defaultValue=${own ?? ''}
      placeholder=${stated ?? ''}
      aria-label=${`Custom limit for ${name}`}
    />
    <button disabled=${!settable} aria-label=${`Set limit for ${name}`}>Set limit</button>
    ${
      own !== null &&
      html`<button type="button" disabled=${!settable} aria-label=${`Clear limit for ${name}`} onClick=${() => onSet(null)}>Clear limit</button>`
    }
  </form>`;
}

function used(name: string, { who, used: count }: Schemas['OperationLimit']['counters'][number], requests: number | null): VNode {
  const share = requests === null ? `${count}` : `${count} of ${requests}`;
  return html`<div class="used" key=${who}>
    <span><code>${who}</code> ${share}${requests !== null && count >= requests && html` <strong>full</strong>`}</span>
    ${requests !== null && html`<meter min="0" max=${Math.max(requests, 1)} high=${requests * 0.8} optimum="0" value=${count} aria-label=${`${name}, ${who}: ${share}`}></meter>`}
  </div>`;
}
