import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';
import { lineAt, type JsonLine } from './json-lines.ts';
import { jsonTextLines, repeatedIn } from './json-text.ts';

interface BodyProps {
  readonly text: string;
  /** How many characters of it were not kept. */
  readonly cut: number;
  readonly violations?: Schemas['Violations'];
  readonly label: string;
  /** What a violation is about that has no place in the body. */
  readonly whole?: string;
}

/** More lines than anybody reads would make the page slow. */
const maxLines = 3000;

/** A body line by line, with what is wrong in it said at its place. JSON is laid out in lines, unless one wants to see it as it came; all else is as it came. */
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
    ${text !== '' && laidOut === null && cut === 0 && html`<p class="soft">Not JSON: shown as it came.</p>`}
    ${
      laidOut !== null &&
      html`<div class="row"><button type="button" aria-label=${`As it came: ${label}`} aria-pressed=${asItCame} onClick=${() => setAsItCame(!asItCame)}>As it came</button></div>`
    }
    <div class="body" role="region" aria-label=${label} tabindex="0">
      <ol>
        ${text === '' && marks.size === 0 ? null : lines.slice(0, maxLines).map((line, at) => lineOf(line, at, marks.get(at)))}
      </ol>
    </div>
    ${repeated.length > 0 && html`<p class="soft">Written more than once: ${repeated.join(', ')}. What comes last counts.</p>`}
    ${hidden > 0 && html`<p class="soft">${hidden} more lines are not shown.</p>`}
    ${cut > 0 && html`<p class="soft">${cut} more characters were not kept.</p>`}`;
}

function lineOf({ text }: JsonLine, at: number, messages: readonly string[] | undefined): VNode {
  if (messages === undefined) return html`<li key=${at}><code>${text}</code></li>`;
  return html`<li key=${at} class="wrong">
    <code>${text}</code>
    ${messages.map((message) => html`<span class="mark"><strong>Violation:</strong> ${message}</span>`)}
  </li>`;
}

/** The lines of a JSON text; null for what is none. */
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
