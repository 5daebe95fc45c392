import { stripVTControlCharacters } from 'node:util';
import { Markup, markup, nothing } from '../../base/markup.ts';
import type { Matrix, Run } from './plan.ts';

/**
 * Renders the matrix as JUnit XML for CI systems: one test per run; runs that are not met, or allowed to
 * fail, are skipped.
 */
export function toJunit({ runs }: Matrix): string {
  const time = runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const counts = markup`tests="${runs.length}" failures="${runs.filter(isFailure).length}" errors="0" time="${time}"`;
  const skipped = runs.filter((run) => run.result !== 'passed' && !isFailure(run)).length;
  // The totals have no count of skipped tests, because the schema that Jenkins validates against does not
  // allow one.
  return `<?xml version="1.0" encoding="UTF-8"?>
${
  markup`<testsuites name="lp-sandbox matrix" ${counts}>
<testsuite name="matrix" ${counts} skipped="${skipped}">
${runs.map(testCase)}
</testsuite>
</testsuites>
`.text
}`;
}

function isFailure({ result, allowed }: Run): boolean {
  return result === 'failed' && !allowed;
}

function testCase(run: Run): Markup {
  return markup`<testcase classname="matrix.${run.kind}" name="${run.name}" time="${run.seconds.toFixed(3)}">${outcomeOf(run)}</testcase>`;
}

function outcomeOf(run: Run): Markup {
  if (run.result === 'passed') return nothing;
  const reason = run.reason ?? '';
  const output = stripVTControlCharacters(run.output);
  // Some CI systems show only the text of a failure, others only its message.
  if (isFailure(run))
    return markup`<failure message="${reason}" type="${run.kind}">${`${reason}\n${output}`.trimEnd()}</failure>`;
  const why = run.result === 'failed' ? `failed, as allowed: ${reason}` : reason;
  return markup`<skipped message="${why}"/>${output === '' ? nothing : markup`<system-out>${output}</system-out>`}`;
}
