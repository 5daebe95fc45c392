import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.ts';

/** Copies a text to the clipboard and reports the result. `what` names the text for screen readers. */
export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}): VNode {
  const [said, setSaid] = useState<'Copied' | 'Copying failed' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    // Browsers offer the clipboard only on localhost and over TLS.
    const written =
      'clipboard' in navigator
        ? navigator.clipboard.writeText(text)
        : Promise.reject(new Error('The browser has no clipboard.'));
    written.then(
      () => setSaid('Copied'),
      () => setSaid('Copying failed'),
    );
  };
  return html`<button type="button" class="quiet" aria-label=${`${said ?? label}: ${what}`} onClick=${copy}>${said ?? label}</button>`;
}
