import { pathTo } from '../../route.ts';
import { schoolPath } from '../../school/school.ts';
import type { AnyStep, StepName } from '../script.ts';
import type { Stage } from '../stage.ts';
import { runAnswers } from './answers.ts';
import { runInstructor } from './instructor.ts';
import { known, noor } from './known.ts';
import { runLiveEvents } from './live-events.ts';
import { runLostResponse } from './lost-response.ts';
import { runMistake } from './mistake.ts';
import { runOutage } from './outage.ts';
import { runRateLimit } from './rate-limit.ts';
import { runRecording } from './recording.ts';
import { runReport } from './report.ts';
import { runReset } from './reset.ts';
import type { Outcome, Run } from './step.ts';

const runs: { readonly [N in StepName]: Run<N> } = {
  'live-events': runLiveEvents,
  instructor: runInstructor,
  answers: runAnswers,
  mistake: runMistake,
  outage: runOutage,
  'lost-response': runLostResponse,
  'rate-limit': runRateLimit,
  recording: runRecording,
  report: runReport,
  reset: runReset,
};

/** Does a step. */
export function runStep({ name, calls }: AnyStep, stage: Stage): Promise<Outcome> {
  // Each function is listed under the name of the step whose captions it gets.
  const run = runs[name] as (stage: Stage, captions: AnyStep['calls']) => Promise<Outcome>;
  return run(stage, calls);
}

const school = (sandbox: string, section: string, query = {}): string =>
  schoolPath(sandbox, 'riverside', section, query);

const looks: { readonly [N in StepName]: (sandbox: string) => string } = {
  'live-events': (sandbox) => school(sandbox, 'live-events'),
  instructor: (sandbox) => school(sandbox, 'instructors', { search: noor.name }),
  answers: (sandbox) => school(sandbox, 'learners', { learner: known.learner.id, item: known.quizItem }),
  mistake: (sandbox) => pathTo(sandbox, 'journal'),
  outage: (sandbox) => pathTo(sandbox, 'journal'),
  'lost-response': (sandbox) => pathTo(sandbox, 'journal'),
  'rate-limit': (sandbox) => pathTo(sandbox, 'clock'),
  recording: (sandbox) => pathTo(sandbox, 'player', { session: known.session }),
  report: (sandbox) => pathTo(sandbox, 'report'),
  reset: (sandbox) => school(sandbox, 'instructors', { search: noor.name }),
};

/** Returns the address of the page that *Look* opens, if the calls did not determine it. */
export function lookOf(name: StepName, sandbox: string): string {
  return looks[name](sandbox);
}
