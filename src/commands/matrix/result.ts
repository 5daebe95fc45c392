import type { Ending } from '../child.ts';
import type { PlannedRun, Run } from './plan.ts';
import { tellingLine } from './failure-line.ts';
import type { CallCounts } from './call-counter.ts';

/** How a run's program ended. */
export interface Ended extends Ending {
  /** The timeout in seconds that ended the program, or null. */
  readonly lateAfter: number | null;
}

/** The outcome of a run's program. */
interface Outcome {
  readonly ended: Ended;
  readonly tally: CallCounts;
  readonly out: string;
  readonly err: string;
  /** Number of parallel runs. */
  readonly jobs: number;
}

type Verdict = Pick<Run, 'result' | 'reason'>;

/** A run passes if its program exits with 0, calls its sandbox, and triggers the run's assumption or scenario. */
export function resultOf(planned: PlannedRun, outcome: Outcome): Verdict {
  const failure = whyFailed(outcome);
  if (failure !== null) return { result: 'failed', reason: failure };
  const missing = whatNeverShowed(planned, outcome.tally);
  if (missing === null) return { result: 'passed', reason: null };
  return { result: 'not-met', reason: `passed, but not met: ${missing}${hint(planned, outcome.jobs)}` };
}

function whyFailed({ ended: { code, signal, lateAfter }, tally, out, err }: Outcome): string | null {
  if (lateAfter !== null) return `took longer than ${lateAfter} s`;
  if (signal !== null) return `ended by ${signal}`;
  if (code !== 0) {
    const line = tellingLine(out, err);
    return line === '' ? `exit code ${code}, no output` : `exit code ${code}: ${line}`;
  }
  return tally.calls === 0 ? `did not call its sandbox${elsewhere(tally)}` : null;
}

function elsewhere({ elsewhere: others }: CallCounts): string {
  const parts = [...others].map(([id, calls]) => `${calls} to ${id}`);
  if (parts.length === 0) return '';
  return `; other sandboxes received calls (${parts.slice(0, 3).join(', ')}) with a key other than SANDBOX_API_KEY`;
}

function whatNeverShowed({ kind, assumptions }: PlannedRun, { assumed, fired }: CallCounts): string | null {
  if (kind === 'scenario') return fired === 0 ? 'no rule of the scenario fired' : null;
  if (kind === 'defaults') return null;
  const names = Object.keys(assumptions);
  const shaped: ReadonlySet<string> = assumed;
  if (names.some((name) => shaped.has(name))) return null;
  return kind === 'profile' ? 'no response depended on the options of the profile' : `no response depended on ${names.join(', ')}`;
}

/** Calls without a usable key can be assigned to a run only if runs are sequential. */
function hint({ assumptions }: PlannedRun, jobs: number): string {
  const isAboutKeys = 'missingKey' in assumptions || 'invalidKey' in assumptions;
  return isAboutKeys && jobs > 1 ? '; calls without a usable key count only with --jobs 1' : '';
}
