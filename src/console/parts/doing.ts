import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { ProblemNotice } from './notice.ts';
import { useAction, type Action } from './use-action.ts';

/** An action that says in words what it did. */
export interface Doing extends Omit<Action, 'run'> {
  readonly done: string;
  /** Does it; true where it went well, and then `done` says so. */
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

/** What came of it; whoever hears the page is told too. */
export function Outcome({ doing: { problem, done } }: { readonly doing: Doing }): VNode {
  return html`<div role="status">${done !== '' && html`<p class="notice good">${done}</p>`}</div>
    <${ProblemNotice} problem=${problem} />`;
}
