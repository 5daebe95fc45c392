import { stripVTControlCharacters } from 'node:util';
import { Markup, markup, nothing } from '../../base/markup.ts';
import type { Matrix, Run } from './plan.ts';
import { factsOf } from './table.ts';

/**
 * Renders the matrix as JUnit XML for CI systems: one test per run; runs that are not met, or allowed to
 * fail, are skipped.
 */
export function toJunit({ runs, missed, report: { situations } }: Matrix): string {
  const time = runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const failures = runs.filter(isFailure).length + (missed.length === 0 ? 0 : 1);
  const counts = markup`tests="${runs.length + 1}" failures="${failures}" errors="0" time="${time}"`;
  const skipped = runs.filter((run) => run.result !== 'passed' && !isFailure(run)).length;
  const coverage = `All runs together met ${situations.met} of ${situations.of} situations (${situations.percent} %).`;
  // The totals have no count of skipped tests, because the schema that Jenkins validates against does not
  // allow one.
  return `<?xml version="1.0" encoding="UTF-8"?>
${
  markup`<testsuites name="lp-sandbox matrix" ${counts}>
<testsuite name="matrix" ${counts} skipped="${skipped}">
${runs.map(testCase)}
<testcase classname="matrix" name="all runs" time="0.000">${
    missed.length === 0
      ? nothing
      : markup`<failure message="${missed.join(' ')}" type="threshold">${missed.join('\n')}</failure>`
  }<system-out>${coverage}</system-out></testcase>
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
  const facts = factsOf(run).map(([name, text]) => `${name}: ${text}`);
  // Some CI systems show only the text of a failure, others only its message.
  if (isFailure(run))
    return markup`<failure message="${reason}" type="${run.kind}">${[reason, ...facts, `repeat: ${run.command}`, output].join('\n').trimEnd()}</failure>`;
  const why = run.result === 'failed' ? `failed, as allowed: ${reason}` : reason;
  return markup`<skipped message="${why}"/>${output === '' ? nothing : markup`<system-out>${output}</system-out>`}`;
}
