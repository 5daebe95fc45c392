import type { Report } from '../../report/report.ts';
import { alone, grouped, runOf, twinsIn, type Together } from './combine.ts';
import { nextRun } from './next-run.ts';
import { outcomeOf, type Outcome, type Shown } from './outcome.ts';
import type { MatrixResult, PlannedRun, Run } from './plan.ts';
import type { Progress } from './progress.ts';
import { runOnce, type Done, type Stage } from './run-once.ts';
import { sharing, skipped } from './shared-result.ts';
import { whyUnmet, type Met } from './skip-unmet.ts';
import { slowestFirst } from './slowest-first.ts';
import { decidedBy, verdictsOf, type Verdicts } from './verdicts.ts';
import type { Wishes } from './wishes.ts';

export interface Show {
  readonly progress: Progress;
  readonly isStopped: () => boolean;
}

/** The completed runs in the order of the plan, and the report of each process. */
export interface Results {
  readonly runs: readonly Run[];
  readonly reports: readonly Report[];
  readonly evidence: MatrixResult['evidence'];
}

/**
 * Runs the first run alone, then the others in parallel: if the program cannot be run at all, or makes no call,
 * nothing else is tried.
 */
export async function inTurn(stage: Stage, wishes: Wishes, { progress, isStopped }: Show): Promise<Results> {
  const [first, ...others] = wishes.plan;
  progress.started(first);
  const begun = isStopped() ? null : await runOnce(first, stage);
  // A run that was stopped has no result.
  if (begun === null || isStopped()) return { runs: [], reports: [], evidence: new Map() };
  progress.ended(begun.run);
  // A failed command may have stopped before it met everything.
  const met = begun.run.exitCode === 0 ? begun.met : null;
  const wanted: PlannedRun[] = [];
  const leftOut = new Map<PlannedRun, Run>();
  for (const planned of others) {
    const reason = await whySkipped(planned, begun.run, wishes.skipsUnmet ? met : null);
    if (reason === null) wanted.push(planned);
    else leftOut.set(planned, progress.skipped(skipped(planned, reason, stage)));
  }
  // If the command fails with the defaults, so does each group. If only its findings do, those of a group are compared.
  const isBase = begun.run.result === 'passed' || isOnlyGraded(begun.run);
  const defaults = wishes.combines && isBase ? begun : null;
  const { verdicts, dones } = await search(wanted, { ...stage, progress }, defaults);
  return resultsOf(wishes.plan, stage, { begun, leftOut, verdicts, dones });
}

interface Searched {
  readonly verdicts: Verdicts;
  readonly dones: ReadonlyMap<Shown, Done>;
}

/** Runs the program until there is a verdict on all planned runs, or the command is stopped. */
async function search(
  wanted: readonly PlannedRun[],
  stage: Stage & Pick<Show, 'progress'>,
  defaults: Done | null,
): Promise<Searched> {
  const { progress, isStopped } = stage;
  const twins = defaults === null ? new Map<never, never>() : twinsIn(wanted, defaults.met.assumed);
  const untwinned = wanted.filter((planned) => !twins.has(planned));
  const groups = await slowestFirst(defaults === null ? wanted.map(alone) : grouped(untwinned));
  const outcomes: Outcome[] = [];
  const dones = new Map<Shown, Done>();
  const underWay = new Map<Together, Promise<void>>();
  const soFar = (): Searched['verdicts'] => verdictsOf(outcomes, defaults, twins);
  let count = 0;
  const take = async (members: Together): Promise<void> => {
    const [single, ...more] = members;
    const planned = single !== undefined && more.length === 0 ? single : runOf(members, (count += 1));
    progress.started(planned);
    // If its members run again, their files are kept.
    const isKept = (shown: Shown): boolean => decidedBy({ members, shown }, defaults).length > 0;
    const done = await runOnce(planned, { ...stage, isKept });
    if (isStopped()) return;
    const before = soFar();
    dones.set(done, done);
    outcomes.push(outcomeOf(members, done, defaults));
    const after = soFar();
    const decided = [...after].filter(([member]) => !before.has(member));
    progress.ended(
      done.run,
      decided.map(([, by]) => by.shown.found.result),
      members.some((member) => !after.has(member)),
    );
  };
  const worker = async (): Promise<void> => {
    while (!isStopped()) {
      const members = nextRun({ groups, twins, outcomes, underWay: [...underWay.keys()], defaults });
      // What is under way may show what else has to run.
      if (members === null && underWay.size === 0) return;
      if (members === null) {
        await Promise.race(underWay.values());
        continue;
      }
      const work = take(members);
      underWay.set(members, work);
      await work.finally(() => underWay.delete(members));
    }
  };
  await Promise.all(Array.from({ length: stage.jobs }, worker));
  return { verdicts: soFar(), dones };
}

interface Known extends Searched {
  readonly begun: Done;
  readonly leftOut: ReadonlyMap<PlannedRun, Run>;
}

function resultsOf(plan: Wishes['plan'], stage: Stage, { begun, leftOut, verdicts, dones }: Known): Results {
  const runs = new Map<PlannedRun, Run>([...leftOut, [plan[0], begun.run]]);
  const evidence = new Map<string, Done['evidence']>([[plan[0].name, begun.evidence]]);
  const decisive = [...verdicts.values()];
  for (const [planned, by] of verdicts) {
    const done = dones.get(by.shown);
    if (done === undefined) continue;
    const share = { count: decisive.filter((one) => one === by).length, stage };
    const isAlone = by.members.length === 1 && by.members[0] === planned;
    runs.set(planned, isAlone ? done.run : sharing(planned, done, share));
    evidence.set(planned.name, done.evidence);
  }
  const deciding = [...dones].filter(([shown]) => decisive.some((by) => by.shown === shown));
  return {
    runs: plan.flatMap((planned) => runs.get(planned) ?? []),
    reports: [begun.report, ...deciding.map(([, { report }]) => report)],
    evidence,
  };
}

/** Whether the command of a failed run passed, and only a threshold was missed. */
export function isOnlyGraded({ exitCode, missed }: Run): boolean {
  return exitCode === 0 && missed.length > 0;
}

/** Returns why a run is pointless, or null. `met` is what the first run met, if that may decide. */
async function whySkipped(planned: PlannedRun, first: Run, met: Met | null): Promise<string | null> {
  if (first.calls === 0) return 'the run "defaults" made no call';
  return met === null ? null : whyUnmet(planned, met);
}
