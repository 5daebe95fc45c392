import type { Report } from './report.ts';

/** The report as Markdown, for a comment on a pull request. */
export function toMarkdown(report: Report): string {
  const lines = [
    `# What the client did in sandbox \`${report.sandbox}\``,
    '',
    summaryOf(report),
    '',
    '| operation | calls | outcomes |',
    '| --- | --- | --- |',
    ...report.coverage.map(({ operation, calls, outcomes }) => `| \`${operation}\` | ${calls} | ${outcomesText(outcomes)} |`),
    '',
    '## Requests that break the contract',
    '',
    ...(report.violations.length === 0 ? ['None.'] : report.violations.map(violationLine)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The report in a sentence or two. */
export function summaryOf({ calls, coverage, situations, faultsMet, evicted, violations }: Report): string {
  const called = coverage.filter((one) => one.calls > 0).length;
  const met = Object.entries(faultsMet).map(([fault, count]) => `${fault} (${count})`);
  const faults = met.length === 0 ? 'It met no injected fault.' : `It met these faults: ${met.join(', ')}.`;
  const gone = evicted === 0 ? '' : ` ${evicted} older calls had to make room in the journal and are not counted.`;
  const broken = violations.reduce((sum, { count }) => sum + count, 0);
  return `${counted(calls, 'call')} to ${called} of ${coverage.length} operations, with ${counted(broken, 'violation')} of the contract; ${situations.met} of ${situations.of} situations met (${situations.percent} %). ${faults}${gone}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function outcomesText(outcomes: Readonly<Record<string, number>>): string {
  const parts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return parts.length === 0 ? 'never called' : parts.join(', ');
}

function violationLine({ operation, pointer, message, count, requestIds }: Report['violations'][number]): string {
  return `- \`${operation}\` ${count}×: \`${pointer === '' ? 'the body' : pointer}\` ${message} (${requestIds.join(', ')})`;
}
