import { assumptionNames, assumptions, type Options } from '../../assumptions.ts';
import { exchangeOf } from '../../report/evidence/exchanges.ts';
import { figuresOf } from '../../report/figures.ts';
import { createReport, type Report } from '../../report/report.ts';
import { toEntry } from '../../sandbox/journal-entry.ts';
import { after, stopwatch } from '../../sandbox/clock.ts';
import type { Slices } from '../../sandbox/slices.ts';
import { startChild } from '../child.ts';
import type { Given } from '../command.ts';
import { environmentFor } from '../environment.ts';
import { Tail } from '../tail.ts';
import { lastOf, maxSought } from '../last-calls.ts';
import { unless } from '../report-in-time.ts';
import { groupedByVerdict, named } from './evidence.ts';
import { maxTests } from './failed-tests.ts';
import type { Grading } from './grading.ts';
import type { JunitFiles } from './junit-files.ts';
import type { RunFiles } from './run-files.ts';
import type { Groups } from './process-groups.ts';
import { repeatCommand } from './repeat-command.ts';
import { resultOf, type Ended } from './result.ts';
import type { Met } from './skip-unmet.ts';
import { sandboxIdOf, type PlannedRun, type Run } from './plan.ts';
import type { RunServer, RunServers } from './run-server.ts';
import { callsOfTests, type TestsOfRun } from './suspects.ts';

/** What all runs share. */
export interface Stage {
  readonly servers: RunServers;
  readonly groups: Groups;
  /** Divides the work of reports, so that it does not delay the calls of parallel runs. */
  readonly slices: Slices;
  readonly isStopped: () => boolean;
  readonly given: Given;
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly err: (text: string) => void;
  readonly timeoutSeconds: number;
  readonly jobs: number;
  readonly isAllowed: (run: PlannedRun) => boolean;
  readonly grading: Grading;
  readonly junit: JunitFiles;
  readonly files: RunFiles;
  /** Whether the files of a failed run are kept. */
  readonly isKept: (failed: Pick<Done, 'found' | 'met' | 'tests'>) => boolean;
}

/** What decides whether two runs ended in the same way. */
export interface Found {
  readonly result: Run['result'];
  readonly exitCode: number | null;
  /** The ids of the findings that fail the run. */
  readonly failing: readonly string[];
}

/** A completed run. */
export interface Done {
  readonly run: Run;
  readonly found: Found;
  readonly report: Report;
  readonly met: Met;
  /** Null if the run has no JUnit file, or more calls than are stored. */
  readonly tests: TestsOfRun | null;
  /** The last calls of a failed run, with their requests and responses. */
  readonly evidence: Report['exchanges'];
}

/** Maximum number of characters stored of a run's output. */
const maxOutput = 64 * 1024;

/** Runs the program once with its own server. */
export async function runOnce(planned: PlannedRun, stage: Stage): Promise<Done> {
  const { servers, slices, isStopped, given, program, isAllowed, grading, junit } = stage;
  const server = await servers.start(planned);
  const { sandbox, counter, recorder } = server;
  const id = sandboxIdOf(planned);
  const { options } = sandbox;
  const scenario = sandbox.faults.scenario?.name ?? null;
  const written = { out: new Tail(maxOutput), err: new Tail(maxOutput), all: new Tail(maxOutput) };
  const isFresh = junit.watch(id);
  const begun = stopwatch();
  let ended: Ended;
  try {
    ended = await runCommand(planned, stage, server, (stream, text) => {
      written[stream].add(text);
      written.all.add(text);
    });
  } finally {
    // The calls in progress are recorded until it has stopped.
    await server.running.stop();
  }
  const seconds = Math.round(stopwatch() - begun) / 1000;
  // A run that was stopped has no result.
  const report =
    (await slices.run(unless(isStopped, createReport(id, recorder)))) ??
    (await slices.run(createReport(id, { stored: [], evicted: 0 })));
  const failed = isFresh() ? junit.failedTestsOf(id) : null;
  const failedTests = failed?.slice(0, maxTests) ?? [];
  const missed = grading.missedBy(report);
  const outcome = { ended, counter, missed, failedTests, out: written.out.text, err: written.err.text };
  const verdict = resultOf(planned, outcome);
  const found = { result: verdict.result, exitCode: ended.code, failing: grading.failingIn(report) };
  const { assumed, unlisted, operations } = counter;
  const met = { assumed, unlisted, operations, scenario };
  const tests =
    failed === null || recorder.evicted > 0 ? null : { failed, calls: callsOfTests(recorder.stored) };
  const isKept = verdict.result === 'failed' && stage.isKept({ found, met, tests });
  const sought = verdict.result === 'failed' ? recorder.stored.slice(-maxSought).map(toEntry) : [];
  const last = lastOf(sought, failedTests);
  const run: Run = {
    name: planned.name,
    kind: planned.kind,
    assumptions: unusual(options),
    scenario,
    ...verdict,
    allowed: isAllowed(planned),
    calls: counter.calls,
    violations: figuresOf(report).violations,
    conduct: groupedByVerdict(report),
    seconds,
    exitCode: ended.code,
    signal: ended.signal,
    missed,
    failedTests,
    lastCalls: last.map(named),
    command: repeatCommand(planned, given, grading.allowed, program),
    files: isKept ? keepFiles({ id, report, exitCode: ended.code }, server, stage) : [],
    output: written.all.text,
  };
  return { run, found, report, met, tests, evidence: last.map(exchangeOf) };
}

function keepFiles(
  {
    id,
    report,
    exitCode,
  }: { readonly id: string; readonly report: Report; readonly exitCode: number | null },
  { running, recorder }: RunServer,
  { grading, files, err }: Stage,
): Run['files'] {
  const thresholds = grading.thresholdsFor(report);
  const run = { report, thresholds, stored: recorder.stored, deadline: null, url: running.url, exitCode };
  return files.keep(id, run, err);
}

async function runCommand(
  { name }: PlannedRun,
  { groups, program, environment, timeoutSeconds }: Stage,
  { running, sandbox }: RunServer,
  listen: (stream: 'out' | 'err', text: string) => void,
): Promise<Ended> {
  const child = await startChild(program, environmentFor(running, sandbox, environment, name), listen);
  groups.add(child);
  let lateAfter: number | null = null;
  const deadline = after(timeoutSeconds * 1000, () => {
    lateAfter = timeoutSeconds;
    groups.end(child);
  });
  const ending = await child.ended;
  deadline.cancel();
  groups.remove(child);
  return { ...ending, lateAfter };
}

/** Returns the options that differ from the defaults. */
function unusual(options: Options): Run['assumptions'] {
  return Object.fromEntries(
    assumptionNames.flatMap((name) =>
      options[name] === assumptions[name].default ? [] : [[name, options[name]]],
    ),
  );
}
