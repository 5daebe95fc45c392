import { withFindings } from '../../report/baseline.ts';
import { toText } from '../../report/render/text.ts';
import { judge, toleranceNotes, type Thresholds } from '../../report/thresholds.ts';
import { showsColors } from '../../base/terminal-colors.ts';
import { stopwatch } from '../../sandbox/clock.ts';
import { startServer, type Running } from '../../server/server.ts';
import { codeOfSignal, exitCodeOf, startChild, type Child, type Ending } from '../child.ts';
import type { Invocation } from '../command.ts';
import { environmentFor } from '../environment.ts';
import { fromAfar } from '../own-server.ts';
import { Recorder } from '../recorder.ts';
import {
  readReportFiles,
  requireWritableReports,
  writeReportFiles,
  type WantedFile,
} from '../report-files.ts';
import { maxStopMs, missedByStop, reportInTime } from '../report-in-time.ts';
import { readSettings } from '../settings.ts';
import { Tail } from '../tail.ts';
import { listed } from '../../base/lists.ts';
import { readThresholds } from '../thresholds.ts';
import { baselineOf, runRenderers, type Run } from './run-files.ts';

/** Maximum number of characters of server output held until the program ends. */
const maxWords = 4 * 1024 * 1024;

/**
 * Runs a program with its own server. Resolves with the program's exit code, or 3 if a threshold is missed.
 */
export async function runExec(invocation: Invocation): Promise<number> {
  const { given, environment, processId, err } = invocation;
  const files = readReportFiles(given.get('report') ?? [], runRenderers);
  const thresholds = readThresholds(given);
  requireWritableReports(given);
  const settings = await readSettings(given, environment, fromAfar);
  const recorder = Recorder.of(settings);
  const words = new Tail(maxWords);
  const { relay, askedAt } = relaySignals(invocation);
  const channels = {
    out: words.add,
    err: words.add,
    colors: showsColors(invocation.terminals.err, environment),
    owner: `process ${processId}`,
    observe: recorder.record,
  };
  const running = await startServer({ port: 0, ...settings }, channels);
  invocation.surviveDefects();
  const variables = environmentFor(running, running.sandboxes.default, environment);
  let ending: Ending | NodeJS.Signals;
  let ended = 0;
  try {
    ending = await relay(() => startChild(invocation.program, variables));
  } finally {
    await running.stop();
    // The time for the report begins now: a process that the program left behind may hold a call.
    ended = stopwatch();
  }
  err(words.text);
  if (typeof ending === 'string') return codeOfSignal(ending);
  // A program that ends by itself has the whole report, however long that takes, unless somebody asks to stop.
  const deadline = (): number | null => {
    const asked = askedAt();
    return asked === null ? null : Math.max(asked, ended) + maxStopMs;
  };
  const { report, incomplete } = await reportInTime(nameOf(recorder, running), recorder, deadline);
  const newBaseline = given.get('write-baseline')?.at(-1) ?? null;
  return conclude(
    exitCodeOf(ending),
    { report, stored: recorder.stored, deadline: deadline(), url: running.url, exitCode: ending.code },
    { files, thresholds, newBaseline, incomplete, err },
  );
}

/**
 * Runs a child and relays signals to it. A signal that arrives before the start prevents it and becomes the
 * result.
 */
function relaySignals({ onSignal, terminals }: Invocation): Relay {
  let child: Child | null = null;
  let early: NodeJS.Signals | null = null;
  let askedAt: number | null = null;
  onSignal((signal) => {
    if (stopSignals.has(signal)) askedAt ??= stopwatch();
    if (child === null) early ??= signal;
    // A terminal sends these signals to its whole process group, so the child already has them.
    else if (!terminals.in || (signal !== 'SIGINT' && signal !== 'SIGQUIT')) child.signal(signal);
  });
  return {
    askedAt: () => askedAt,
    relay: async (start) => {
      if (early !== null) return early;
      child = await start();
      if (early !== null) child.signal(early);
      return child.ended;
    },
  };
}

/** The signals that ask a command to stop. */
const stopSignals: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

interface Relay {
  readonly relay: (start: () => Promise<Child>) => Promise<Ending | NodeJS.Signals>;
  /** When a signal asked to stop, as a time of `stopwatch`; null if none has. */
  readonly askedAt: () => number | null;
}

/** Returns the ids of the sandboxes that were called; only the first ones if there are many. */
function nameOf(recorder: Recorder, { sandboxes }: Running): string {
  const ids = recorder.sandboxIds();
  if (ids.length === 0) return sandboxes.default.id;
  return listed(ids.slice(0, maxNamed), ids.length);
}

const maxNamed = 10;

interface Wishes {
  readonly files: readonly WantedFile<Run>[];
  readonly thresholds: Thresholds;
  /** The file for the findings of this run. Null if they are not wanted. */
  readonly newBaseline: string | null;
  /** What the report leaves out. Null if it is complete. */
  readonly incomplete: string | null;
  readonly err: (text: string) => void;
}

/**
 * Prints the result and writes the files. The program's own failure takes precedence, then a threshold, then
 * a file.
 */
function conclude(code: number, { report, ...calls }: Omit<Run, 'thresholds'>, wishes: Wishes): number {
  const { files, newBaseline, incomplete, err } = wishes;
  const unused =
    report.calls === 0 && incomplete === null
      ? 'Does the command use SANDBOX_URL and SANDBOX_API_KEY to call the sandbox?\n'
      : '';
  err(`lp-sandbox: ${toText(report)}${unused}`);
  if (incomplete !== null) err(`lp-sandbox: ${incomplete}\n`);
  const thresholds = newBaseline === null ? wishes.thresholds : withFindings(wishes.thresholds, report);
  const judgement = judge(report, thresholds);
  const missed = [...missedByStop({ incomplete }, thresholds), ...judgement.missed];
  for (const sentence of [...toleranceNotes(judgement), ...missed]) err(`lp-sandbox: ${sentence}\n`);
  // A run without calls, or without all of them, must not replace what an earlier one found.
  const baselines =
    newBaseline === null || report.calls === 0 || incomplete !== null
      ? []
      : [{ path: newBaseline, render: baselineOf }];
  const isWritten = writeReportFiles([...files, ...baselines], { report, thresholds, ...calls }, err);
  if (code !== 0) return code;
  if (missed.length > 0) return 3;
  return isWritten ? 0 : 1;
}
