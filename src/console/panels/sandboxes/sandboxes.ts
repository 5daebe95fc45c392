import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Schemas } from '../../api.ts';
import { html } from '../../html.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { NewSandboxForm } from './new-sandbox-form.ts';
import type { PanelProps } from '../panel.ts';
import { SandboxCard } from './sandbox-card.ts';

/** All sandboxes with their keys, and actions to create, reset and delete them. */
export function SandboxesPanel({ sandbox }: PanelProps): VNode {
  const [making, setMaking] = useState(false);
  const { value, problem, refresh } = useLoad(() => ask('get', '/control/sandboxes', {}), [], 3000);
  const action = useAction();
  const act = (work: () => Promise<unknown>): void => void action.run(work).then(refresh);
  return html`<p class="soft">Sandboxes are isolated from each other: each has its own data, keys, clock, failures, limits and journal.</p>
    <p><button type="button" class="main" onClick=${() => setMaking(true)}>Create sandbox …</button></p>
    <${ProblemNotice} problem=${problem ?? action.problem} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${value?.sandboxes.map(
      (each: Schemas['Sandbox']) =>
        html`<${SandboxCard} key=${each.id} about=${each} current=${each.id === sandbox} busy=${action.busy} act=${act} />`,
    )}
    ${making && html`<${NewSandboxForm} onClose=${() => setMaking(false)} onMade=${refresh} />`}`;
}
