import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../html.ts';

/** Puts a text into the clipboard and says that it did. `what` tells people who hear the page what is copied. */
export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
}): VNode {
  const [said, setSaid] = useState<'Copied' | 'Not allowed' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    // A page that is not from this machine and not over TLS has no clipboard.
    const written = 'clipboard' in navigator ? navigator.clipboard.writeText(text) : Promise.reject(new Error('There is no clipboard.'));
    written.then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed'),
    );
  };
  return html`<button type="button" class="quiet" aria-label=${`${said ?? label}: ${what}`} onClick=${copy}>${said ?? label}</button>`;
}
