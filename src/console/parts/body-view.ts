import type { VNode } from 'preact';
import type { Schemas } from '../api.ts';
import { html } from '../html.ts';
import { jsonLines, lineAt, type JsonLine } from './json-lines.ts';

interface BodyProps {
  readonly text: string;
  /** How many characters of it were not kept. */
  readonly cut: number;
  readonly violations?: Schemas['Violations'];
  readonly label: string;
}

/** More lines than anybody reads would make the page slow. */
const mostLines = 3000;

/** A body line by line, with what is wrong in it said at its place. A body that is no JSON is shown as it came. */
export function BodyView({ text, cut, violations = [], label }: BodyProps): VNode {
  const lines = linesOf(text);
  const marks = new Map<number, string[]>();
  for (const { pointer, message } of violations) {
    const at = Math.min(lineAt(lines, pointer), mostLines - 1);
    marks.set(at, [...(marks.get(at) ?? []), `${pointer === '' ? 'The body' : pointer} ${message}`]);
  }
  const hidden = lines.length - mostLines;
  return html`${text === '' ? html`<p class="soft">No body.</p>` : null}
    <div class="body" role="region" aria-label=${label} tabindex="0">
      <ol>
        ${text === '' && marks.size === 0 ? null : lines.slice(0, mostLines).map((line, at) => lineOf(line, at, marks.get(at)))}
      </ol>
    </div>
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

function linesOf(text: string): readonly JsonLine[] {
  try {
    return jsonLines(JSON.parse(text));
  } catch {
    return text.split('\n').map((line, at) => ({ pointer: at === 0 ? '' : null, text: line }));
  }
}
