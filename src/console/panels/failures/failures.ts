import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { Outcome, useDoing, type Said } from '../../parts/doing.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useLoad } from '../../parts/use-load.ts';
import { changeScenario, deleteRules, endScenario } from '../../undo-faults.ts';
import type { PanelProps } from '../panel.ts';
import { type Draft, RuleForm } from './form.ts';
import { firstFailure, parametersFor } from './rule-from.ts';
import { RuleTable } from './rules.ts';
import './failures.css';

/** The fault rules with their counters, a form for new rules, and the scenarios. */
export function FailuresPanel({ sandbox: id, query }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/faults', { sandboxId: id }),
    [id],
    2000,
  );
  const doing = useDoing();
  const [draft, setDraft] = useState(() => draftIn(query));
  const adding = draft?.kind === 'new';

  const change = async (act: () => Promise<unknown>, done: Said): Promise<void> => {
    await doing.run(act, done);
    refresh();
  };
  const clear = () =>
    change(
      () =>
        deleteRules(id, {
          choose: (rules) => rules,
          act: () => ask('delete', '/control/sandboxes/{sandboxId}/faults', { sandboxId: id }),
          textOf: () => 'Deleted all rules and ended the scenario.',
          endsScenario: true,
        }),
      '',
    );
  const remove = (ruleId: string) =>
    change(
      () =>
        deleteRules(id, {
          choose: (rules) => rules.filter((rule) => rule.id === ruleId),
          act: () =>
            ask('delete', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId: id, ruleId }),
          textOf: () => `Deleted rule ${ruleId}.`,
        }),
      '',
    );
  const rearm = (ruleId: string) =>
    change(
      () => ask('patch', '/control/sandboxes/{sandboxId}/faults/{ruleId}', { sandboxId: id, ruleId }, {}),
      `Armed rule ${ruleId} again.`,
    );
  const edit = (rule: Schemas['FaultRule']): void => setDraft({ kind: 'change', rule });
  const changed = (said: Said) => {
    setDraft(null);
    return change(async () => {}, said);
  };
  const playing = value?.scenario ?? null;
  const play = (name: string) =>
    change(
      () =>
        changeScenario(id, `Playing ${name}.`, () =>
          ask('put', '/control/sandboxes/{sandboxId}/scenario', { sandboxId: id }, { name }),
        ),
      '',
    );
  const stop = () => change(() => endScenario(id), '');

  return html`<div class="row">
      <h2>Rules</h2>
      <button type="button" aria-expanded=${adding} onClick=${() => setDraft(adding ? null : empty)}>${adding ? 'Close form' : 'Add rule …'}</button>
      <${Button} type="button" class="danger" off=${value === null || value.rules.length === 0} onClick=${clear}>Delete all rules<//>
    </div>
    <${Outcome} doing=${doing} />
    <${ProblemNotice} problem=${problem} />
    ${adding && html`<${RuleForm} sandbox=${id} draft=${draft} onDone=${refresh} />`}
    ${
      draft?.kind === 'change' &&
      html`<${Dialog} title=${`Edit rule ${draft.rule.id}`} keepsInput onClose=${() => setDraft(null)}>
        <${RuleForm} sandbox=${id} draft=${draft} onDone=${changed} />
      <//>`
    }
    ${value === null ? problem === null && html`<${Loading} />` : html`<${RuleTable} rules=${value.rules} onEdit=${edit} onRemove=${remove} onRearm=${rearm} />`}
    <${Scenarios} playing=${playing} onPlay=${play} onStop=${stop} />`;
}

const empty: Draft = { kind: 'new', rule: { ...firstFailure, when: { times: 1 } } };

/** Returns a new rule with the values in the address, or null if it has none. */
function draftIn(query: URLSearchParams): Draft | null {
  if (!query.has('operation') && !query.has('fault')) return null;
  const [operation, fault, times] = [query.get('operation'), query.get('fault'), query.get('times')];
  const rule = {
    ...(operation === null ? {} : { operation }),
    ...(fault === null ? firstFailure : { fault, ...parametersFor(fault) }),
    ...(times === null ? {} : { when: { times: Number(times) } }),
  };
  return { kind: 'new', rule };
}

interface ScenariosProps {
  readonly playing: string | null;
  readonly onPlay: (name: string) => void;
  readonly onStop: () => void;
}

/** All scenarios, each with a summary and the lesson for a client. */
function Scenarios({ playing, onPlay, onStop }: ScenariosProps): VNode {
  const { value, problem } = useLoad(() => ask('get', '/control/scenarios', {}), []);
  return html`<h2>Scenarios</h2>
    <p class="soft">A scenario is a list of fault rules that simulates an incident. Playing one ends the previous one and keeps the rules that you added.</p>
    <${ProblemNotice} problem=${problem} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      playing !== null &&
      html`<p>
      Playing: <strong>${playing}</strong> <button type="button" onClick=${onStop}>End scenario</button>
    </p>`
    }
    <ul class="scenarios">
      ${value?.scenarios.map(
        ({ name, summary, lesson }) =>
          html`<li key=${name} class=${name === playing ? 'card chosen' : 'card'}>
            <button type="button" aria-pressed=${name === playing} onClick=${() => onPlay(name)}>
              ${name === playing && html`<span aria-hidden="true">▶ </span>`}Play ${name}
            </button>
            <p>${summary}</p>
            ${lesson !== undefined && html`<p class="soft">What a robust client does: ${lesson}</p>`}
          </li>`,
      )}
    </ul>`;
}
