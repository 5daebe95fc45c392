import type { VNode } from 'preact';
import type { Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Badge } from '../../parts/badge.ts';
import { Empty } from '../../parts/notice.ts';
import { whyNever } from './never-fires.ts';
import { scopeOf } from './rule-from.ts';

type Rule = Schemas['FaultRule'];

interface Props {
  readonly rules: readonly Rule[];
  readonly onEdit: (rule: Rule) => void;
  readonly onRemove: (id: string) => void;
  /** Resets the counters of a rule that can no longer fire. */
  readonly onRearm: (id: string) => void;
}

/** The rules in the order of evaluation, with their counters. */
export function RuleTable({ rules, ...actions }: Props): VNode {
  if (rules.length === 0)
    return html`<${Empty}>No rules. Calls fail only if they request it themselves, with a header or a magic identifier.<//>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Rules">
    <table class="rules stack">
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
        ${rules.map((rule) => html`<${RuleRow} key=${rule.id} rule=${rule} ...${actions} />`)}
      </tbody>
    </table>
  </div>`;
}

interface RowProps extends Omit<Props, 'rules'> {
  readonly rule: Rule;
}

function RuleRow({ rule, onEdit, onRemove, onRearm }: RowProps): VNode {
  const { id, scenario, fault, with: given = {}, phase, operation = '*', match, when, matched, fired } = rule;
  const never = whyNever(rule);
  const why =
    never === null
      ? 'The conditions of this rule are used up, so it no longer fires.'
      : `This rule can never fire, because ${never}.`;
  return html`<tr class=${rule.canFire ? '' : 'inactive'}>
    <th scope="row">
      <code>${id}</code>
      ${!rule.canFire && html` <${Badge} tone="plain" title=${why}>inactive<//>`}
      ${never !== null && html`<div class="soft small">never fires: ${never}</div>`}
      ${scenario !== null && html`<div class="soft">from scenario ${scenario}</div>`}
    </th>
    <td data-title="Fault">
      <code>${fault}</code> ${words(given)} ${phase !== undefined && html`<span class="soft">phase ${phase}</span>`}
    </td>
    <td data-title="Calls">
      ${operation === '*' ? 'every operation' : [operation].flat().join(', ')}
      ${match !== undefined && html`<div class="soft">only if ${words(match)}</div>`}
    </td>
    <td data-title="When">${timingOf(when)}</td>
    <td data-title="Matched" class="number">${matched}</td>
    <td data-title="Fired" class="number">${fired}</td>
    <td>
      <div class="row">
      ${!rule.canFire && never === null && html`<button type="button" aria-label=${`Arm rule ${id} again`} onClick=${() => onRearm(id)}>Arm again</button>`}
      <button type="button" aria-label=${`Edit rule ${id}`} onClick=${() => onEdit(rule)}>Edit rule</button>
      <button type="button" aria-label=${`Delete rule ${id}`} onClick=${() => onRemove(id)}>Delete rule</button>
      </div>
    </td>
  </tr>`;
}

function timingOf(when: Rule['when']): string {
  const scope = scopeOf(when);
  if (scope === 'next') return 'next call';
  return scope === 'every' ? 'every call' : words(when ?? {});
}

/** Formats named values as short text. */
function words(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
