import { toBaseline } from '../../report/baseline.ts';
import { mergeReports, shortened } from '../../report/merge.ts';
import { makeReport } from '../../report/report.ts';
import { Slices } from '../../sandbox/slices.ts';
import { codeOfSignal } from '../child.ts';
import type { Invocation } from '../command.ts';
import { fromAfar, isOfEveryRun } from '../own-server.ts';
import { writeReportFiles, type WantedFile } from '../report-files.ts';
import { readSettings } from '../settings.ts';
import { Tail } from '../tail.ts';
import type { Matrix, PlannedRun, Run } from './plan.ts';
import { Groups } from './process-groups.ts';
import { Progress } from './progress.ts';
import { runOnce, skipped, type Done, type Stage } from './run-once.ts';
import { RunServers } from './run-server.ts';
import { whyUnmet } from './skip-unmet.ts';
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
  out(toTable(matrix));
  if (stop.by !== null) {
    err(
      `lp-sandbox: stopped by ${stop.by} after ${matrix.runs.length} of ${plan.length} runs; no report was written.\n`,
    );
    return codeOfSignal(stop.by);
  }
  for (const sentence of [...grading.notes(matrix.report), ...matrix.missed])
    err(`lp-sandbox: ${sentence}\n`);
  return codeFor(matrix, writeReportFiles([...wishes.reports, ...baselines(wishes)], matrix, err));
}

/** The file for the findings of all runs, if wanted. */
function baselines({ grading: { newBaseline } }: Wishes): readonly WantedFile<Matrix>[] {
  return newBaseline === null ? [] : [{ path: newBaseline, render: ({ report }) => toBaseline(report) }];
}

/** A failed command takes precedence over a missed threshold, and that over a file. */
function codeFor({ runs, missed }: Matrix, isWritten: boolean): number {
  const failed = runs.filter(({ result, allowed }) => result === 'failed' && !allowed);
  if (failed.some((run) => !isOnlyGraded(run))) return 1;
  if (failed.length > 0 || missed.length > 0) return 3;
  return isWritten ? 0 : 1;
}

/** Whether the command of a failed run passed, and only a threshold was missed. */
function isOnlyGraded({ exitCode, missed }: Run): boolean {
  return exitCode === 0 && missed.length > 0;
}

function summedUp(done: readonly (Done | Run)[], { grading }: Wishes): Matrix {
  const runs = done.map((one) => ('run' in one ? one.run : one));
  const count = (wanted: Run['result']): number => runs.filter(({ result }) => result === wanted).length;
  const [first = makeReport('', { entries: [], evicted: 0 }), ...others] = done.flatMap((one) =>
    'run' in one ? [one.report] : [],
  );
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

interface Show {
  readonly groups: Groups;
  readonly progress: Progress;
  readonly isStopped: () => boolean;
}

/** Runs the plan. Returns the completed runs in the order of the plan. */
async function runAll(invocation: Invocation, wishes: Wishes, show: Show): Promise<readonly (Done | Run)[]> {
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
    servers,
    slices: new Slices(),
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

/**
 * Runs the first run alone, then the others in parallel: if the program cannot be run at all, nothing else is
 * tried.
 */
async function inTurn(stage: Stage, wishes: Wishes, show: Show): Promise<readonly (Done | Run)[]> {
  const [first, ...others] = wishes.plan;
  const done = new Map<PlannedRun, Done | Run>();
  const take = async (planned: PlannedRun): Promise<Done> => {
    show.progress.started(planned);
    const one = await runOnce(planned, stage);
    // A run that was stopped has no result.
    if (show.isStopped()) return one;
    show.progress.ended(one.run);
    done.set(planned, one);
    return one;
  };
  const begun = show.isStopped() ? null : await take(first);
  // A failed command may have stopped before it met everything.
  const met = wishes.skipsUnmet && begun?.run.exitCode === 0 ? begun.met : null;
  const queue = others.values();
  const worker = async (): Promise<void> => {
    for (const planned of queue) {
      if (show.isStopped()) return;
      const reason = met === null ? null : await whyUnmet(planned, met);
      if (reason === null) await take(planned);
      else done.set(planned, show.progress.skipped(skipped(planned, reason, stage)));
    }
  };
  await Promise.all(Array.from({ length: stage.jobs }, worker));
  return wishes.plan.flatMap((planned) => done.get(planned) ?? []);
}
