import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { ask, changed } from '../api.ts';
import { html } from '../html.ts';
import { Button } from '../parts/button.ts';
import { Link } from '../parts/link.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoad } from '../parts/use-load.ts';
import { pathTo } from '../route.ts';
import { deviationsIn, type Deviation } from './deviations.ts';
import { resetDeviation } from './reset-deviation.ts';

interface Props {
  readonly sandbox: string;
  /** Called after something was reset, with the panel that shows it. */
  readonly onReset: (panel: string) => void;
}

/** What is unusual in the sandbox, with links and a button that resets each; nothing if nothing is. */
export function StatusBar({ sandbox, onReset }: Props): VNode | null {
  const { value, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/deviations', { sandboxId: sandbox }),
    [sandbox],
    5000,
  );
  const { busy, problem, run } = useAction();
  useEffect(() => {
    addEventListener(changed, refresh);
    return () => removeEventListener(changed, refresh);
  }, [refresh]);
  const all = value === null ? [] : deviationsIn(value);
  if (all.length === 0) return null;
  const reset = async ({ kind, panel }: Deviation): Promise<void> => {
    if (await run(() => resetDeviation(kind, sandbox))) onReset(panel);
  };
  return html`<section class="unusual" aria-label="Unusual in this sandbox">
    <span class="soft">Unusual:</span>
    <ul>
      ${all.map(
        (one) =>
          html`<li key=${one.kind}>
            <${Link} to=${pathTo(sandbox, one.panel)}>${one.text}<//>
            <${Button} type="button" off=${busy} aria-label=${one.reset} title=${one.reset} onClick=${() => reset(one)}>×<//>
          </li>`,
      )}
    </ul>
    <${ProblemNotice} problem=${problem} />
  </section>`;
}
