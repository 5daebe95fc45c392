import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { ProblemNotice } from './notice.ts';
import { useAction, type Action } from './use-action.ts';

/** A message about a success; as a warning if it is probably not what the user wanted. */
export type Said = string | { readonly warning: string };

/** An action with a message about its success. */
export interface Doing extends Omit<Action, 'run'> {
  readonly done: Said;
  /** Runs the action. If it succeeds, returns true and shows `done`. */
  readonly run: (act: () => Promise<unknown>, done: Said | (() => Said)) => Promise<boolean>;
}

export function useDoing(): Doing {
  const { busy, problem, run } = useAction();
  const [done, setDone] = useState<Said>('');
  const runAndSay: Doing['run'] = async (act, words) => {
    setDone('');
    const isWell = await run(act);
    // A function as a state would be called by its setter.
    if (isWell) setDone(typeof words === 'function' ? words() : words);
    return isWell;
  };
  return { busy, problem, done, run: runAndSay };
}

interface OutcomeProps {
  readonly doing: Doing;
  /** Pointers to what has a field, where its violations are shown. */
  readonly fields?: readonly string[];
}

/** The result of an action, also announced by screen readers. */
export function Outcome({ doing: { problem, done }, fields = [] }: OutcomeProps): VNode {
  return html`<div role="status">
      ${typeof done === 'string' ? done !== '' && html`<p class="notice good">${done}</p>` : html`<p class="notice warn">${done.warning}</p>`}
    </div>
    <${ProblemNotice} problem=${problem} fields=${fields} />`;
}
