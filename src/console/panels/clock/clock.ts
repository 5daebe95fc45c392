import type { TargetedSubmitEvent, VNode } from 'preact';
import { ask } from '../../api.ts';
import { html } from '../../html.ts';
import { Button } from '../../parts/button.ts';
import { Badge } from '../../parts/badge.ts';
import { MomentField } from '../../parts/moment-field.ts';
import { momentIn, momentProblem } from '../../parts/moment.ts';
import { Loading, ProblemNotice } from '../../parts/notice.ts';
import { useAction } from '../../parts/use-action.ts';
import { useInvalidFocus } from '../../parts/use-invalid-focus.ts';
import { useLoad } from '../../parts/use-load.ts';
import './clock.css';
import { LimitsPart } from './limits.ts';
import type { PanelProps } from '../panel.ts';

/** Buttons that move the clock. */
const steps: readonly (readonly [label: string, seconds: number])[] = [
  ['Advance 10 s', 10],
  ['Advance 1 min', 60],
  ['Advance 10 min', 600],
  ['Advance 1 h', 3600],
  ['Advance 1 day', 86_400],
  ['Advance 1 week', 604_800],
  ['Go back 1 h', -3600],
];

/** The sandbox's clock and rate limits, refreshed every second. */
export function ClockPanel({ sandbox: id }: PanelProps): VNode {
  const { value, problem, refresh } = useLoad(
    () => ask('get', '/control/sandboxes/{sandboxId}/clock', { sandboxId: id }),
    [],
    1000,
  );
  const { busy, problem: failed, run } = useAction();
  const place = useInvalidFocus(failed);
  const act = (work: () => Promise<unknown>): void => void run(work).then(refresh);
  const set = (mode: 'real' | 'frozen', now?: () => string): void =>
    act(async () =>
      ask(
        'put',
        '/control/sandboxes/{sandboxId}/clock',
        { sandboxId: id },
        { mode, ...(now === undefined ? {} : { now: now() }) },
      ),
    );
  const advance = (seconds: number): void =>
    act(() => ask('post', '/control/sandboxes/{sandboxId}/clock/advance', { sandboxId: id }, { seconds }));
  const setMoment = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const moment = (): string => {
      const text = momentIn(form, 'now', '/now');
      if (text === '') throw momentProblem('/now', 'The date is missing. Choose one.');
      return text;
    };
    if (value !== null) set(value.mode, moment);
  };
  return html`<${ProblemNotice} problem=${problem ?? failed} fields=${['/now']} />
    ${value === null && problem === null && html`<${Loading} />`}
    ${
      value !== null &&
      html`<section class="card" aria-label="Clock">
      <p class="now">
        <time datetime=${value.now}>${value.now.slice(0, 19).replace('T', ' ')}</time> UTC
        <${Badge} tone=${value.mode === 'frozen' ? 'info' : 'good'}>${value.mode === 'frozen' ? 'frozen' : 'running'}<//>
      </p>
      <p class="soft">This sandbox uses this clock for rate limits, expiry and dates. Move it instead of waiting.</p>
      <div class="row">
        <${Button} type="button" off=${busy || value.mode === 'frozen'} onClick=${() => set('frozen')}>Freeze clock<//>
        <${Button} type="button" off=${busy || value.mode === 'real'} onClick=${() => set('real')}>Run clock<//>
        <${Button} type="button" off=${busy} onClick=${() => set('real', () => new Date().toISOString())}>Set to real time<//>
      </div>
      <div class="row steps" role="group" aria-label="Move the clock">
        ${steps.map(([label, seconds]) => html`<${Button} key=${label} type="button" off=${busy} onClick=${() => advance(seconds)}>${label}<//>`)}
      </div>
      <form class="row" onSubmit=${setMoment} ref=${place}>
        <${MomentField} name="now" date=${value.now.slice(0, 10)} pointer="/now" problem=${failed} />
        <${Button} off=${busy}>Set clock<//>
      </form>
    </section>`
    }
    <${LimitsPart} sandbox=${id} />`;
}
