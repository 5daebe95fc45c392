import { startServer } from '../../server/server.ts';
import { aNumber, readValue, wholeNumber } from '../../settings/value-rule.ts';
import { codeOfSignal } from '../child.ts';
import type { Given, Invocation } from '../command.ts';
import { fromAfar, isOfEveryRun } from '../own-server.ts';
import { readReportFiles, writeReportFiles, type WantedFile } from '../report-files.ts';
import { readSettings } from '../settings.ts';
import { Tail } from '../tail.ts';
import { runOnce, type Stage } from './run-once.ts';
import { Groups } from './process-groups.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import type { Matrix, PlannedRun, Run } from './plan.ts';
import { Progress } from './progress.ts';
import { allowedRuns, selectRuns } from './selection.ts';
import { toTable } from './table.ts';
import { Watch } from './call-counter.ts';

/** The options of the command. */
interface Wishes extends Pick<Stage, 'jobs' | 'timeoutSeconds' | 'isAllowed'> {
  readonly plan: readonly PlannedRun[];
  readonly files: readonly WantedFile<Matrix>[];
}

/** Maximum number of characters of server output held until all runs end. */
const maxWords = 1024 * 1024;

/**
 * Runs a program under each selected assumption and scenario, and reports failures. Resolves with the exit
 * code.
 */
export async function runMatrix(invocation: Invocation): Promise<number> {
  const { given, terminals, onSignal, signalGroup, out, err } = invocation;
  const wishes = readWishes(given);
  const groups = new Groups(signalGroup);
  const stop: { by: NodeJS.Signals | null } = { by: null };
  onSignal((signal) => {
    stop.by ??= signal;
    groups.endAll();
  });
  const progress = new Progress(err, terminals.err, wishes.plan.length);
  const matrix = summedUp(
    await runAll(invocation, wishes, { groups, progress, isStopped: () => stop.by !== null }),
  );
  out(toTable(matrix));
  if (stop.by !== null) {
    err(
      `lp-sandbox: stopped by ${stop.by} after ${matrix.runs.length} of ${wishes.plan.length} runs; no report was written.\n`,
    );
    return codeOfSignal(stop.by);
  }
  const isWritten = writeReportFiles(wishes.files, matrix, err);
  return isWritten && !matrix.runs.some(({ result, allowed }) => result === 'failed' && !allowed) ? 0 : 1;
}

function readWishes(given: Given): Wishes {
  const last = (name: string, byDefault: string): string => given.get(name)?.at(-1) ?? byDefault;
  return {
    plan: selectRuns(given),
    isAllowed: allowedRuns(given),
    files: readReportFiles(given.get('report') ?? [], { json: toJson, 'junit.xml': toJunit, md: toMarkdown }),
    jobs: readValue(wholeNumber(1, 100), '--jobs', last('jobs', '1')),
    timeoutSeconds: readValue(timeoutRule, '--timeout', last('timeout', '600')),
  };
}

const timeoutRule = aNumber(
  'a number of seconds above 0 and up to 86400 (one day)',
  (seconds) => seconds > 0 && seconds <= 86_400,
);

function toJson(matrix: Matrix): string {
  return `${JSON.stringify(matrix, null, 2)}\n`;
}

function summedUp(runs: readonly Run[]): Matrix {
  const count = (wanted: Run['result']): number => runs.filter(({ result }) => result === wanted).length;
  return { runs, passed: count('passed'), failed: count('failed'), notMet: count('not-met') };
}

interface Show {
  readonly groups: Groups;
  readonly progress: Progress;
  readonly isStopped: () => boolean;
}

/** Runs the plan on one server. Returns the completed runs in the order of the plan. */
async function runAll(invocation: Invocation, wishes: Wishes, show: Show): Promise<readonly Run[]> {
  const { given, environment, processId, program, err, surviveDefects } = invocation;
  const settings = await readSettings(given, environment, (flag) => fromAfar(flag) && isOfEveryRun(flag));
  const watch = new Watch(wishes.jobs === 1);
  const words = new Tail(maxWords);
  const channels = { out: words.add, err: words.add, owner: `process ${processId}`, observe: watch.observe };
  const running = await startServer({ port: 0, ...settings }, channels);
  surviveDefects();
  const basis = running.sandboxes.default.options;
  try {
    return await inTurn(
      { ...wishes, running, watch, groups: show.groups, basis, program, environment },
      wishes.plan,
      show,
    );
  } finally {
    show.progress.clear();
    await running.stop();
    err(words.text);
  }
}

/**
 * Runs the first run alone, then the others in parallel: if the program cannot be run at all, nothing else is
 * tried.
 */
async function inTurn(
  stage: Stage,
  [first, ...others]: readonly PlannedRun[],
  show: Show,
): Promise<readonly Run[]> {
  const done = new Map<PlannedRun, Run>();
  const take = async (planned: PlannedRun): Promise<void> => {
    show.progress.started(planned);
    const run = await runOnce(planned, stage);
    // A run that was stopped has no result.
    if (show.isStopped()) return;
    show.progress.ended(run);
    done.set(planned, run);
  };
  const queue = others.values();
  const worker = async (): Promise<void> => {
    for (const planned of queue) if (!show.isStopped()) await take(planned);
  };
  if (first !== undefined && !show.isStopped()) await take(first);
  await Promise.all(Array.from({ length: stage.jobs }, worker));
  return [first, ...others].flatMap((planned) => (planned === undefined ? [] : (done.get(planned) ?? [])));
}
