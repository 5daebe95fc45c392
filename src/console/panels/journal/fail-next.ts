import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Link } from '../../parts/link.ts';
import { ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useLoad } from '../../parts/use-load.ts';
import { pathTo } from '../../route.ts';
import { firstFailure, parametersFor } from '../failures/rule-from.ts';

interface Props {
  readonly sandbox: string;
  readonly operation: string;
}

/** Adds a rule that fails the next call of this operation once. */
export function FailNextTime({ sandbox, operation }: Props): VNode {
  const faults = useLoad(() => ask('get', '/control/faults', {}), []);
  const [fault, setFault] = useState<string>(firstFailure.fault);
  const [added, setAdded] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  const add = (): void =>
    void run(async () => {
      const { id } = await ask(
        'post',
        '/control/sandboxes/{sandboxId}/faults',
        { sandboxId: sandbox },
        { operation, fault, ...parametersFor(fault), when: { times: 1 } },
      );
      setAdded(id);
    });
  const summary = faults.value?.faults.find(({ name }) => name === fault)?.summary;
  return html`<span class="row">
      <${Button} type="button" off=${busy} onClick=${add}>Fail the next call<//>
      <label>with <select value=${fault} title=${summary} onChange=${(event: TargetedEvent<HTMLSelectElement>) => setFault(event.currentTarget.value)}>
        ${(faults.value?.faults ?? [{ name: fault }]).map(({ name }) => html`<option key=${name}>${name}</option>`)}
      </select></label>
      <${Link} to=${pathTo(sandbox, 'failures', { operation, fault, times: '1' })}>Edit the rule first …<//>
    </span>
    <${ProblemNotice} problem=${problem} />
    ${added !== null && html`<span role="status">The next call of <code>${operation}</code> will fail: <${Link} to=${pathTo(sandbox, 'failures')}>rule ${added}<//>.</span>`}`;
}
