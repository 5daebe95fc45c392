import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, ControlProblem, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { CopyButton } from '../../parts/copy-button.ts';
import { Dialog } from '../../parts/dialog.ts';
import { InputField } from '../../parts/field.ts';
import { formText } from '../../parts/form-text.ts';
import { MomentField } from '../../parts/moment-field.ts';
import { momentIn, momentProblem } from '../../parts/moment.ts';
import { orNull } from '../../parts/or-null.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useInvalidFocus } from '../../parts/use-invalid-focus.ts';
import { useLoad } from '../../parts/use-load.ts';
import { go, pathTo } from '../../route.ts';

interface FormProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

function options(list: readonly string[] = []): readonly VNode[] {
  return list.map((name) => html`<option key=${name}>${name}</option>`);
}

/** The fields for text and numbers, which show their violations. */
const fields = [
  ['id', 'Id', 'a–z, 0–9 and hyphens', { placeholder: 'generated' }],
  ['seed', 'Seed', 'the data to start with', { placeholder: 'demo', list: 'seeds' }],
  ['randomSeed', 'Random seed', 'determines all random values', { type: 'number', placeholder: '1' }],
  ['ttlSeconds', 'Delete after this idle time (s)', 'in real time', { type: 'number', placeholder: 'never' }],
] as const;

/** A form with all settings of a new sandbox. */
export function NewSandboxForm({ onClose, onMade }: FormProps): VNode {
  const names = useLoad(readNames, []);
  const { busy, problem, run } = useAction();
  const place = useInvalidFocus(problem);
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const show = (id: string): void => {
    onClose();
    go(pathTo(id, 'sandboxes'));
  };
  const make = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await run(async () => {
      const { id, token } = await ask('post', '/control/sandboxes', {}, newSandboxFrom(form)).catch(atField);
      onMade();
      if (token === undefined) show(id);
      else setIssued({ id, token });
    });
  };
  if (issued !== null) return html`<${NewToken} ...${issued} onClose=${() => show(issued.id)} />`;
  return html`<${Dialog} title="New sandbox" keepsInput onClose=${onClose}>
    <form onSubmit=${make} ref=${place}>
      <p class="soft small">Fields left empty use the server's defaults.</p>
      <${ProblemNotice} problem=${problem ?? names.problem} fields=${[...fields.map(([name]) => `/${name}`), '/clock/now', '/assumptions']} />
      <div class="fields">
        ${fields.map(([name, label, help, more]) => html`<${InputField} key=${name} name=${name} label=${label} help=${help} pointer=${`/${name}`} problem=${problem} ...${more} />`)}
        <label class="field">Profile <select name="profile"><option value="">server default</option>${options(names.value?.profiles)}</select></label>
        <label class="field">Scenario <select name="scenario"><option value="">server default</option><option value="-">none</option>${options(names.value?.scenarios)}</select></label>
        <label class="field">Clock <select name="mode"><option value="">real time</option><option value="real">running from</option><option value="frozen">frozen at</option></select></label>
        <div class="row moment"><${MomentField} name="now" pointer="/clock/now" problem=${problem} /></div>
      </div>
      <${InputField} name="assumptions" label="Assumptions, one per line" help="name=option" rows=${3} placeholder="batchProcessing=first-only" pointer="/assumptions" problem=${problem} />
      <datalist id="seeds">${names.value?.seeds.map((name) => html`<option key=${name} value=${name}></option>`)}</datalist>
      <div class="row"><${Button} class="main" off=${busy}>Create sandbox<//></div>
    </form>
  <//>`;
}

interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** Shows the token of a new sandbox, which nothing else shows. */
function NewToken({ id, token, onClose }: IssuedToken & { readonly onClose: () => void }): VNode {
  return html`<${Dialog} title="Sandbox created" onClose=${onClose}>
    <p>This token permits only the sandbox <code>${id}</code>. Copy it now: no page shows it again.</p>
    <p><code>${token}</code> <${CopyButton} text=${token} what="the sandbox token" /></p>
    <div class="row"><${Button} type="button" class="main" onClick=${onClose}>Show sandbox<//></div>
  <//>`;
}

/** Shows at their fields that there is such a sandbox already, or no such seed. */
function atField(error: unknown): never {
  if (!(error instanceof ControlProblem) || error.violations.length > 0) throw error;
  const { status, title, message } = error;
  const at = (violation: ControlProblem['violations'][number]): ControlProblem =>
    new ControlProblem({ status, title, detail: message, violations: [violation] });
  if (status === 409) throw at({ pointer: '/id', message: `${message} Choose another id.` });
  throw /\bseed\b/.test(message) ? at({ pointer: '/seed', message }) : error;
}

interface Names {
  readonly seeds: readonly string[];
  readonly profiles: readonly string[];
  readonly scenarios: readonly string[];
}

async function readNames(): Promise<Names> {
  const [{ seeds }, assumptions, { scenarios }] = await Promise.all([
    ask('get', '/control/seeds', {}),
    // Replicas have no default sandbox.
    orNull(() => ask('get', '/control/sandboxes/{sandboxId}/assumptions', { sandboxId: 'default' })),
    ask('get', '/control/scenarios', {}),
  ]);
  return {
    seeds: seeds.map(({ name }) => name),
    profiles: Object.keys(assumptions?.profiles ?? {}),
    scenarios: scenarios.map(({ name }) => name),
  };
}

/** Returns the request body for the form; the server validates it. */
function newSandboxFrom(form: FormData): Schemas['NewSandbox'] {
  const text = (name: string): string => formText(form, name);
  const number = (name: string): object => (text(name) === '' ? {} : { [name]: Number(text(name)) });
  const word = (name: string): object => (text(name) === '' ? {} : { [name]: text(name) });
  const [scenario, mode, now] = [text('scenario'), text('mode'), momentIn(form, 'now', '/clock/now')];
  if (mode === '' && now !== '')
    throw momentProblem('/clock/now', 'The clock shows real time. Choose “running from” or “frozen at”.');
  return {
    ...word('id'),
    ...word('seed'),
    ...word('profile'),
    ...number('randomSeed'),
    ...number('ttlSeconds'),
    ...(scenario === '' ? {} : { scenario: scenario === '-' ? null : scenario }),
    ...(mode === 'real' || mode === 'frozen' ? { clock: { mode, ...(now === '' ? {} : { now }) } } : {}),
    ...(text('assumptions') === '' ? {} : { assumptions: optionsIn(text('assumptions')) }),
  };
}

/** Parses lines such as `batchProcessing=first-only`. */
function optionsIn(lines: string): Readonly<Record<string, string>> {
  const pairs = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    pairs.map((line) => {
      const [name = '', ...option] = line.split('=');
      return [name.trim(), option.join('=').trim()];
    }),
  );
}
