import type { Matrix, Run } from './plan.ts';

/** A run's result as people read it. */
export function resultText({ result, allowed }: Run): string {
  if (result === 'not-met') return 'not met';
  return result === 'failed' && allowed ? 'failed, as allowed' : result;
}

/** Last comes what is looked at first: the end of a long table is what a terminal shows. */
const order: readonly Run['result'][] = ['not-met', 'passed', 'failed'];

/** All runs, one line each, and how many came to what. */
export function toTable(matrix: Matrix): string {
  const heads = ['run', 'result', 'calls', 'seconds', 'reason'];
  const sorted = matrix.runs.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
  const rows = sorted.map((run) => [run.name, resultText(run), String(run.calls), run.seconds.toFixed(1), run.reason ?? '']);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${[heads, ...rows].map(line).join('\n')}\n\n${summaryOf(matrix)}\n`;
}

export function summaryOf({ runs, passed, failed, notMet }: Matrix): string {
  const allowed = runs.filter((run) => run.result === 'failed' && run.allowed).length;
  const parts = [
    `${passed} passed`,
    `${failed} failed${allowed === 0 ? '' : ` (${allowed} of them allowed)`}`,
    ...(notMet === 0 ? [] : [`${notMet} passed without ever coming to what the run is about`]),
  ];
  const first = runs.find(({ kind }) => kind === 'defaults');
  const advice = first?.result === 'failed' ? ' The run with the defaults failed: look there first.' : '';
  return `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${parts.join(', ')}.${advice}`;
}
