import type { Ending } from '../child.ts';
import type { PlannedRun, Run } from './plan.ts';
import type { CallCounts } from './call-counter.ts';
import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../../base/escape.ts';

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

/**
 * A run passes if its program exits with 0, calls its sandbox, and triggers the run's assumption or scenario.
 */
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
  return kind === 'profile'
    ? 'no response depended on the options of the profile'
    : `no response depended on ${names.join(', ')}`;
}

/** Calls without a usable key can be assigned to a run only if runs are sequential. */
function hint({ assumptions }: PlannedRun, jobs: number): string {
  const isAboutKeys = 'missingKey' in assumptions || 'invalidKey' in assumptions;
  return isAboutKeys && jobs > 1 ? '; calls without a usable key count only with --jobs 1' : '';
}

/** Maximum length of a reason, so that it fits on one line. */
const longest = 160;

/**
 * Error lines of runtimes and libraries: `AssertionError: …`, `urllib.error.HTTPError: …`, `Exception in
 * thread …`.
 */
const named = /^(?:\W|E\s)*(?:Uncaught |Caused by: |Unhandled )?[\w.$]*(?:Error|Exception)\b(?!\w).*\S/;
/** Error lines of most other programs. */
const likely =
  /\b(?:error|fail(?:ed|s|ure)?|fatal|panic(?:ked)?|cannot|can't|could not|refused|not ok|denied|timed out)\b|^\s*[✗✖×]/i;
/** Lines after an error that do not describe it. */
const noise = /^\s*(?:at |npm (?:error|ERR!|warn|notice)|Node\.js v\d|\^+$|[{}[\]()]+[;,]?$|=+ .* =+$)/;

/** Returns the line that most likely explains the failure; empty if the program printed nothing. */
export function tellingLine(out: string, err: string): string {
  const said = [linesOf(out), linesOf(err)];
  for (const looks of [named, likely]) {
    for (const lines of said.toReversed()) {
      const line = lines.findLast((one) => looks.test(one) && !noise.test(one));
      if (line !== undefined) return oneLine(line, longest);
    }
  }
  const all = said.flat();
  return oneLine(all.findLast((line) => !noise.test(line)) ?? all.at(-1) ?? '', longest);
}

function linesOf(text: string): readonly string[] {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines.filter((line) => line.trim() !== '');
}
