import { stripVTControlCharacters } from 'node:util';
import { Markup, markup, nothing } from '../../base/markup.ts';
import type { Matrix, Run } from './plan.ts';

/** The matrix as JUnit XML, as CI systems show it: one test per run; one that never came to what it is about, or may fail, is skipped. */
export function toJunit({ runs }: Matrix): string {
  const time = runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const counts = markup`tests="${runs.length}" failures="${runs.filter(isFailure).length}" errors="0" time="${time}"`;
  const skipped = runs.filter((run) => run.result !== 'passed' && !isFailure(run)).length;
  // On the whole there is no count of what was skipped: the schema that Jenkins holds files against knows none.
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
  if (isFailure(run)) return markup`<failure message="${reason}" type="${run.kind}">${`${reason}\n${output}`.trimEnd()}</failure>`;
  const why = run.result === 'failed' ? `failed, as allowed: ${reason}` : reason;
  return markup`<skipped message="${why}"/>${output === '' ? nothing : markup`<system-out>${output}</system-out>`}`;
}
