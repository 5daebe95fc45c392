import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../../html.ts';
import { Dialog } from '../../parts/dialog.ts';

/** What the keys of the journal do. */
export interface Actions {
  /** Opens the entry below the open one, or the first one. */
  readonly next: () => void;
  readonly previous: () => void;
  /** Null if no entry is open. */
  readonly close: (() => void) | null;
  readonly search: () => void;
  readonly help: () => void;
}

const keys: readonly (readonly [key: string, action: keyof Actions, title: string])[] = [
  ['j', 'next', 'Open the next entry'],
  ['k', 'previous', 'Open the previous entry'],
  ['/', 'search', 'Search'],
  ['?', 'help', 'Show the shortcuts'],
  ['Escape', 'close', 'Close the entry and return to the list'],
];

/** Where a person types, a letter is no shortcut. */
const typing = 'input, select, textarea';

/** Whether Esc has nothing to clear in a field. */
function isEmptySearch(field: Element): boolean {
  return field instanceof HTMLInputElement && field.type === 'search' && field.value === '';
}

/** Speech input types letters, so people must be able to turn the shortcuts off (WCAG 2.1.4). */
const place = 'journal-shortcuts';

/** Listens to the keys of the journal while the panel is shown. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      const action = keys.find(([name]) => name === key)?.[1];
      if (action === undefined || altKey || ctrlKey || metaKey) return;
      if (target instanceof Element && target.matches(typing) && !(key === 'Escape' && isEmptySearch(target)))
        return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (key !== 'Escape' && localStorage.getItem(place) === 'off') return;
      const act = latest.current[action];
      if (act === null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** The list of shortcuts, and the choice to turn them off. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const [isOff, setOff] = useState(() => localStorage.getItem(place) === 'off');
  const toggle = (): void => {
    localStorage.setItem(place, isOff ? 'on' : 'off');
    setOff(!isOff);
  };
  return html`<${Dialog} title="Shortcuts" onClose=${onClose}>
    <dl class="shortcuts">
      ${keys.map(([key, , title]) => html`<div key=${key}><dt><kbd>${key === 'Escape' ? 'Esc' : key}</kbd></dt><dd>${title}</dd></div>`)}
      <div><dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>Move in the list</dd></div>
    </dl>
    <label><input type="checkbox" checked=${!isOff} onChange=${toggle} /> Use single-key shortcuts</label>
  <//>`;
}
