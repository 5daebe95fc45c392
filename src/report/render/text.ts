import { oneLine } from '../../base/escape.ts';
import {
  conductText,
  counted,
  evidenceText,
  figuresOf,
  leftOutOf,
  placeOf,
  signs,
  verdictOf,
  type Check,
  type Violation,
} from '../figures.ts';
import type { Report } from '../report.ts';
import { listed } from '../../base/lists.ts';

/** Maximum number of failed checks and violations shown in a terminal. */
const maxListed = 5;

/** Length of the longest check name. */
const longestName = 'undocumented-fields'.length;

/** Renders the report for a terminal, at the end of a run. */
export function toText(report: Report): string {
  const { sign, sentence } = verdictOf(report);
  const { broken, advised } = figuresOf(report);
  const lines = [
    `${sign} ${sentence}`,
    ...figureLines(report),
    ...told('Contract violations', report.violations, (one) => violationLines(one)),
    ...told(
      'Violated rules of conduct',
      broken.filter(({ strength }) => strength === 'must'),
      brokenLines,
    ),
    ...told(
      'Rules of conduct that the client should follow',
      broken.filter(({ strength }) => strength === 'should'),
      brokenLines,
    ),
    ...told('Advice', advised, brokenLines),
    ...told('Contract violations by the service', report.responseViolations ?? [], (one) =>
      violationLines(one, 'the response'),
    ),
    ...told(
      "Differences of the service from the sandbox's assumptions",
      report.responseDifferences ?? [],
      (one) => violationLines(one, 'the response', '≠'),
    ),
    'For the full report with missing situations, use --report report.html',
  ];
  return `${lines.join('\n')}\n`;
}

function figureLines(report: Report): readonly string[] {
  const { situations, coverage, calls, faultsMet } = report;
  const figures = figuresOf(report);
  const { calledOperations, violations, responseViolations, responseDifferences } = figures;
  const faults = Object.keys(faultsMet).length;
  const leftOut = leftOutOf(report);
  return [
    `  calls       ${calls} to ${calledOperations} of ${counted(coverage.length, 'operation')}${leftOut === null ? '' : `; ${leftOut}`}`,
    `  situations  ${situations.met} of ${situations.of} met (${situations.percent} %), including ${counted(faults, 'kind')} of faults`,
    `  contract    ${counted(violations, 'violation')}${report.responseViolations === undefined ? '' : `, and ${responseViolations} by the service`}`,
    ...(report.responseDifferences === undefined
      ? []
      : [`  assumptions ${counted(responseDifferences, 'difference')} of the service`]),
    `  conduct     ${conductText(figures)}`,
    ...namesLine('not judged', figures.notJudged),
    ...namesLine('not exercised', figures.notExercised),
  ];
}

/** Returns one line with the names of checks; none if there are none. */
function namesLine(what: string, checks: readonly Check[]): readonly string[] {
  return checks.length === 0 ? [] : [`              ${what}: ${checks.map(({ check }) => check).join(', ')}`];
}

function told<T>(
  title: string,
  all: readonly T[],
  linesOf: (one: T) => readonly string[],
): readonly string[] {
  if (all.length === 0) return [];
  const rest = all.length - maxListed;
  return [
    title,
    ...all.slice(0, maxListed).flatMap((one) => linesOf(one)),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

function brokenLines({ check, title, strength, findings }: Check): readonly string[] {
  const [first, ...more] = findings;
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return [
    `  ${signs[strength]} ${check.padEnd(longestName)}  ${title}`,
    ...(first === undefined
      ? []
      : [`      ${oneLine(`${first.operation}: ${first.message} (${evidenceText(first)})`)}${rest}`]),
  ];
}

function violationLines(
  { operation, pointer, message, count, requestIds, unmatched }: Violation,
  whole = unmatched ? 'the request' : 'the body',
  sign = '✗',
): readonly string[] {
  return [
    `  ${sign} ${count}× ${operation} ${oneLine(`${placeOf(pointer, whole)} ${message}`)} (${listed(requestIds.slice(0, 1), requestIds.length)})`,
  ];
}
