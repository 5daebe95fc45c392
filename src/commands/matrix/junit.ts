import { stripVTControlCharacters } from 'node:util';
import { escapedXml } from '../../report/escape.ts';
import type { Matrix, Run } from './plan.ts';

/** The matrix as JUnit XML, as CI systems show it: one test per run; one that never came to what it is about, or may fail, is skipped. */
export function toJunit({ runs }: Matrix): string {
  const counts = [
    `tests="${runs.length}"`,
    `failures="${runs.filter(isFailure).length}"`,
    `skipped="${runs.filter((run) => run.result !== 'passed' && !isFailure(run)).length}"`,
    `time="${runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)}"`,
  ].join(' ');
  const cases = runs.map(caseOf).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="lp-sandbox matrix" ${counts}>\n${cases}\n  </testsuite>\n</testsuites>\n`;
}

function isFailure({ result, allowed }: Run): boolean {
  return result === 'failed' && !allowed;
}

function caseOf(run: Run): string {
  const head = `    <testcase classname="${run.kind}" name="${escapedXml(run.name)}" time="${run.seconds.toFixed(3)}"`;
  if (run.result === 'passed') return `${head}/>`;
  const message = escapedXml(run.reason ?? '');
  const output = escapedXml(stripVTControlCharacters(run.output));
  if (isFailure(run)) return `${head}><failure message="${message}">${output}</failure></testcase>`;
  const why = run.result === 'failed' ? `failed, as allowed: ${message}` : message;
  const told = output === '' ? '' : `<system-out>${output}</system-out>`;
  return `${head}><skipped message="${why}"/>${told}</testcase>`;
}
