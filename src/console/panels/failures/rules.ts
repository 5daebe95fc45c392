import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Empty } from '../../parts/notice.ts';

type Rule = Schemas['FaultRule'];

interface Props {
  readonly rules: readonly Rule[];
  readonly onEdit: (rule: Rule) => void;
  readonly onRemove: (id: string) => void;
}

/** The rules in the order of evaluation, with their counters. */
export function RuleTable({ rules, onEdit, onRemove }: Props): VNode {
  if (rules.length === 0)
    return html`<${Empty}>No rules. Calls fail only if they request it themselves, with a header or a magic identifier.<//>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Rules">
    <table class="rules">
      <caption>
        Rules are tried from top to bottom; the first one that fires wins. The counters refresh every two seconds.
      </caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Fault</th>
          <th scope="col">Calls</th>
          <th scope="col">When</th>
          <th scope="col" class="number">Matched</th>
          <th scope="col" class="number">Fired</th>
          <th scope="col"><span class="unseen">Actions</span></th>
        </tr>
      </thead>
      <tbody>
        ${rules.map((rule) => html`<${RuleRow} key=${rule.id} rule=${rule} onEdit=${onEdit} onRemove=${onRemove} />`)}
      </tbody>
    </table>
  </div>`;
}

function RuleRow({ rule, onEdit, onRemove }: Omit<Props, 'rules'> & { readonly rule: Rule }): VNode {
  const { id, scenario, fault, with: given = {}, phase, operation = '*', match, when, matched, fired } = rule;
  return html`<tr>
    <th scope="row">
      <code>${id}</code>
      ${scenario !== null && html`<div class="soft">from scenario ${scenario}</div>`}
    </th>
    <td>
      <code>${fault}</code> ${words(given)} ${phase !== undefined && html`<span class="soft">phase ${phase}</span>`}
    </td>
    <td>
      ${operation === '*' ? 'every operation' : [operation].flat().join(', ')}
      ${match !== undefined && html`<div class="soft">only if ${words(match)}</div>`}
    </td>
    <td>${when === undefined ? 'always' : words(when)}</td>
    <td class="number">${matched}</td>
    <td class="number">${fired}</td>
    <td>
      <div class="row">
      <button type="button" aria-label=${`Edit rule ${id}`} onClick=${() => onEdit(rule)}>Edit rule</button>
      <button type="button" aria-label=${`Delete rule ${id}`} onClick=${() => onRemove(id)}>Delete rule</button>
      </div>
    </td>
  </tr>`;
}

/** Formats named values as short text. */
function words(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
