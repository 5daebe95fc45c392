import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ControlProblem, Schemas } from '../api.ts';
import { html } from '../html.ts';
import { ChoiceField, InputField } from '../parts/field.ts';
import { several, timings } from './failures-rule-from.ts';

/** What a rule can name. */
export interface Choices {
  readonly faults: readonly Schemas['Fault'][];
  readonly operations: readonly string[];
  readonly schools: Schemas['Sandbox']['schools'];
}

type Begun = Partial<Schemas['NewFaultRule']>;

interface AimProps {
  readonly choices: Choices;
  /** What stands in the fields at first. */
  readonly begun: Begun;
  /** The phase where the rule gives none. */
  readonly phase: string | undefined;
}

/** Which operations the rule concerns, and when the fault strikes in a call. */
export function Aim({ choices: { operations }, begun, phase }: AimProps): VNode {
  const { operation: first = '*' } = begun;
  const [chosen, setChosen] = useState(typeof first === 'string' ? first : several);
  // One that is unknown stays, for the server to refuse: without it the rule would be about every operation.
  const offered = [...new Set([...operations, ...[first].flat()])].filter((operation) => operation !== '*');
  return html`<div class="fields">
      <${ChoiceField} label="Operation" name="operation" onChoose=${setChosen}>
        <option value="*" selected=${chosen === '*'}>every operation</option>
        ${offered.map((operation) => html`<option key=${operation} selected=${operation === chosen}>${operation}</option>`)}
        <option value=${several} selected=${chosen === several}>several of them …</option>
      <//>
      <${ChoiceField} label="Phase" name="phase">
        <option value="">${`as the fault has it (${phase})`}</option>
        <option value="before" selected=${begun.phase === 'before'}>before: nothing takes effect</option>
        <option value="after" selected=${begun.phase === 'after'}>after: it takes effect, then it fails</option>
      <//>
    </div>
    ${
      chosen === several &&
      html`<fieldset class="several">
        <legend>Operations</legend>
        ${offered.map(
          (operation) =>
            html`<label key=${operation}>
              <input type="checkbox" name="operations" value=${operation} defaultChecked=${[first].flat().includes(operation)} /> ${operation}
            </label>`,
        )}
      </fieldset>`
    }`;
}

interface MoreProps {
  readonly choices: Choices;
  readonly begun: Begun;
  /** Whether the rule can still be given a name. */
  readonly mayName: boolean;
  readonly problem: ControlProblem | null;
}

/** Whose calls the rule concerns, which of them it hits, and how long. */
export function ForWhomAndWhen({ choices: { schools }, begun, mayName, problem }: MoreProps): VNode {
  const { match = {}, when = {} } = begun;
  return html`<details open=${begun.match !== undefined || begun.when !== undefined}>
    <summary>More: when and for whom</summary>
    <h3>For whom</h3>
    <p class="soft small">All that is given must fit. Where nothing is, the rule concerns every call of its operations.</p>
    <div class="fields">
      <${ChoiceField} label="School" name="school">
        <option value="">every school</option>
        ${schools.map(({ slug, name }) => html`<option key=${slug} value=${slug} selected=${slug === match.school}>${name}</option>`)}
      <//>
      <${InputField} label="Key" name="key" value=${match.key} help="only calls that carry this API key; shown shortened, and it stays if left so" pointer="/match/key" problem=${problem} />
      <${InputField}
        label="Parameters"
        name="parameters"
        rows=${3}
        value=${match.parameters === undefined ? '' : JSON.stringify(match.parameters, null, 2)}
        placeholder='{ "quizId": "…", "/details/courseItemType": "quiz" }'
        help="as JSON: values by name, or by JSON Pointer; one element of the call must have them all, and a fault of elements hits just those"
        pointer="/match/parameters"
        problem=${problem}
      />
    </div>
    <h3>When</h3>
    <p class="soft small">All that is given must hold. Calls are counted as they come, without those that an earlier rule has hit.</p>
    <div class="fields">
      ${timings.map(
        ([timing, help]) =>
          html`<${InputField} key=${timing} label=${timing} name=${`when.${timing}`} type="number" value=${when[timing]} help=${help} pointer=${`/when/${timing}`} problem=${problem} />`,
      )}
      <${InputField} label="between: from" name="between.0" value=${when.between?.[0]} placeholder="now+PT30S" help="a moment on the sandbox's clock, or one from now on: now, now+PT30S" pointer="/when/between/0" problem=${problem} />
      <${InputField} label="between: to" name="between.1" value=${when.between?.[1]} placeholder="now+PT1M" help="up to this moment, not including it; both are needed" pointer="/when/between/1" problem=${problem} />
      ${mayName && html`<${InputField} label="Name of the rule" name="id" value=${begun.id} help="made up where left empty" pointer="/id" problem=${problem} />`}
    </div>
  </details>`;
}
