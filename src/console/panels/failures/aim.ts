import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ControlProblem, Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { ChoiceField, InputField, WrongAt, wrongAt } from '../../parts/field.ts';
import { scopeOf, scopes, several, timings, type Scope } from './rule-from.ts';

/** The values that a rule can refer to. */
export interface Choices {
  readonly faults: readonly Schemas['Fault'][];
  readonly operations: readonly string[];
  readonly schools: Schemas['Sandbox']['schools'];
}

type Begun = Partial<Schemas['NewFaultRule']>;

interface ScopeProps {
  readonly begun: Begun;
  readonly scope: Scope;
  readonly onChoose: (scope: Scope) => void;
  readonly problem: ControlProblem | null;
}

/** Whether the rule affects the next call, every call or some calls; for these, by which conditions. */
export function WhichCalls({ begun, scope, onChoose, problem }: ScopeProps): VNode {
  const { when = {} } = scopeOf(begun.when) === 'some' ? begun : {};
  return html`<fieldset class="scope">
    <legend>Fail</legend>
    <div class="row">
      ${scopes.map(
        ([name, title]) =>
          html`<label key=${name}><input type="radio" name="scope" value=${name} checked=${scope === name} onChange=${() => onChoose(name)} /> ${title}</label>`,
      )}
    </div>
    ${
      scope === 'some' &&
      html`<p class="soft small">The fault fires if all of these conditions hold. Calls that an earlier rule affects are not counted.</p>
      <div class="fields">
        ${timings.map(
          ([timing, help]) =>
            html`<${InputField} key=${timing} label=${timing} name=${`when.${timing}`} type="number" value=${when[timing]} help=${help} pointer=${`/when/${timing}`} problem=${problem} />`,
        )}
        <${InputField} label="between: from" name="between.0" value=${when.between?.[0]} placeholder="now+PT30S" help="a time on the sandbox's clock, absolute or relative: now, now+PT30S" pointer="/when/between/0" problem=${problem} />
        <${InputField} label="between: to" name="between.1" value=${when.between?.[1]} placeholder="now+PT1M" help="the end of the interval (exclusive); set both fields" pointer="/when/between/1" problem=${problem} />
      </div>`
    }
  </fieldset>`;
}

interface AimProps {
  readonly choices: Choices;
  /** Initial values of the fields. */
  readonly begun: Begun;
  readonly problem: ControlProblem | null;
}

/** The operations that the rule applies to. */
export function Aim({ choices: { operations }, begun, problem }: AimProps): VNode {
  const { operation: first = '*' } = begun;
  const [chosen, setChosen] = useState(typeof first === 'string' ? first : several);
  const isWrong = wrongAt('/operation', problem).length > 0;
  // An unknown operation stays in the list so that the server can reject it; without it the rule would apply
  // to every operation.
  const offered = [...new Set([...operations, ...[first].flat()])].filter((operation) => operation !== '*');
  return html`<${ChoiceField} label="Operation" name="operation" onChoose=${setChosen}>
      <option value="*" selected=${chosen === '*'}>every operation</option>
      ${offered.map((operation) => html`<option key=${operation} selected=${operation === chosen}>${operation}</option>`)}
      <option value=${several} selected=${chosen === several}>several …</option>
    <//>
    ${
      chosen === several &&
      html`<fieldset class="several">
        <legend>Operations</legend>
        ${offered.map(
          (operation) =>
            html`<label key=${operation}>
              <input type="checkbox" name="operations" value=${operation} aria-invalid=${isWrong} aria-describedby="operation-wrong" defaultChecked=${[first].flat().includes(operation)} /> ${operation}
            </label>`,
        )}
      </fieldset>`
    }
    <${WrongAt} id="operation-wrong" pointer="/operation" problem=${problem} />`;
}

interface MoreProps extends AimProps {
  /** The fault's default phase. */
  readonly phase: string | undefined;
  /** Whether the rule's name can still be set. */
  readonly mayName: boolean;
}

/** Whose calls the rule applies to, the phase in which the fault fires, and the name of the rule. */
export function MoreConditions({ choices: { schools }, begun, phase, mayName, problem }: MoreProps): VNode {
  const { match = {} } = begun;
  return html`<details open=${begun.match !== undefined || begun.phase !== undefined}>
    <summary>More conditions</summary>
    <p class="soft small">The rule applies to calls that meet all of these conditions. With none, it applies to every call of its operations.</p>
    <div class="fields">
      <${ChoiceField} label="School" name="school">
        <option value="">every school</option>
        ${schools.map(({ slug, name }) => html`<option key=${slug} value=${slug} selected=${slug === match.school}>${name}</option>`)}
      <//>
      <${ChoiceField} label="Phase" name="phase">
        <option value="">${`default of the fault (${phase})`}</option>
        <option value="before" selected=${begun.phase === 'before'}>before: the call has no effect</option>
        <option value="after" selected=${begun.phase === 'after'}>after: the call takes effect, then fails</option>
      <//>
      <${InputField} label="Key" name="key" value=${match.key} help="only calls with this API key; an existing key is shown shortened and stays unchanged unless you edit it" pointer="/match/key" problem=${problem} />
      <${InputField}
        label="Parameters"
        name="parameters"
        rows=${3}
        value=${match.parameters === undefined ? '' : JSON.stringify(match.parameters, null, 2)}
        placeholder='{ "quizId": "…", "/details/courseItemType": "quiz" }'
        help="JSON object: values by name or JSON Pointer. One element of the call must have all of them; faults that affect single elements affect only these"
        pointer="/match/parameters"
        problem=${problem}
      />
      ${mayName && html`<${InputField} label="Rule name" name="id" value=${begun.id} help="generated if empty" pointer="/id" problem=${problem} />`}
    </div>
  </details>`;
}
