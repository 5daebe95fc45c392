import { code, fenced, fitted, prose } from '../../report/render/markdown-text.ts';
import type { Matrix, Run } from './plan.ts';
import { factsOf, figuresOf, resultText, summaryOf } from './table.ts';

const heads =
  '| run | result | calls | violations | conduct | seconds | reason |\n| --- | --- | ---: | ---: | --- | ---: | --- |';

/**
 * Renders the matrix as Markdown for a pull request comment: failed runs first, all runs in a collapsed
 * section.
 */
export function toMarkdown(matrix: Matrix): string {
  const failed = matrix.runs.filter(({ result }) => result === 'failed');
  const { missed } = matrix;
  const sign = missed.length > 0 || failed.some(({ allowed }) => !allowed) ? '✗' : '✓';
  const blocks = [
    { head: `### ${sign} ${summaryOf(matrix)}`, items: [], foot: '' },
    ...(missed.length === 0 ? [] : [{ head: '', items: missed.map((one) => `- ✗ ${prose(one)}`), foot: '' }]),
    ...(failed.length === 0
      ? []
      : [
          { head: heads, items: failed.map(row), foot: '' },
          {
            head: '<details><summary>Details of failed runs</summary>\n',
            items: failed.map(details),
            foot: '\n</details>',
          },
        ]),
    {
      head: `<details><summary>All runs</summary>\n\n${heads}`,
      items: matrix.runs.map(row),
      foot: '\n</details>',
    },
  ];
  return fitted(blocks);
}

function row(run: Run): string {
  const cells = [code(run.name), resultText(run), ...figuresOf(run), prose(run.reason ?? '')];
  return `| ${cells.join(' | ')} |`;
}

function details(run: Run): string {
  const facts = factsOf(run).map(([name, text]) => `- ${name}: ${prose(text)}`);
  return `**${code(run.name)}**\n\n${facts.join('\n')}\n\n${fenced(run.command)}\n`;
}
