import type { Ending } from '../child.ts';
import type { PlannedRun, Run } from './plan.ts';
import type { CallCounter } from './call-counter.ts';
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
  readonly counter: Pick<CallCounter, 'calls' | 'withKey' | 'assumed' | 'fired'>;
  /** The thresholds that its calls missed, a sentence each. */
  readonly missed: readonly string[];
  readonly failedTests: readonly string[];
  readonly out: string;
  readonly err: string;
}

type Verdict = Pick<Run, 'result' | 'reason'>;

/**
 * A run passes if its program exits with 0, calls the sandbox, keeps the thresholds, and triggers the run's
 * assumption or scenario.
 */
export function resultOf(planned: PlannedRun, outcome: Outcome): Verdict {
  const failure = whyFailed(outcome);
  if (failure !== null) return { result: 'failed', reason: failure };
  const missing = whatNeverShowed(planned, outcome.counter);
  if (missing === null) return { result: 'passed', reason: null };
  return { result: 'not-met', reason: `passed, but not met: ${missing}` };
}

function whyFailed(outcome: Outcome): string | null {
  const {
    ended: { code, signal, lateAfter },
    counter: { calls, withKey },
    missed,
    failedTests,
  } = outcome;
  if (lateAfter !== null) return `took longer than ${lateAfter} s`;
  if (signal !== null) return `ended by ${signal}`;
  if (code !== 0) return failureOf(code, failedTests) ?? `exit code ${code}${explanation(outcome)}`;
  if (calls === 0) return 'did not call its sandbox';
  if (withKey === 0) return 'did not call an operation with a valid key';
  return missed.length === 0 ? null : oneLine(missed.join(' '), longest);
}

/** The failed tests explain the failure better than the output does. */
function explanation({ out, err }: Pick<Outcome, 'out' | 'err'>): string {
  const line = tellingLine(out, err);
  return line === '' ? ', no output' : `: ${line}`;
}

/** Returns why a run failed, in one line that names a failed test; null if none is known. */
function failureOf(code: number | null, [first, ...more]: readonly string[]): string | null {
  if (first === undefined) return null;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return `exit code ${code}${oneLine(`: ${first}${others}`, longest)}`;
}

function whatNeverShowed(
  { kind, assumptions }: PlannedRun,
  { assumed, fired }: Outcome['counter'],
): string | null {
  if (kind === 'scenario') return fired === 0 ? 'no rule of the scenario fired' : null;
  if (kind === 'defaults') return null;
  const names = Object.keys(assumptions);
  if (names.some((name) => assumed.has(name))) return null;
  return kind === 'profile'
    ? 'no response depended on the options of the profile'
    : `no response depended on ${names.join(', ')}`;
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
