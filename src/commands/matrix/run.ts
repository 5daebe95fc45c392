import { toBaseline } from '../../report/baseline.ts';
import { mergeReports, shortened } from '../../report/merge.ts';
import { makeReport, type Report } from '../../report/report.ts';
import { Slices } from '../../sandbox/slices.ts';
import { codeOfSignal } from '../child.ts';
import type { Invocation } from '../command.ts';
import { fromAfar, isOfEveryRun } from '../own-server.ts';
import { requireWritableReports, writeReportFiles, type WantedFile } from '../report-files.ts';
import { readSettings } from '../settings.ts';
import { Tail } from '../tail.ts';
import { alone, endsAsDefaults, grouped, runOf, shownBy, type Together } from './combine.ts';
import type { Matrix, MatrixResult, PlannedRun, Run } from './plan.ts';
import { Groups } from './process-groups.ts';
import { slowestFirst } from './slowest-first.ts';
import { Progress } from './progress.ts';
import { runOnce, sharing, skipped, type Done, type Found, type Stage } from './run-once.ts';
import { RunServers } from './run-server.ts';
import { whyUnmet, type Met } from './skip-unmet.ts';
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

/** Whether the command of a failed run passed, and only a threshold was missed. */
function isOnlyGraded({ exitCode, missed }: Run): boolean {
  return exitCode === 0 && missed.length > 0;
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

interface Show {
  readonly groups: Groups;
  readonly progress: Progress;
  readonly isStopped: () => boolean;
}

/** The completed runs in the order of the plan, and the report of each process. */
interface Results {
  readonly runs: readonly Run[];
  readonly reports: readonly Report[];
  readonly evidence: MatrixResult['evidence'];
}

async function runAll(invocation: Invocation, wishes: Wishes, show: Show): Promise<Results> {
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

/**
 * Runs the first run alone, then the others in parallel: if the program cannot be run at all, or makes no call,
 * nothing else is tried.
 */
async function inTurn(stage: Stage, wishes: Wishes, { progress, isStopped }: Show): Promise<Results> {
  const [first, ...others] = wishes.plan;
  const runs = new Map<PlannedRun, Run>();
  const reports: Report[] = [];
  const evidence = new Map<string, Done['evidence']>();
  const take = async (planned: PlannedRun): Promise<Done> => {
    progress.started(planned);
    const done = await runOnce(planned, stage);
    // A run that was stopped has no result.
    if (isStopped()) return done;
    reports.push(done.report);
    evidence.set(planned.name, done.evidence);
    runs.set(planned, progress.ended(done.run));
    return done;
  };
  const begun = isStopped() ? null : await take(first);
  // A failed command may have stopped before it met everything.
  const met = begun?.run.exitCode === 0 ? begun.met : null;
  const wanted: PlannedRun[] = [];
  for (const planned of others) {
    const reason = await whySkipped(planned, begun?.run ?? null, wishes.skipsUnmet ? met : null);
    if (reason === null) wanted.push(planned);
    else runs.set(planned, progress.skipped(skipped(planned, reason, stage)));
  }
  // If the command fails with the defaults, so does each group. If only its findings do, those of a group are compared.
  const isBase = begun?.run.result === 'passed' || (begun !== null && isOnlyGraded(begun.run));
  const defaults = wishes.combines && isBase ? begun : null;
  const queue = await slowestFirst(defaults === null ? wanted.map(alone) : grouped(wanted));
  let count = 0;
  const takeTogether = async (members: Together, defaults: Done): Promise<void> => {
    const shared = runOf(members, (count += 1));
    progress.started(shared);
    // If its members run again, their files are kept.
    const isKept = (found: Found): boolean => endsAsDefaults(found, defaults);
    const done = await runOnce(shared, { ...stage, isKept });
    if (isStopped()) return;
    const { settled, again } = shownBy(done, members, defaults);
    if (settled.length > 0) reports.push(done.report);
    for (const planned of settled) {
      runs.set(planned, sharing(planned, done, settled.length, stage));
      evidence.set(planned.name, done.evidence);
    }
    progress.shared(done.run, settled.length, again.length > 0);
    // First, so that the members of a group stay together in the output.
    queue.unshift(...again);
  };
  const underWay = new Set<Promise<unknown>>();
  const worker = async (): Promise<void> => {
    while (!isStopped()) {
      const members = queue.shift();
      // What is under way may add to the queue.
      if (members === undefined && underWay.size === 0) return;
      if (members === undefined) {
        await Promise.race(underWay);
        continue;
      }
      const [single, ...more] = members;
      if (single === undefined) continue;
      const work = more.length === 0 || defaults === null ? take(single) : takeTogether(members, defaults);
      underWay.add(work);
      await work.finally(() => underWay.delete(work));
    }
  };
  await Promise.all(Array.from({ length: stage.jobs }, worker));
  return { runs: wishes.plan.flatMap((planned) => runs.get(planned) ?? []), reports, evidence };
}

/** Returns why a run is pointless, or null. `met` is what the first run met, if that may decide. */
async function whySkipped(planned: PlannedRun, first: Run | null, met: Met | null): Promise<string | null> {
  if (first?.calls === 0) return 'the run "defaults" made no call';
  return met === null ? null : whyUnmet(planned, met);
}
