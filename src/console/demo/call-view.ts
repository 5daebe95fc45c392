import type { TargetedMouseEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';
import { Badge, type Tone } from '../parts/badge.ts';
import type { JsonLine } from '../parts/json-lines.ts';
import { jsonTextLines } from '../parts/json-text.ts';
import { excerptOf, wholeOf } from './excerpt.ts';
import { readOutput } from './output.ts';
import type { ShownCall } from './played.ts';
import { words } from './words.ts';

interface CallProps {
  readonly call: ShownCall;
  /** Whether the step goes on, so that the response may still come. */
  readonly isRunning: boolean;
  /** Opens the journal entry of a request. */
  readonly onLook: (opener: HTMLElement, requestId: string) => void;
}

const labels: Readonly<Record<ShownCall['by'], readonly [tone: Tone, label: string]>> = {
  client: ['info', 'client'],
  player: ['info', 'player'],
  'control plane': ['warn', 'control plane'],
};

/** A request and its response, with the important lines highlighted. */
export function CallView({ call, isRunning, onLook }: CallProps): VNode {
  const { caption, by, method, path, school, request, marked, response } = call;
  const [tone, label] = labels[by];
  const [address = '', query] = path.split('?');
  return html`<section class="call" aria-label=${caption.replaceAll('`', '')}>
    <h3>${words(caption)}</h3>
    <p class="row line">
      <${Badge} tone=${tone}>${label}<//>
      <code>${method} <strong>${address}</strong>${query !== undefined && html`<span class="soft">?${query}</span>`}</code>
      ${school !== null && html`<span class="soft small">key of ${school}</span>`}
    </p>
    <div class="pair">
      ${request !== '' && html`<${Body} title="Request" text=${request} markers=${marked.request} />`}
      <div>
        ${response === null ? html`<p class="soft waiting">${isRunning ? 'Waiting for the response …' : 'There was no response.'}</p>` : html`<${Response} response=${response} markers=${marked.response} onLook=${onLook} />`}
      </div>
    </div>
  </section>`;
}

interface ResponseProps extends Pick<CallProps, 'onLook'> {
  readonly response: NonNullable<ShownCall['response']>;
  readonly markers: readonly string[];
}

function Response({ response, markers, onLook }: ResponseProps): VNode {
  const { status, headers, text, requestId } = response;
  const hasFailed = readOutput(text)?.status === 'error';
  const head = html`<${Badge} tone=${status === 200 && hasFailed ? 'plain' : toneOf(status)}>${wordsOf(status)}<//>
    ${hasFailed && html`<${Badge} tone="bad">error<//>`}
    ${headers.map(([name, value]) => html`<code key=${name} class="header"><mark>${name}: ${value}</mark></code>`)}
    ${requestId !== null && html`<button type="button" class="quiet" aria-label=${`Show ${requestId} in the journal`} onClick=${({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>) => onLook(currentTarget, requestId)}>Journal</button>`}`;
  if (text === '') {
    const why = status === 0 ? 'The connection broke before the response was complete.' : 'No body.';
    return html`<div class="row body-head"><h4>Response</h4>${head}</div>
      <p class="soft">${why}</p>`;
  }
  return html`<${Body} title="Response" head=${head} text=${text} markers=${markers} />`;
}

/** Returns the color of a status. */
export function toneOf(status: number): Tone {
  return status >= 200 && status < 300 ? 'good' : 'bad';
}

function wordsOf(status: number): string {
  return status === 0 ? 'no complete response' : String(status);
}

interface BodyProps {
  readonly title: string;
  readonly head?: VNode;
  readonly text: string;
  readonly markers: readonly string[];
}

function Body({ title, head, text, markers }: BodyProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const lines = linesOf(text);
  const excerpt = excerptOf(lines, markers);
  const isCut = excerpt.some(({ kind }) => kind === 'gap');
  const shown = isWhole ? wholeOf(lines, markers) : excerpt;
  return html`<div>
    <div class="row body-head">
      <h4>${title}</h4>
      ${head}
      ${isCut && html`<button type="button" class="quiet" aria-pressed=${isWhole} onClick=${() => setWhole(!isWhole)}>Show all ${lines.length} lines</button>`}
    </div>
    <pre tabindex="0" role="group" aria-label=${`${title} body`}>${shown.map((line, at) =>
      line.kind === 'gap'
        ? html`<span key=${at} class="gap">⋯ ${line.lines} lines</span>`
        : html`<code key=${at}>${line.isMarked ? html`${indentOf(line.text)}<mark>${line.text.trimStart()}</mark>` : line.text}</code>`,
    )}</pre>
  </div>`;
}

function indentOf(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

/** Returns the lines of a body: formatted if it is JSON. */
function linesOf(text: string): readonly JsonLine[] {
  try {
    return jsonTextLines(text);
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => ({ pointer: null, text: line }));
  }
}
