import type { Matrix, Run } from './plan.ts';
import { oneLine } from '../../base/escape.ts';
import { textTable } from '../../base/text-table.ts';
import { conductText } from './evidence.ts';

/** Returns a run's result as text. */
export function resultText({ result, allowed }: Run): string {
  if (result === 'not-met') return 'not met';
  return result === 'failed' && allowed ? 'failed, as allowed' : result;
}

/** Failed runs come last, because a terminal shows the end of a long table. */
const order: readonly Run['result'][] = ['skipped', 'not-met', 'passed', 'failed'];

/** Renders all runs, one per line, what is known of the failed ones, and a summary. */
export function toTable(matrix: Matrix): string {
  const heads = ['run', 'result', 'calls', 'violations', 'conduct', 'seconds', 'reason'];
  const sorted = matrix.runs.toSorted(
    (one, other) => order.indexOf(one.result) - order.indexOf(other.result),
  );
  const rows = sorted.map((run) => [run.name, resultText(run), ...figuresOf(run), run.reason ?? '']);
  const failed = sorted.filter(({ result }) => result === 'failed').map((run) => `${detailsOf(run)}\n\n`);
  return `${textTable(heads, rows, [2, 3, 5])}\n${failed.join('')}${summaryOf(matrix)}\n`;
}

/** Returns the figures of a run as the cells of a table; they are empty if it was skipped. */
export function figuresOf(run: Run): readonly string[] {
  const { result, calls, violations, seconds } = run;
  if (result === 'skipped') return ['', '', '', ''];
  return [String(calls), String(violations), conductText(run), seconds.toFixed(1)];
}

/** Returns what helps to understand and repeat a failed run. */
function detailsOf(run: Run): string {
  const facts = [...factsOf(run), ['repeat', run.command] as const];
  return [run.name, ...facts.map(([name, text]) => `  ${name.padEnd(7)}${text}`)].join('\n');
}

/** Returns what is known of a failed run, by name, in one line each. */
export function factsOf({
  failedTests,
  missed,
  lastCalls,
  files,
}: Run): readonly (readonly [string, string])[] {
  const calls = lastCalls.map(
    ({ requestId, operation, outcome, status }) => `${requestId} ${operation}: ${outcome} (${status})`,
  );
  const facts: readonly (readonly [string, string])[] = [
    ['tests', failedTests.join(', ')],
    ['missed', missed.join(' ')],
    ['calls', calls.join(', ')],
    ['files', files.join(', ')],
  ];
  return facts.flatMap(([name, text]) => (text === '' ? [] : [[name, oneLine(text, maxFact)] as const]));
}

/** Maximum length of a fact. */
const maxFact = 2000;

export function summaryOf({ runs, passed, failed, notMet, skipped, report: { situations } }: Matrix): string {
  const first = runs.find(({ kind }) => kind === 'defaults');
  const whySkipped =
    first?.calls === 0
      ? 'the command made no call in the run "defaults"'
      : 'the run "defaults" shows that the command cannot trigger them';
  const allowed = runs.filter((run) => run.result === 'failed' && run.allowed).length;
  const parts = [
    `${passed} passed`,
    `${failed} failed${allowed === 0 ? '' : ` (${allowed} allowed)`}`,
    ...(notMet === 0 ? [] : [`${notMet} not met`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped, because ${whySkipped}`]),
  ];
  const advice = first?.result === 'failed' ? adviceOn(first, failed) : '';
  const coverage = ` All runs together met ${situations.met} of ${situations.of} situations (${situations.percent} %).`;
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${parts.join(', ')}.${advice}${coverage}`;
}

/** Says what to do if the first run failed. */
function adviceOn({ calls }: Run, failed: number): string {
  if (calls === 0) return ' Check that the command starts, and that it sends its calls to SANDBOX_URL.';
  return failed > 1 ? ' Start with the run "defaults", which failed too.' : '';
}
