import type { TargetedMouseEvent, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../html.ts';
import { Link } from '../parts/link.ts';
import { ProblemNotice } from '../parts/notice.ts';
import { pathTo } from '../route.ts';
import { CallView } from './call-view.ts';
import { demoPath } from './demo-path.ts';
import { steps, type AnyStep } from './script.ts';
import { lookOf } from './steps/index.ts';
import type { Doing } from './tour.ts';
import { VisualView } from './visual-view.ts';
import { words } from './words.ts';

interface StepProps {
  readonly sandbox: string;
  readonly step: AnyStep;
  /** The index of the step. */
  readonly place: number;
  readonly doing: Doing;
  /** When the step was done, as an ISO time; undefined if it was not. */
  readonly doneAt: string | undefined;
  readonly isLooking: boolean;
  readonly onDo: () => Promise<void>;
  /** Opens a page for a button. */
  readonly onLook: (opener: HTMLElement, at: string, path: string) => void;
}

/** One step: what to say, its buttons, and what its calls achieved. */
export function StepView(props: StepProps): VNode {
  const { sandbox, step, place, doing, doneAt, onLook } = props;
  const { items, visual } = doing.played;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  const lookAt = (opener: HTMLElement, requestId: string): void =>
    onLook(opener, 'Console › Journal', pathTo(sandbox, 'journal', { request: requestId }));
  return html`<article>
    <p class="kicker">Step ${place + 1} of ${steps.length}</p>
    <h1 ref=${heading} tabindex="-1">${step.title}</h1>
    <p class="lead">${words(step.sees)} ${words(step.matters)}</p>
    <${Actions} ...${props} />
    <${Result} step=${step} doing=${doing} doneAt=${doneAt} />
    ${visual !== null && html`<${VisualView} visual=${visual} />`}
    ${
      items.length === 0
        ? html`<${Plan} step=${step} />`
        : html`<h2>The requests and their responses</h2>
            <ol class="calls">
              ${items.map((item) =>
                item.kind === 'note'
                  ? html`<li key=${item.place} class="note">${item.text}</li>`
                  : html`<li key=${item.place}><${CallView} call=${item} isRunning=${doing.isRunning} onLook=${lookAt} /></li>`,
              )}
            </ol>`
    }
  </article>`;
}

function Actions({ sandbox, step, place, doing, doneAt, isLooking, onDo, onLook }: StepProps): VNode {
  const { isRunning, outcome, problem } = doing;
  const isDone = doneAt !== undefined;
  const [before, next] = [steps[place - 1], steps[place + 1]];
  // A disabled button would lose the focus.
  const run = (): void => {
    if (!isRunning) void onDo();
  };
  const look = ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>): void =>
    onLook(currentTarget, step.look.at, outcome?.look ?? lookOf(step.name, sandbox));
  return html`<div class="bar">
    <div class="row">
      <button type="button" class=${isDone ? 'do' : 'do main'} aria-disabled=${isRunning} onClick=${run}>${doLabel(isRunning, isDone, problem !== null)}</button>
      <button type="button" class="look" aria-expanded=${isLooking} onClick=${look}>${doing.lookProblem === null ? 'Look' : 'Try to look again'}</button>
    </div>
    <div class="row">
      ${before !== undefined && html`<${Link} class="button" to=${demoPath(sandbox, before.name)}>Back<//>`}
      ${
        next === undefined
          ? html`<${Link} class=${isDone ? 'button main' : 'button'} to=${demoPath(sandbox, steps[0].name)}>Give the demo again<//>`
          : html`<${Link} class=${isDone ? 'button main' : 'button'} to=${demoPath(sandbox, next.name)}>${isDone ? 'Next step' : 'Skip step'}<//>`
      }
    </div>
  </div>`;
}

function doLabel(isRunning: boolean, isDone: boolean, hasFailed: boolean): string {
  if (isRunning) return 'Working …';
  if (hasFailed) return 'Try again';
  return isDone ? 'Do it again' : 'Do it';
}

interface ResultProps {
  readonly step: AnyStep;
  readonly doing: Doing;
  readonly doneAt: string | undefined;
}

/** What to point at after the step, or why it went differently; also announced by screen readers. */
function Result({ step, doing: { isRunning, outcome, problem, lookProblem }, doneAt }: ResultProps): VNode {
  const isEarlier = doneAt !== undefined && outcome === null && problem === null && !isRunning;
  return html`<div role="status" class="result">
      ${
        outcome !== null &&
        html`<p class=${outcome.surprise === null ? 'notice good' : 'notice warn'}>
          ${outcome.surprise === null ? words(step.point) : html`<strong>This is not what the script expects.</strong> ${words(outcome.surprise)}`}
        </p>`
      }
      ${isEarlier && html`<p class="notice">You did this step at ${timeOf(doneAt)}, before this page was loaded. Do it again to see its requests.</p>`}
    </div>
    <${ProblemNotice} problem=${problem ?? lookProblem} />`;
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
}

/** What the buttons will do. */
function Plan({ step: { calls, look } }: { readonly step: AnyStep }): VNode {
  return html`<section class="preview" aria-label="What the buttons do">
    <div>
      <h2><em>Do it</em> sends real requests</h2>
      <ol>
        ${Object.entries(calls).map(([name, caption]) => html`<li key=${name}>${words(caption)}</li>`)}
      </ol>
    </div>
    <div>
      <h2><em>Look</em> opens ${look.at}</h2>
      <p>${words(look.shows)}</p>
    </div>
  </section>`;
}
