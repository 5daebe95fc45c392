import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Evidence } from './evidence.ts';

type Check = Schemas['ConductCheck'];

const verdicts: Readonly<Record<Check['verdict'], { readonly sign: string; readonly word: string; readonly look: string }>> = {
  failed: { sign: '✗', word: 'failed', look: 'broken' },
  passed: { sign: '✓', word: 'passed', look: 'kept' },
  'not-exercised': { sign: '○', word: 'not exercised', look: 'open' },
};

/** The checks of the client's conduct; failed ones come first. */
export function Conduct({ sandbox, checks }: { readonly sandbox: string; readonly checks: readonly Check[] }): VNode {
  const order = Object.keys(verdicts);
  const sorted = checks.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
  return html`<div>${sorted.map((check) => html`<${CheckCard} key=${check.check} sandbox=${sandbox} check=${check} />`)}</div>`;
}

function CheckCard({ sandbox, check }: { readonly sandbox: string; readonly check: Check }): VNode {
  const { title, rule, verdict, message, findings, exercise } = check;
  const { sign, word, look } = verdicts[verdict];
  return html`<details class=${`check ${look}`} open=${verdict === 'failed'}>
    <summary>
      <span class="sign"><span aria-hidden="true">${sign} </span>${word}</span>
      <strong>${` ${title}`}</strong> <span class="soft">${message}</span>
    </summary>
    <p>${rule}</p>
    ${verdict === 'not-exercised' && html`<p class="soft">${exercise}</p>`}
    <ul>
      ${findings.map(
        ({ operation, message: finding, evidence }) =>
          html`<li key=${`${operation} ${finding}`}>
            <code>${operation}</code> ${finding} <${Evidence} sandbox=${sandbox} requestIds=${evidence.map(({ requestId }) => requestId)} />
          </li>`,
      )}
    </ul>
  </details>`;
}
