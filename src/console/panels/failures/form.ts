import type { TargetedSubmitEvent, VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Outcome, useDoing, type Said } from '../../parts/doing.ts';
import { ChoiceField, InputField } from '../../parts/field.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { patchBetween } from '../../parts/patch-between.ts';
import { Prose } from '../../parts/prose.ts';
import { useInvalidFocus } from '../../parts/use-invalid-focus.ts';
import { useLoad } from '../../parts/use-load.ts';
import { Aim, MoreConditions, WhichCalls, type Choices } from './aim.ts';
import { whyIdle } from './never-fires.ts';
import { asAsked, atFields, groupTitles, ruleFrom, scopeOf, timings, type Scope } from './rule-from.ts';

/** A rule being edited: a new rule with initial values, or an existing rule. */
export type Draft =
  | { readonly kind: 'new'; readonly rule: Partial<Schemas['NewFaultRule']> }
  | { readonly kind: 'change'; readonly rule: Schemas['FaultRule'] };

interface Props {
  readonly sandbox: string;
  readonly draft: Draft;
  /** Called with a message for the user after the rule is saved. */
  readonly onDone: (said: Said) => void;
}

async function loadChoices(id: string): Promise<Choices> {
  const [{ faults }, { operations }, { schools }] = await Promise.all([
    ask('get', '/control/faults', {}),
    ask('get', '/control/sandboxes/{sandboxId}/limits', { sandboxId: id }),
    ask('get', '/control/sandboxes/{sandboxId}', { sandboxId: id }),
  ]);
  return { faults, operations: Object.keys(operations), schools };
}

/** A form for a rule. It explains every fault and has a field for each parameter. */
export function RuleForm(props: Props): VNode {
  const { sandbox } = props;
  const { value, problem } = useLoad(() => loadChoices(sandbox), [sandbox]);
  if (value === null)
    return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  return html`<${Form} ...${props} choices=${value} />`;
}

function Form({ sandbox: id, draft, onDone, choices }: Props & { readonly choices: Choices }): VNode {
  const { kind, rule: begun } = draft;
  const [chosen, setName] = useState(begun.fault);
  const [scope, setScope] = useState(() => scopeOf(begun.when));
  const doing = useDoing();
  const problem = useMemo(() => atFields(doing.problem), [doing.problem]);
  const place = useInvalidFocus(problem);
  // The fields come after the dialog, or the form, was opened.
  useEffect(() => place.current?.querySelector<HTMLElement>('input:checked, select')?.focus(), []);
  const fault = choices.faults.find((one) => one.name === chosen) ?? choices.faults[0];
  const name = fault?.name ?? '';

  const save = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (fault === undefined) return;
    const form = new FormData(event.currentTarget);
    const result: { said: Said } = { said: '' };
    const act = async (): Promise<void> => {
      const rule = await send(id, draft, ruleFrom(form, fault));
      const idle = whyIdle(rule);
      result.said =
        idle === null
          ? doneWords(kind, rule)
          : { warning: `${kind === 'new' ? 'Added' : 'Saved'} rule ${rule.id}. ${idle}` };
    };
    if (await doing.run(act, () => result.said)) onDone(result.said);
  };

  return html`<form class=${kind === 'new' ? 'card rule-form' : 'rule-form'} aria-label=${kind === 'new' ? 'New rule' : 'Edit rule'} onSubmit=${save} ref=${place}>
    <${WhichCalls} begun=${begun} scope=${scope} onChoose=${setScope} problem=${problem} />
    <div class="fields">
      <${FaultField} faults=${choices.faults} chosen=${name} onChoose=${setName} />
      <${Aim} choices=${choices} begun=${begun} problem=${problem} />
    </div>
    <p><${Prose} text=${fault?.summary ?? ''} /></p>
    <div class="fields" key=${name}>
      ${fault?.parameters.map(
        ({ name: parameter, help, form, takes, standard }) =>
          html`<${InputField}
            key=${parameter}
            label=${parameter}
            name=${`with.${parameter}`}
            type=${takes}
            placeholder=${standard === null ? '' : String(standard)}
            value=${fault.name === begun.fault ? asText(begun.with?.[parameter]) : ''}
            help=${`${help}; ${form}`}
            pointer=${`/with/${parameter}`}
            problem=${problem}
          />`,
      )}
    </div>
    <${MoreConditions} choices=${choices} begun=${begun} phase=${fault?.phase} mayName=${kind === 'new'} problem=${problem} />
    <${Explained} faults=${choices.faults} />
    <${Outcome} doing=${doing} fields=${fieldsOf(fault, scope)} />
    <${Button} class="main" off=${doing.busy}>${kind === 'new' ? 'Add rule' : 'Save rule'}<//>
  </form>`;
}

function doneWords(kind: Draft['kind'], { id, fault, when = {} }: Schemas['FaultRule']): string {
  if (kind === 'change') return `Saved rule ${id} and reset its counters.`;
  const { between } = when;
  return between === undefined
    ? `Added rule ${id}: ${fault}.`
    : `Added rule ${id}: ${fault}, from ${between[0]} to ${between[1]}.`;
}

/** Returns the pointers to what the form has a field for. */
function fieldsOf(fault: Schemas['Fault'] | undefined, scope: Scope): readonly string[] {
  const parameters = (fault?.parameters ?? []).map(({ name }) => `/with/${name}`);
  const when = [...timings.map(([name]) => `/when/${name}`), '/when/between'];
  return [
    ...parameters,
    '/operation',
    '/match/key',
    '/match/parameters',
    '/id',
    ...(scope === 'some' ? when : []),
  ];
}

function send(id: string, draft: Draft, rule: Schemas['NewFaultRule']): Promise<Schemas['FaultRule']> {
  if (draft.kind === 'new')
    return ask('post', '/control/sandboxes/{sandboxId}/faults', { sandboxId: id }, rule);
  const { id: ruleId } = draft.rule;
  const patch = patchBetween(asAsked(draft.rule), { id: ruleId, ...rule });
  return ask('patch', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId: id, ruleId }, patch);
}

function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface FaultProps {
  readonly faults: Choices['faults'];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** A list of all faults, grouped by the part of the reply that they affect. */
function FaultField({ faults, chosen, onChoose }: FaultProps): VNode {
  return html`<${ChoiceField} label="Fault" name="fault" onChoose=${onChoose}>
    ${Object.entries(groupTitles).map(
      ([group, title]) =>
        html`<optgroup key=${group} label=${title}>
          ${faults.filter((one) => one.group === group).map(({ name }) => html`<option key=${name} selected=${name === chosen}>${name}</option>`)}
        </optgroup>`,
    )}
  <//>`;
}

/** An explanation of every fault. */
function Explained({ faults }: { readonly faults: Choices['faults'] }): VNode {
  return html`<details>
    <summary>What each fault does</summary>
    ${Object.entries(groupTitles).map(
      ([group, title]) =>
        html`<h3 key=${group}>${title}</h3>
          <dl class="explained">
            ${faults
              .filter((one) => one.group === group)
              .map(
                ({ name, summary }) =>
                  html`<div key=${name}>
                    <dt><code>${name}</code></dt>
                    <dd><${Prose} text=${summary} /></dd>
                  </div>`,
              )}
          </dl>`,
    )}
  </details>`;
}
