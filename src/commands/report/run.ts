import { didYouMean } from '../../base/did-you-mean.ts';
import { SandboxError } from '../../base/errors.ts';
import { toBaseline, withFindings } from '../../report/baseline.ts';
import { mergeReports, shortened } from '../../report/merge.ts';
import { reportRenderers, type Graded } from '../../report/render/renderings.ts';
import { toText } from '../../report/render/text.ts';
import { judge, toleranceNotes } from '../../report/thresholds.ts';
import type { Invocation } from '../command.ts';
import { readReportFiles, requireWritableReports, writeReportFiles } from '../report-files.ts';
import { readThresholds } from '../thresholds.ts';
import { realPathOf } from '../../store/text-file.ts';
import { labelRequests } from './label-requests.ts';
import { readReports } from './read-reports.ts';

/** Merges reports, prints the result, and writes the files. Resolves with 3 if a threshold is missed. */
export async function runReport({ given, program, out, err }: Invocation): Promise<number> {
  const files = readReportFiles<Graded>(given.get('report') ?? [], reportRenderers);
  const wanted = readThresholds(given);
  requireWritableReports(given);
  const newBaseline = given.get('write-baseline')?.at(-1) ?? null;
  const paths = withoutRepeats(pathsIn(program), err);
  const [first, ...others] = labelRequests(readReports(paths), paths);
  if (first === undefined) throw needsFiles();
  const report = shortened(mergeReports([first, ...others]));
  const thresholds = newBaseline === null ? wanted : withFindings(wanted, report);
  out(toText(report));
  const judgement = judge(report, thresholds);
  for (const sentence of [...toleranceNotes(judgement), ...judgement.missed])
    err(`lp-sandbox: ${sentence}\n`);
  const baselines = newBaseline === null ? [] : [{ path: newBaseline, render: baselineOf }];
  const isWritten = writeReportFiles([...files, ...baselines], { report, thresholds }, err);
  if (judgement.missed.length > 0) return 3;
  return isWritten ? 0 : 1;
}

/** Leaves out files that were given before, under this or another name. */
function withoutRepeats(paths: readonly string[], err: Invocation['err']): readonly string[] {
  const known = new Map<string, string>();
  return paths.filter((path) => {
    const file = realPathOf(path);
    const before = known.get(file);
    known.set(file, before ?? path);
    if (before !== undefined) err(`lp-sandbox: ${path} is the same file as ${before}. It counts once.\n`);
    return before === undefined;
  });
}

function baselineOf({ report }: Graded): string {
  return toBaseline(report);
}

/** Returns the files to merge. Throws SandboxError for any other action. */
function pathsIn([action, ...paths]: readonly string[]): readonly string[] {
  if (action !== undefined && action !== 'merge')
    throw new SandboxError(
      `Unknown action ${JSON.stringify(action)}.${didYouMean(action, ['merge'])} Known: merge.`,
    );
  if (paths.length === 0) throw needsFiles();
  return paths;
}

function needsFiles(): SandboxError {
  return new SandboxError(
    'report merge needs the files to merge, for example: lp-sandbox report merge job-1.json job-2.json --report report.html',
  );
}
