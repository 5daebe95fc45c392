import { readBaseline, toBaselineText } from '../report/baseline.ts';
import { SandboxError } from '../base/errors.ts';
import { readNamedFile } from '../store/text-file.ts';
import { differenceRenderers, type Judged } from '../upstream/difference-report/renderings.ts';
import {
  sentenceOn,
  uncovered,
  type DifferenceReport,
  type Tolerance,
} from '../upstream/difference-report/report.ts';
import { toText } from '../upstream/difference-report/text.ts';
import type { CommandFlag, Given, Invocation } from './command.ts';
import {
  readReportFiles,
  reportFlag,
  requireWritableReports,
  writeReportFiles,
  type WantedFile,
} from './report-files.ts';

/** The flags of commands that report differences. */
export const differenceFlags: readonly CommandFlag[] = [
  reportFlag('.json, .html, .junit.xml'),
  {
    name: 'allow',
    value: 'LIST',
    help: 'differences that do not fail the run: prefixes of their ids, or names of assumptions',
  },
  { name: 'baseline', value: 'FILE', help: 'known differences, which do not fail the run' },
  {
    name: 'write-baseline',
    value: 'FILE',
    help: 'write the differences of this run to a file for --baseline, and do not fail because of them',
  },
];

/** What to do with a report of differences. */
export interface DifferenceWishes {
  readonly files: readonly WantedFile<Judged>[];
  readonly tolerance: Tolerance;
  /** The file for the baseline of this run, or null. */
  readonly newBaseline: string | null;
}

/** Throws SandboxError for usage errors. */
export function readDifferenceWishes(given: Given): DifferenceWishes {
  const allow = (given.get('allow') ?? []).flatMap((list) => list.split(',').map((name) => name.trim()));
  const newBaseline = given.get('write-baseline')?.at(-1) ?? null;
  requireWritableReports(given);
  return {
    files: readReportFiles(given.get('report') ?? [], differenceRenderers),
    tolerance: { allow: allow.filter((name) => name !== ''), known: knownIn(given, newBaseline) },
    newBaseline,
  };
}

function knownIn(given: Given, newBaseline: string | null): readonly string[] {
  const path = given.get('baseline')?.at(-1);
  if (path === undefined) return [];
  const text = readNamedFile(path, '--baseline');
  if (text !== null) return readBaseline(text, path).map(({ id }) => id);
  if (path === newBaseline) return [];
  throw new SandboxError(
    `--baseline ${JSON.stringify(path)} does not exist. Create a baseline with --write-baseline.`,
  );
}

/** Prints the report and writes its files. Returns the exit code: 3 if a difference is not covered. */
export function tellDifferences(
  report: DifferenceReport,
  { files, tolerance: wanted, newBaseline }: DifferenceWishes,
  { out, err }: Pick<Invocation, 'out' | 'err'>,
): number {
  const own = newBaseline === null ? [] : report.differences.map(({ id }) => id);
  const tolerance = { ...wanted, known: [...wanted.known, ...own] };
  out(toText(report, tolerance));
  const baselines = newBaseline === null ? [] : [{ path: newBaseline, render: baselineOf }];
  const isWritten = writeReportFiles([...files, ...baselines], { report, tolerance }, err);
  if (uncovered(report, tolerance).length > 0) return 3;
  return isWritten ? 0 : 1;
}

function baselineOf({ report }: Judged): string {
  return toBaselineText(
    report.differences.map((one) => ({ id: one.id, message: sentenceOn(one, report.sides) })),
  );
}
