import { jsonText } from '../../base/escape.ts';
import { SandboxError } from '../../base/errors.ts';
import { aNumber, readValue, wholeNumber } from '../../settings/value-rule.ts';
import type { Given } from '../command.ts';
import { readReportFiles, type WantedFile } from '../report-files.ts';
import { Grading } from './grading.ts';
import { toJunit } from './junit.ts';
import { JunitFiles } from './junit-files.ts';
import { toMarkdown } from './markdown.ts';
import { toHtml } from './html.ts';
import type { Matrix, MatrixResult, PlannedRun } from './plan.ts';
import type { Stage } from './run-once.ts';
import { RunFiles } from './run-files.ts';
import { allowedRuns, selectRuns } from './selection.ts';

/** The options of the command. */
export interface Wishes extends Pick<
  Stage,
  'jobs' | 'timeoutSeconds' | 'isAllowed' | 'grading' | 'junit' | 'files'
> {
  readonly plan: readonly [PlannedRun, ...PlannedRun[]];
  readonly reports: readonly WantedFile<MatrixResult>[];
  readonly skipsUnmet: boolean;
  readonly combines: boolean;
}

/** Reads the options. Throws SandboxError for a wrong one. */
export function readWishes(given: Given): Wishes {
  const last = (name: string): string | null => given.get(name)?.at(-1) ?? null;
  const jobs = readValue(wholeNumber(1, 100), '--jobs', last('jobs') ?? '1');
  requireOwnPorts(given, jobs);
  const reports = given.get('report') ?? [];
  return {
    plan: selectRuns(given),
    isAllowed: allowedRuns(given),
    grading: new Grading(given),
    junit: new JunitFiles(last('junit'), jobs),
    files: new RunFiles(last('keep'), reports),
    reports: readReportFiles<MatrixResult>(reports, {
      json: ({ matrix }) => toJson(matrix),
      html: toHtml,
      'junit.xml': ({ matrix }) => toJunit(matrix),
      md: ({ matrix }) => toMarkdown(matrix),
    }),
    jobs,
    timeoutSeconds: readValue(timeoutRule, '--timeout', last('timeout') ?? '600'),
    skipsUnmet: given.has('skip-unmet') || given.has('combine'),
    combines: given.has('combine'),
  };
}

const timeoutRule = aNumber(
  'a number of seconds above 0 and up to 86400 (one day)',
  (seconds) => seconds > 0 && seconds <= 86_400,
);

/** Throws SandboxError if parallel runs would use the same address. */
function requireOwnPorts(given: Given, jobs: number): void {
  const fixed = ['port', 'control-port', 'public-url'].find((name) => {
    const value = given.get(name)?.at(-1);
    return value !== undefined && value !== '0' && value !== 'off';
  });
  if (jobs > 1 && fixed !== undefined)
    throw new SandboxError(
      `--${fixed} cannot be used with --jobs ${jobs}, because each run has a server of its own. Leave it out, or use --jobs 1.`,
    );
}

function toJson(matrix: Matrix): string {
  return jsonText(matrix);
}
