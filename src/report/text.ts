import { summaryOf } from './markdown.ts';
import type { Report } from './report.ts';

/** The report in a few lines, as it is told at the end of a run in a terminal. */
export function toText(report: Report): string {
  const { violations, conduct } = report;
  const names = (verdict: string): readonly string[] => conduct.filter((one) => one.verdict === verdict).map(({ check }) => check);
  const broken = conduct.filter(({ verdict }) => verdict === 'failed');
  const lines = [
    summaryOf(report),
    ...violations.map(({ operation, pointer, message, count, requestIds }) => {
      return `  ✗ ${operation} ${count}×: ${pointer === '' ? 'the body' : pointer} ${message} (${requestIds.join(', ')})`;
    }),
    `Conduct: ${names('passed').length} checks kept, ${broken.length} broken, ${names('not-exercised').length} not exercised.`,
    ...broken.flatMap(({ check, title, message, findings }) => [
      `  ✗ ${check} (${title}): ${message}`,
      ...findings.map((finding) => `      ${finding.operation}: ${finding.message} (${evidenceText(finding)})`),
    ]),
    ...listed('  kept: ', names('passed')),
    ...listed('  not exercised: ', names('not-exercised')),
  ];
  return `${lines.join('\n')}\n`;
}

/** The calls that show a finding, by their ids. */
export function evidenceText({ evidence }: Report['conduct'][number]['findings'][number]): string {
  return evidence.map(({ requestId }) => requestId).join(', ');
}

function listed(label: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${label}${names.join(', ')}`];
}
