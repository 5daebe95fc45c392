import type { Matrix, Run } from './plan.ts';
import { textTable } from '../../base/text-table.ts';

/** Returns a run's result as text. */
export function resultText({ result, allowed }: Run): string {
  if (result === 'not-met') return 'not met';
  return result === 'failed' && allowed ? 'failed, as allowed' : result;
}

/** Failed runs come last, because a terminal shows the end of a long table. */
const order: readonly Run['result'][] = ['not-met', 'passed', 'failed'];

/** Renders all runs, one per line, and a summary. */
export function toTable(matrix: Matrix): string {
  const heads = ['run', 'result', 'calls', 'seconds', 'reason'];
  const sorted = matrix.runs.toSorted(
    (one, other) => order.indexOf(one.result) - order.indexOf(other.result),
  );
  const rows = sorted.map((run) => [
    run.name,
    resultText(run),
    String(run.calls),
    run.seconds.toFixed(1),
    run.reason ?? '',
  ]);
  return `${textTable(heads, rows, [2, 3])}\n${summaryOf(matrix)}\n`;
}

export function summaryOf({ runs, passed, failed, notMet }: Matrix): string {
  const allowed = runs.filter((run) => run.result === 'failed' && run.allowed).length;
  const parts = [
    `${passed} passed`,
    `${failed} failed${allowed === 0 ? '' : ` (${allowed} allowed)`}`,
    ...(notMet === 0 ? [] : [`${notMet} not met`]),
  ];
  const first = runs.find(({ kind }) => kind === 'defaults');
  const advice = first?.result === 'failed' ? ' Start with the run "defaults", which failed too.' : '';
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${parts.join(', ')}.${advice}`;
}
