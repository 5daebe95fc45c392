import { toBaseline } from '../../report/baseline.ts';
import { mergeReports, shortened } from '../../report/merge.ts';
import { makeReport } from '../../report/report.ts';
import { Slices } from '../../sandbox/slices.ts';
import { codeOfSignal } from '../child.ts';
import type { Invocation } from '../command.ts';
import { fromAfar, isOfEveryRun } from '../own-server.ts';
import { requireWritableReports, writeReportFiles, type WantedFile } from '../report-files.ts';
import { readSettings } from '../settings.ts';
import { Tail } from '../tail.ts';
import { inTurn, isOnlyGraded, type Results, type Show } from './in-turn.ts';
import type { Matrix, MatrixResult, Run } from './plan.ts';
import { Groups } from './process-groups.ts';
import { Progress } from './progress.ts';
import { RunServers } from './run-server.ts';
import { toTable } from './table.ts';
import { readWishes, type Wishes } from './wishes.ts';

/** Maximum number of characters of server output held until all runs end. */
const maxWords = 1024 * 1024;

/**
 * Runs a program under each selected assumption and scenario, and reports failures. Resolves with the exit
 * code.
 */
export async function runMatrix(invocation: Invocation): Promise<number> {
  const { given, terminals, onSignal, signalGroup, out, err } = invocation;
  const wishes = readWishes(given);
  requireWritableReports(given);
  wishes.files.requireWritable();
  const { plan, grading } = wishes;
  const groups = new Groups(signalGroup);
  const stop: { by: NodeJS.Signals | null } = { by: null };
  onSignal((signal) => {
    stop.by ??= signal;
    groups.endAll();
  });
  const progress = new Progress(err, terminals.err, plan.length);
  const show = { groups, progress, isStopped: () => stop.by !== null };
  const done = await runAll(invocation, wishes, show);
  const matrix = summedUp(done, wishes);
  const result = { matrix, evidence: done.evidence };
  out(toTable(matrix));
  if (stop.by !== null) {
    err(
      `lp-sandbox: stopped by ${stop.by} after ${matrix.runs.length} of ${plan.length} runs; no report was written.\n`,
    );
    return codeOfSignal(stop.by);
  }
  const madeNoCall = matrix.runs[0]?.calls === 0;
  if (madeNoCall && matrix.runs.length > 1)
    err(
      `lp-sandbox: the command made no call in the run "defaults", so the other ${matrix.runs.length - 1} runs were skipped. Check that the command starts, and that it sends its calls to SANDBOX_URL.\n`,
    );
  for (const sentence of [...grading.notes(matrix.report), ...matrix.missed])
    err(`lp-sandbox: ${sentence}\n`);
  const isWritten = writeReportFiles([...wishes.reports, ...baselines(wishes)], result, err);
  // Then nothing was tested, even if all runs may fail.
  return madeNoCall ? 1 : codeFor(matrix, isWritten);
}

/** The file for the findings of all runs, if wanted. */
function baselines({ grading: { newBaseline } }: Wishes): readonly WantedFile<MatrixResult>[] {
  return newBaseline === null
    ? []
    : [{ path: newBaseline, render: ({ matrix }) => toBaseline(matrix.report) }];
}

/** A failed command takes precedence over a missed threshold, and that over a file. */
function codeFor({ runs, missed }: Matrix, isWritten: boolean): number {
  const failed = runs.filter(({ result, allowed }) => result === 'failed' && !allowed);
  if (failed.some((run) => !isOnlyGraded(run))) return 1;
  if (failed.length > 0 || missed.length > 0) return 3;
  return isWritten ? 0 : 1;
}

function summedUp({ runs, reports }: Results, { grading }: Wishes): Matrix {
  const count = (wanted: Run['result']): number => runs.filter(({ result }) => result === wanted).length;
  const [first = makeReport('', { entries: [], evicted: 0 }), ...others] = reports;
  const report = shortened(mergeReports([first, ...others]));
  return {
    runs,
    passed: count('passed'),
    failed: count('failed'),
    notMet: count('not-met'),
    skipped: count('skipped'),
    missed: grading.missedByAll(report),
    report,
  };
}

async function runAll(
  invocation: Invocation,
  wishes: Wishes,
  show: Show & { readonly groups: Groups },
): Promise<Results> {
  const { given, environment, processId, program, err, surviveDefects } = invocation;
  const settings = await readSettings(given, environment, (flag) => fromAfar(flag) && isOfEveryRun(flag));
  const words = new Tail(maxWords);
  const servers = new RunServers({
    settings,
    jobs: wishes.jobs,
    owner: `process ${processId}`,
    write: words.add,
  });
  surviveDefects();
  const stage = {
    ...wishes,
    isKept: () => true,
    servers,
    slices: new Slices(),
    isStopped: show.isStopped,
    groups: show.groups,
    given,
    environment,
    program,
    err,
  };
  try {
    return await inTurn(stage, wishes, show);
  } finally {
    servers.stop();
    show.progress.clear();
    err(words.text);
  }
}
