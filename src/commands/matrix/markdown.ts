import type { Matrix, Run } from './plan.ts';
import { resultText, summaryOf } from './table.ts';

/** The matrix as Markdown, for a comment on a pull request: what failed, and all of it folded away. */
export function toMarkdown(matrix: Matrix): string {
  const failed = matrix.runs.filter(({ result }) => result === 'failed');
  const lines = [
    '# The client under every assumption and scenario',
    '',
    summaryOf(matrix),
    '',
    ...(failed.length === 0 ? [] : ['## What failed', '', ...tableOf(failed), '']),
    '<details>',
    `<summary>All runs</summary>`,
    '',
    ...tableOf(matrix.runs),
    '',
    '</details>',
  ];
  return `${lines.join('\n')}\n`;
}

function tableOf(runs: readonly Run[]): readonly string[] {
  const rows = runs.map((run) => {
    const { name, calls, seconds, reason } = run;
    return `| \`${name}\` | ${resultText(run)} | ${calls} | ${seconds.toFixed(1)} | ${cell(reason ?? '')} |`;
  });
  return ['| run | result | calls | seconds | reason |', '| --- | --- | --- | --- | --- |', ...rows];
}

/** Text that a program wrote, as it may stand in a table: nothing in it is markup. */
function cell(text: string): string {
  return text.replaceAll(/[\\`*_~|<>[\]&#!@]/g, (character) => `&#${character.codePointAt(0)};`).replaceAll(/\s+/g, ' ');
}
