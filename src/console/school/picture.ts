import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';

interface Props {
  readonly url: string;
  readonly name: string;
  readonly class: string;
}

/** A picture of this server, or the initials of its name: the page loads nothing from other hosts. */
export function Picture({ url, name, class: kind }: Props): VNode {
  const [isMissing, setMissing] = useState(false);
  const shown = URL.canParse(url, location.href) ? new URL(url, location.href) : null;
  if (isMissing || shown === null || shown.origin !== location.origin)
    return html`<span class=${`${kind} initials`} aria-hidden="true">${initialsOf(name)}</span>`;
  // The name is beside it.
  return html`<img class=${kind} src=${shown.pathname} alt="" loading="lazy" onError=${() => setMissing(true)} />`;
}

/** Returns the first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map(firstLetter).join('').toUpperCase();
}

/** A letter may have several code units. */
function firstLetter(word = ''): string {
  return String.fromCodePoint(...[word.codePointAt(0)].filter((code) => code !== undefined));
}
