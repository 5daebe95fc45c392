import { oneLine } from '../../base/escape.ts';
import { conductText, counted, evidenceText, figuresOf, leftOutOf, placeOf, verdictOf, type Check, type Violation } from '../figures.ts';
import type { Report } from '../report.ts';

/** Broken checks and violations that are told: a terminal is for a glance, and the page tells all. */
const maxListed = 5;

/** Of a check. */
const longestName = 'undocumented-fields'.length;

/** The report on a screen of a terminal, as it is told at the end of a run. */
export function toText(report: Report): string {
  const { sign, sentence } = verdictOf(report);
  const { broken } = figuresOf(report);
  const lines = [
    `${sign} ${sentence}`,
    ...figureLines(report),
    ...told('Broken rules of conduct', broken, brokenLines),
    ...told('Contract violations', report.violations, violationLines),
    ...told('Contract violations of the upstream', report.responseViolations ?? [], (one) => violationLines(one, 'the response')),
    'All of it, with what is missing and how to meet it: --report report.html',
  ];
  return `${lines.join('\n')}\n`;
}

function figureLines(report: Report): readonly string[] {
  const { situations, coverage, calls, faultsMet } = report;
  const figures = figuresOf(report);
  const { calledOperations, violations, responseViolations, notExercised } = figures;
  const faults = Object.keys(faultsMet).length;
  const leftOut = leftOutOf(report);
  const names = notExercised.length === 0 ? '' : ` (${notExercised.map(({ check }) => check).join(', ')})`;
  return [
    `  calls       ${calls} to ${calledOperations} of ${counted(coverage.length, 'operation')}${leftOut === null ? '' : `; ${leftOut}`}`,
    `  situations  ${situations.met} of ${situations.of} met (${situations.percent} %), ${counted(faults, 'kind')} of faults among them`,
    `  contract    ${counted(violations, 'violation')}${report.responseViolations === undefined ? '' : `, and ${responseViolations} of the upstream`}`,
    `  conduct     ${conductText(figures)}${names}`,
  ];
}

function told<T>(title: string, all: readonly T[], linesOf: (one: T) => readonly string[]): readonly string[] {
  if (all.length === 0) return [];
  const rest = all.length - maxListed;
  return [title, ...all.slice(0, maxListed).flatMap((one) => linesOf(one)), ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

function brokenLines({ check, title, findings }: Check): readonly string[] {
  const [first, ...more] = findings;
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return [
    `  ✗ ${check.padEnd(longestName)}  ${title}`,
    ...(first === undefined ? [] : [`      ${oneLine(`${first.operation}: ${first.message} (${evidenceText(first)})`)}${rest}`]),
  ];
}

function violationLines({ operation, pointer, message, count, requestIds }: Violation, whole = 'the body'): readonly string[] {
  const [first = '', ...more] = requestIds;
  const requests = `${first}${more.length === 0 ? '' : `, and ${more.length} more`}`;
  return [`  ✗ ${count}× ${operation} ${oneLine(`${placeOf(pointer, whole)} ${message}`)} (${requests})`];
}
