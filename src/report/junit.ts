import { escapedXml } from './escape.ts';
import { outcomesText } from './markdown.ts';
import type { Report } from './report.ts';

/** The report as JUnit XML, as CI systems show it: an operation that was never called is skipped, one called wrongly fails. */
export function toJunit(report: Report): string {
  const cases = report.coverage.map(({ operation, calls, outcomes }) => {
    const broken = report.violations.filter((violation) => violation.operation === operation);
    const failures = broken.map(
      ({ pointer, message, count }) =>
        `<failure message="${escapedXml(`${pointer === '' ? 'The body' : pointer} ${message}`)}">${count} times</failure>`,
    );
    const skipped = calls === 0 ? '<skipped message="never called"/>' : '';
    const told = `<system-out>${escapedXml(outcomesText(outcomes))}</system-out>`;
    return `    <testcase classname="contract" name="${operation}">${skipped}${failures.join('')}${told}</testcase>`;
  });
  const failed = new Set(report.violations.map(({ operation }) => operation)).size;
  const counts = `tests="${cases.length}" failures="${failed}" skipped="${report.neverCalled.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="sandbox ${report.sandbox}" ${counts}>\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}
