import { SandboxError } from '../../base/errors.ts';
import { isObject } from '../../base/is-object.ts';
import { sentence, type Violation } from '../../base/violation.ts';
import { reportChecker } from '../../contract/report-check.ts';
import { makeReport, reportVersion, type Report } from '../../report/report.ts';
import { readTextFile } from '../../store/text-file.ts';

/**
 * Reads reports in JSON, also those in files of `matrix`. Throws SandboxError with a line for each file that
 * has none.
 */
export function readReports(paths: readonly string[]): readonly Report[] {
  const check = reportChecker();
  const { situations } = makeReport('', { entries: [], evicted: 0 });
  const read = paths.map((path) => readReport(path, check, situations.of));
  const wrong = read.flatMap((one, index) => (typeof one === 'string' ? [`${paths[index]} ${one}`] : []));
  if (wrong.length > 0) throw new SandboxError(`These reports cannot be merged:\n  ${wrong.join('\n  ')}`);
  return read.flatMap((one) => (typeof one === 'string' ? [] : [one]));
}

type Check = (report: unknown) => readonly Violation[];

/** Returns the report in a file, or why there is none. */
function readReport(path: string, check: Check, situations: number): Report | string {
  let json: unknown;
  try {
    const text = readTextFile(path, 'The report');
    if (text === null) return 'does not exist, or is not a file.';
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return 'is not JSON. Create it with --report FILE.json.';
    throw error;
  }
  const found = isObject(json) && Array.isArray(json['runs']) ? json['report'] : json;
  if (!isObject(found) || !('situations' in found))
    return 'is not a report of lp-sandbox. Create it with --report FILE.json.';
  const why = whyOtherVersion(found['version']);
  if (why !== null) return why;
  const [violation] = check(found);
  if (violation !== undefined) return `is not a valid report: ${sentence(violation, 'The report')}`;
  // It matches the schema of reports.
  const report = found as Report;
  return report.situations.of === situations
    ? report
    : `has ${report.situations.of} situations instead of ${situations}, so another version of lp-sandbox wrote it. Use one version for all reports.`;
}

function whyOtherVersion(version: unknown): string | null {
  if (version === reportVersion) return null;
  const read = `this program reads version ${reportVersion}`;
  if (typeof version === 'number' && version > reportVersion)
    return `was written by a newer lp-sandbox: it has version ${version}, but ${read}.`;
  return `was written by an older lp-sandbox: it has ${version === undefined ? 'no version' : `version ${JSON.stringify(version)}`}, but ${read}. Create it again.`;
}
