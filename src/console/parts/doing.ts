import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { ProblemNotice } from './notice.ts';
import { useAction, type Action } from './use-action.ts';

/** An action with a message about its success. */
export interface Doing extends Omit<Action, 'run'> {
  readonly done: string;
  /** Runs the action. If it succeeds, returns true and shows `done`. */
  readonly run: (act: () => Promise<unknown>, done: string) => Promise<boolean>;
}

export function useDoing(): Doing {
  const { busy, problem, run } = useAction();
  const [done, setDone] = useState('');
  const runAndSay = async (act: () => Promise<unknown>, words: string): Promise<boolean> => {
    setDone('');
    const isWell = await run(act);
    if (isWell) setDone(words);
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
  return html`<div role="status">${done !== '' && html`<p class="notice good">${done}</p>`}</div>
    <${ProblemNotice} problem=${problem} fields=${fields} />`;
}
