import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.ts';
import { Button } from './parts/button.ts';
import { ProblemNotice } from './parts/notice.ts';
import { useAction } from './parts/use-action.ts';
import { doneEvent, report, type Done } from './undo.ts';

/** The last action, with a button that undoes it. */
export function UndoBar({ onUndone }: { readonly onUndone: () => void }): VNode {
  const [done, setDone] = useState<Done | null>(null);
  const [warning, setWarning] = useState('');
  const latest = useRef<Done | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const { busy, problem, run } = useAction();
  const replace = (next: Done | null): void => {
    latest.current?.forget?.();
    latest.current = next;
    setDone(next);
    setWarning('');
  };
  useEffect(() => {
    const show = ({ detail }: CustomEvent<Done>): void => replace(detail);
    // A page that the browser keeps may come back.
    const leave = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) latest.current?.forget?.();
    };
    // On a phone, many links are before the button.
    const press = (event: KeyboardEvent): void => {
      if (isUndoKey(event)) buttonIn(place.current)?.click();
    };
    addEventListener('keydown', press);
    addEventListener(doneEvent, show);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener(doneEvent, show);
      removeEventListener('pagehide', leave);
      // The page shows another sandbox.
      latest.current?.forget?.();
    };
  }, []);
  const undo = async ({ undo: act, alsoUndoes }: Done): Promise<void> => {
    if (act === null) return;
    const found: { warning: string | null } = { warning: null };
    const isDone = await run(async () => {
      found.warning = (await alsoUndoes?.()) ?? null;
      if (found.warning === null) await act();
    });
    if (!isDone) return;
    if (found.warning !== null) return setWarning(found.warning);
    // To all bars: a dialog has one of its own.
    report('Undone.', null);
    onUndone();
  };
  return html`<div class="undo" ref=${place}>
    <div role="status">
      ${
        done !== null &&
        html`<p class="notice good row">
        <span>${done.text} ${warning}</span>
        ${done.undo !== null && html`<${Button} type="button" off=${busy} aria-keyshortcuts="Control+Z Meta+Z" title="Ctrl+Z" onClick=${() => undo(done)}>Undo<//>`}
        <button type="button" class="quiet" onClick=${() => replace(null)}>Dismiss</button>
      </p>`
      }
    </div>
    <${ProblemNotice} problem=${problem} />
  </div>`;
}

/** Whether a person wants to undo the last action, rather than what they have typed into a field. */
function isUndoKey({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  const isTyping = target instanceof Element && target.matches('input, select, textarea');
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey && !isTyping;
}

/** Returns the button in a bar; null if there is none, or if a dialog covers it. */
function buttonIn(bar: HTMLElement | null): HTMLElement | null {
  const dialog = document.querySelector('dialog[open]');
  return dialog === null || dialog.contains(bar)
    ? (bar?.querySelector<HTMLElement>('[aria-keyshortcuts]') ?? null)
    : null;
}
