import { code, fitted, prose } from '../../report/render/markdown-text.ts';
import type { Matrix, Run } from './plan.ts';
import { resultText, summaryOf } from './table.ts';

const heads = '| run | result | calls | seconds | reason |\n| --- | --- | --- | --- | --- |';

/**
 * Renders the matrix as Markdown for a pull request comment: failed runs first, all runs in a collapsed
 * section.
 */
export function toMarkdown(matrix: Matrix): string {
  const failed = matrix.runs.filter(({ result }) => result === 'failed');
  const sign = failed.some(({ allowed }) => !allowed) ? '✗' : '✓';
  const blocks = [
    { head: `### ${sign} ${summaryOf(matrix)}`, items: [], foot: '' },
    ...(failed.length === 0 ? [] : [{ head: heads, items: failed.map(row), foot: '' }]),
    {
      head: `<details><summary>All runs</summary>\n\n${heads}`,
      items: matrix.runs.map(row),
      foot: '\n</details>',
    },
  ];
  return fitted(blocks);
}

function row(run: Run): string {
  return `| ${code(run.name)} | ${resultText(run)} | ${run.calls} | ${run.seconds.toFixed(1)} | ${prose(run.reason ?? '')} |`;
}
