import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.ts';
import { Button } from './parts/button.ts';
import { ProblemNotice } from './parts/notice.ts';
import { useAction } from './parts/use-action.ts';
import { doneEvent, type Done } from './undo.ts';

/** The last action, with a button that undoes it. */
export function UndoBar({ onUndone }: { readonly onUndone: () => void }): VNode {
  const [done, setDone] = useState<Done | null>(null);
  const { busy, problem, run } = useAction();
  useEffect(() => {
    const show = (event: Event): void => {
      // Only `report` sends this event.
      if (event instanceof CustomEvent) setDone(event.detail as Done);
    };
    addEventListener(doneEvent, show);
    return () => removeEventListener(doneEvent, show);
  }, []);
  const undo = async ({ text, undo: act, alsoUndoes }: Done): Promise<void> => {
    if (act === null) return;
    const warning = (await alsoUndoes?.().catch(() => null)) ?? null;
    if (warning !== null) return setDone({ text: `${text} ${warning}`, undo: act });
    if (!(await run(act))) return;
    setDone({ text: 'Undone.', undo: null });
    onUndone();
  };
  return html`<div class="undo">
    <div role="status">
      ${
        done !== null &&
        html`<p class="notice good row">
        <span>${done.text}</span>
        ${done.undo !== null && html`<${Button} type="button" off=${busy} onClick=${() => undo(done)}>Undo<//>`}
        <button type="button" class="quiet" onClick=${() => setDone(null)}>Dismiss</button>
      </p>`
      }
    </div>
    <${ProblemNotice} problem=${problem} />
  </div>`;
}
