import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type ControlProblem } from '../api.ts';
import { html } from '../html.ts';
import { Link } from '../parts/link.ts';
import { demoPath } from './demo-path.ts';
import { keepProgress, readProgress } from './progress.ts';
import { requireServer } from './require-server.ts';
import { findDemoSandbox } from './sandbox.ts';
import { SideView, type Looked } from './side-view.ts';
import { steps, type AnyStep, type StepName } from './script.ts';
import { nothingPlayed, type Played } from './played.ts';
import { Stage } from './stage.ts';
import { StepView } from './step-view.ts';
import { runStep } from './steps/index.ts';
import type { Outcome } from './steps/step.ts';

/** What the page knows about a step that it has done or is doing. */
export interface Doing {
  readonly isRunning: boolean;
  readonly played: Played;
  readonly outcome: Outcome | null;
  readonly problem: ControlProblem | null;
  /** Why *Look* could not open its page. */
  readonly lookProblem: ControlProblem | null;
}

type DoingByStep = Readonly<Partial<Record<StepName, Doing>>>;

interface TourProps {
  readonly sandbox: string;
  readonly baseUrl: string;
  /** The names of the schools by slug. */
  readonly schools: ReadonlyMap<string, string>;
  readonly step: AnyStep;
  /** Called if the sandbox of the demo is gone. */
  readonly onGone: () => void;
}

/** The steps of a demo: the progress, the current step, and the page that it looks at. */
export function Tour({ sandbox, baseUrl, schools, step, onGone }: TourProps): VNode {
  const [all, setAll] = useState<DoingByStep>({});
  const [done, setDone] = useState(() => doneBefore(sandbox));
  const [looked, setLooked] = useState<Looked | null>(null);
  /** Ends what the step does or opens, once it is left. */
  const current = useRef(new AbortController());
  useEffect(() => {
    setLooked(null);
    current.current = new AbortController();
    return () => current.current.abort();
  }, [step.name]);
  const { name } = step;
  const set = (change: Partial<Doing>): void =>
    setAll((before) => ({ ...before, [name]: { ...(before[name] ?? untouched), ...change } }));
  const doIt = async (): Promise<void> => {
    const { signal } = current.current;
    set({ ...untouched, isRunning: true });
    const onChange = (played: Played): void => set({ played });
    const stage = new Stage({ sandbox, baseUrl, schools, signal, onChange });
    try {
      await requireServer(signal);
      if ((await findDemoSandbox(sandbox)) === null) return onGone();
      const outcome = await runStep(step, stage);
      // The other steps start clean.
      if (name === 'reset') setAll(({ reset = untouched }) => ({ reset }));
      set({ outcome, isRunning: false });
      // Not every page follows the changes of a sandbox.
      setLooked((before) => before && { ...before, round: before.round + 1 });
      setDone((before) => remember(sandbox, name === 'reset' ? {} : before, name));
    } catch (error) {
      if (signal.aborted) set(untouched);
      else set({ problem: asProblem(error), isRunning: false });
    }
  };
  const look = async (opener: HTMLElement, at: string, path: string): Promise<void> => {
    const { signal } = current.current;
    try {
      await requireServer(signal);
      if (signal.aborted) return;
      set({ lookProblem: null });
      setLooked({ at, path, round: 0, opener });
    } catch (error) {
      if (!signal.aborted) set({ lookProblem: asProblem(error) });
    }
  };
  const place = steps.findIndex(({ name }) => name === step.name);
  return html`<div class=${looked === null ? 'tour' : 'tour looking'}>
    <div class="stage">
      <${Progress} sandbox=${sandbox} current=${step.name} done=${done} />
      <main id="content" tabindex="-1">
        <${StepView}
          key=${step.name}
          sandbox=${sandbox}
          step=${step}
          place=${place}
          doing=${all[step.name] ?? untouched}
          doneAt=${done[step.name]}
          isLooking=${looked !== null}
          onDo=${doIt}
          onLook=${look}
        />
      </main>
    </div>
    ${looked !== null && html`<${SideView} looked=${looked} onClose=${() => setLooked(null)} />`}
  </div>`;
}

const untouched: Doing = {
  isRunning: false,
  played: nothingPlayed,
  outcome: null,
  problem: null,
  lookProblem: null,
};

type Done = Readonly<Record<string, string>>;

function doneBefore(sandbox: string): Done {
  const progress = readProgress();
  return progress?.sandbox === sandbox ? progress.done : {};
}

function remember(sandbox: string, before: Done, name: StepName): Done {
  const done = { ...before, [name]: new Date().toISOString() };
  keepProgress({ sandbox, done });
  return done;
}

interface ProgressProps {
  readonly sandbox: string;
  readonly current: StepName;
  readonly done: Done;
}

/** Links to all steps, which show what is done. */
function Progress({ sandbox, current, done }: ProgressProps): VNode {
  const count = steps.filter(({ name }) => done[name] !== undefined).length;
  return html`<nav class="progress" aria-label=${`Steps, ${count} of ${steps.length} done`}>
    <ol>
      ${steps.map(({ name, short, title }, place) => {
        const isDone = done[name] !== undefined;
        return html`<li key=${name} class=${isDone ? 'done' : ''}>
          <${Link} to=${demoPath(sandbox, name)} current=${name === current}>
            <span class="dot" aria-hidden="true">${isDone ? '✓' : place + 1}</span>
            <span class="short" aria-hidden="true">${short}</span>
            <span class="unseen">${`Step ${place + 1}: ${title}${isDone ? ', done' : ''}`}</span>
          <//>
        </li>`;
      })}
    </ol>
  </nav>`;
}
