import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../api.ts';
import { html } from '../html.ts';
import { Outcome, useDoing } from '../parts/doing.ts';
import { ChoiceField, InputField } from '../parts/field.ts';
import { Loading, ProblemNotice } from '../parts/notice.ts';
import { Prose } from '../parts/prose.ts';
import { useLoad } from '../parts/use-load.ts';
import { groupTitles, ruleFrom, timings } from './failures-rule-from.ts';

interface Choices {
  readonly faults: readonly Schemas['Fault'][];
  readonly operations: readonly string[];
  readonly schools: Schemas['Sandbox']['schools'];
}

interface Props {
  readonly sandbox: string;
  readonly onAdded: () => void;
}

async function loadChoices(id: string): Promise<Choices> {
  const [{ faults }, { operations }, { schools }] = await Promise.all([
    ask('get', '/control/faults', {}),
    ask('get', '/control/sandboxes/{id}/limits', { id }),
    ask('get', '/control/sandboxes/{id}', { id }),
  ]);
  return { faults, operations: Object.keys(operations), schools };
}

/** A form for a new rule, with every fault explained and its parameters as fields. */
export function RuleForm({ sandbox, onAdded }: Props): VNode {
  const { value, problem } = useLoad(() => loadChoices(sandbox), [sandbox]);
  if (value === null) return problem === null ? html`<${Loading} />` : html`<${ProblemNotice} problem=${problem} />`;
  return html`<${Form} sandbox=${sandbox} choices=${value} onAdded=${onAdded} />`;
}

function Form({ sandbox: id, choices, onAdded }: Props & { readonly choices: Choices }): VNode {
  const [name, setName] = useState(choices.faults[0]?.name ?? '');
  const doing = useDoing();
  const fault = choices.faults.find((one) => one.name === name);

  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (fault === undefined) return;
    const rule = ruleFrom(new FormData(event.currentTarget as HTMLFormElement), fault);
    if (await doing.run(() => ask('post', '/control/sandboxes/{id}/faults', { id }, rule), `Added: ${name} fires from now on.`)) onAdded();
  };

  return html`<form class="card rule-form" aria-label="New rule" onSubmit=${add}>
    <${FaultField} faults=${choices.faults} onChoose=${setName} />
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
            help=${`${help}; ${form}`}
            pointer=${`/with/${parameter}`}
            problem=${doing.problem}
          />`,
      )}
    </div>
    <${Aim} choices=${choices} phase=${fault?.phase} />
    <details>
      <summary>When it fires: always, or …</summary>
      <div class="fields">
        ${timings.map(
          ([timing, help]) =>
            html`<${InputField}
              key=${timing}
              label=${timing}
              name=${`when.${timing}`}
              type="number"
              help=${help}
              pointer=${`/when/${timing}`}
              problem=${doing.problem}
            />`,
        )}
        <${InputField} label="Name of the rule" name="id" help="made up where left empty" pointer="/id" problem=${doing.problem} />
      </div>
    </details>
    <${Outcome} doing=${doing} />
    <button class="main" disabled=${doing.busy}>Add the rule</button>
  </form>`;
}

/** Every fault, by where it strikes. */
function FaultField({ faults, onChoose }: { readonly faults: Choices['faults']; readonly onChoose: (name: string) => void }): VNode {
  return html`<${ChoiceField} label="Fault" name="fault" onChoose=${onChoose}>
    ${Object.entries(groupTitles).map(
      ([group, title]) =>
        html`<optgroup key=${group} label=${title}>
          ${faults.filter((one) => one.group === group).map(({ name }) => html`<option key=${name}>${name}</option>`)}
        </optgroup>`,
    )}
  <//>`;
}

/** Which calls the rule concerns, and when the fault strikes in them. */
function Aim({ choices: { operations, schools }, phase }: { readonly choices: Choices; readonly phase: string | undefined }): VNode {
  return html`<div class="fields">
    <${ChoiceField} label="Operation" name="operation">
      <option value="*">every operation</option>
      ${operations.map((operation) => html`<option key=${operation}>${operation}</option>`)}
    <//>
    <${ChoiceField} label="School" name="school">
      <option value="">every school</option>
      ${schools.map(({ slug, name }) => html`<option key=${slug} value=${slug}>${name}</option>`)}
    <//>
    <${ChoiceField} label="Phase" name="phase">
      <option value="">${`as the fault has it (${phase})`}</option>
      <option value="before">before: nothing takes effect</option>
      <option value="after">after: it takes effect, then it fails</option>
    <//>
  </div>`;
}
