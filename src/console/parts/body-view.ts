import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';
import { CopyButton } from './copy-button.ts';
import { lineAt, type JsonLine } from './json-lines.ts';
import { jsonTextLines, repeatedIn } from './json-text.ts';

interface BodyProps {
  readonly text: string;
  /** How many characters the journal did not store. */
  readonly cut: number;
  readonly violations?: Schemas['Violations'];
  readonly label: string;
  /** The name for the location of violations with an empty pointer. */
  readonly whole?: string;
}

/** Rendering more lines makes the page slow. */
const maxLines = 3000;

/**
 * A body line by line, with its violations. JSON is formatted, unless the user asks for the original text.
 */
export function BodyView({ text, cut, violations = [], label, whole = 'The body' }: BodyProps): VNode {
  const [asItCame, setAsItCame] = useState(false);
  const laidOut = laidOutIn(text);
  const lines = laidOut === null || asItCame ? linesIn(text) : laidOut;
  const repeated = repeatedIn(laidOut ?? []);
  const marks = new Map<number, string[]>();
  for (const { pointer, message } of violations) {
    const at = Math.min(lineAt(lines, pointer), maxLines - 1);
    marks.set(at, [...(marks.get(at) ?? []), `${pointer === '' ? whole : pointer} ${message}`]);
  }
  const hidden = lines.length - maxLines;
  return html`${text === '' ? html`<p class="soft">No body.</p>` : null}
    ${text !== '' && laidOut === null && cut === 0 && html`<p class="soft">Not valid JSON; shown unformatted.</p>`}
    ${
      text !== '' &&
      html`<div class="row">
        ${laidOut !== null && html`<button type="button" class="quiet" aria-label=${`Show original: ${label}`} aria-pressed=${asItCame} onClick=${() => setAsItCame(!asItCame)}>Show original</button>`}
        <${CopyButton} text=${text} what=${label} label="Copy body" />
      </div>`
    }
    <div class="body" role="region" aria-label=${label} tabindex="0">
      <ol>
        ${text === '' && marks.size === 0 ? null : lines.slice(0, maxLines).map((line, at) => lineOf(line, at, marks.get(at)))}
      </ol>
    </div>
    ${repeated.length > 0 && html`<p class="soft">Duplicate members: ${repeated.join(', ')}. The last one counts.</p>`}
    ${hidden > 0 && html`<p class="soft">${hidden} more lines not shown.</p>`}
    ${cut > 0 && html`<p class="soft">The journal did not store ${cut} more characters.</p>`}`;
}

function lineOf({ text }: JsonLine, at: number, messages: readonly string[] | undefined): VNode {
  if (messages === undefined) return html`<li key=${at}><code>${text}</code></li>`;
  return html`<li key=${at} class="wrong">
    <code>${text}</code>
    ${messages.map((message) => html`<span class="mark"><strong>Violation:</strong> ${message}</span>`)}
  </li>`;
}

/** Returns the formatted lines of a JSON text, or null if it is not valid JSON. */
function laidOutIn(text: string): readonly JsonLine[] | null {
  try {
    return jsonTextLines(text);
  } catch {
    return null;
  }
}

function linesIn(text: string): readonly JsonLine[] {
  return text.split('\n').map((line, at) => ({ pointer: at === 0 ? '' : null, text: line }));
}
