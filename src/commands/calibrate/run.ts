import { fetchOver } from '../../http/connection/fetch-over.ts';
import type { Invocation } from '../command.ts';
import { readConnection } from '../connection-flags.ts';
import { pause } from '../pause.ts';
import { withApiKey } from '../service-flags.ts';
import { wallClock } from '../../sandbox/clock.ts';
import { SandboxError } from '../../base/errors.ts';
import { deleteTextFile, replacePrivateFile, writeTextFile } from '../../store/text-file.ts';
import { whyNotWritten } from '../../store/unusable-data.ts';
import { calibrate, type Calibration, type Plan } from '../../upstream/calibrate/calibrate.ts';
import { checkpointText } from '../../upstream/calibrate/checkpoint.ts';
import { driftFrom, toDriftTable } from '../../upstream/calibrate/drift.ts';
import type { Time } from '../../upstream/calibrate/time.ts';
import type { Probe } from '../../upstream/calibrate/probe.ts';
import {
  listOf,
  toBeyondTable,
  toDepartureTable,
  toJson,
  toTable,
  toYaml,
} from '../../upstream/calibrate/render.ts';
import { connect, maskOf } from '../../upstream/calibrate/upstream.ts';
import { noticeWait } from '../wait-notice.ts';
import { readWishes, type Wishes } from './wishes.ts';

/** Exit codes besides 0, 1 and 2. */
const exitCodes = { changed: 3, nothingDetermined: 4 } as const;

/**
 * Determines a service's options, prints them and writes them to a file, or compares them with a file. Resolves
 * with the exit code.
 */
export async function runCalibrate(called: Invocation): Promise<number> {
  const invocation = withApiKey(called);
  const { given, environment, terminals, out, err } = invocation;
  const wishes = await readWishes(given, environment);
  // The standard output is the result only.
  (wishes.isJson ? err : out)(`${listOf(wishes.probes)}\n${durationOf(wishes)}\n`);
  if (given.has('dry-run')) return 0;
  if (wishes.keys.own === '')
    throw new SandboxError('calibrate needs an API key: set UPSTREAM_API_KEY or --api-key.');
  requireWritable(wishes.checkpoint);
  const from = iso(wallClock());
  const { time, before } = stoppable(invocation);
  const base = new URL(wishes.upstream);
  const fetched = fetchOver(base, readConnection(invocation, base), environment);
  const calibration = await calibrate(wishes, {
    upstream: connect(wishes.upstream, wishes.keys, fetched),
    time,
    before,
    after: (progress) =>
      replacePrivateFile(wishes.checkpoint, checkpointText(wishes.upstream, progress, maskOf(wishes.keys))),
  });
  deleteTextFile(wishes.checkpoint);
  if (terminals.err) err('\r\u001B[K');
  return conclude(wishes, calibration, from, invocation);
}

/** The first probe takes calls, and its result is written beside the output file. */
function requireWritable(checkpoint: string): void {
  const draft = `${checkpoint}.test`;
  try {
    replacePrivateFile(draft, '');
    deleteTextFile(draft);
  } catch (error) {
    // The usage is correct, so this is no SandboxError, which would end with exit code 2.
    throw new Error(`Cannot write ${checkpoint}: ${whyNotWritten(error)}`, { cause: error });
  }
}

/** Prints and writes the result. Returns the exit code. */
function conclude(
  { upstream, keys, out: file, check, isJson }: Wishes,
  calibration: Calibration,
  from: string,
  { out, err }: Invocation,
): number {
  const { verdicts, calls, beyond, departures } = calibration;
  // The user may have put a key into the URL or the name of a file.
  const mask = maskOf(keys);
  const occasion = { host: mask(new URL(upstream).host), from, to: iso(wallClock()), calls };
  const drift = check === null ? null : driftFrom(check, calibration);
  if (isJson) out(toJson(calibration, occasion, drift));
  else if (check === null || drift === null) out(toTable(verdicts));
  else out(toDriftTable(drift, mask(check.file), calibration));
  if (!isJson) out(`${toBeyondTable(beyond)}${toDepartureTable(departures)}`);
  if (verdicts.every(({ option }) => option === null)) {
    err('lp-sandbox: nothing could be determined; no file was written.\n');
    return exitCodes.nothingDetermined;
  }
  if (file !== null) {
    const shownFile = mask(file);
    writeResult(file, shownFile, toYaml(calibration, occasion));
    err(`lp-sandbox: wrote ${shownFile}. To use it: lp-sandbox start --assume-file ${shownFile}\n`);
  }
  return drift === null || drift.changes.length === 0 ? 0 : exitCodes.changed;
}

/** Writes the file of the result. Throws an error that names it. */
function writeResult(file: string, shownFile: string, text: string): void {
  try {
    writeTextFile(file, text);
  } catch (error) {
    throw new Error(`Cannot write ${shownFile}: ${whyNotWritten(error)}`, { cause: error });
  }
}

/** Time and a callback for probes that end the calibration if the process is asked to stop. */
function stoppable(invocation: Invocation): {
  readonly time: Time;
  readonly before: (probe: Probe) => void;
} {
  const { stopped, terminals, err } = invocation;
  const stop = { isAsked: false, mayBeHeeded: true };
  const asked = stopped.then(() => void (stop.isAsked = true));
  const heed = (): void => {
    if (stop.isAsked && stop.mayBeHeeded)
      throw new Stopped(
        'Stopped before all probes had run; no file was written. To continue, run the same command with --resume.',
      );
  };
  return {
    time: {
      now: wallClock,
      wait: async (seconds, why) => {
        heed();
        noticeWait(seconds, why, invocation);
        await pause(seconds, stop.mayBeHeeded ? asked : null);
        heed();
      },
    },
    before: (probe) => {
      heed();
      // A probe that writes first restores what it changed.
      stop.mayBeHeeded = probe.writes === undefined;
      if (terminals.err) err(`\r\u001B[K${probe.name}`);
    },
  };
}

/** The user stopped the command. */
class Stopped extends Error {}

function iso(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Describes the number of calls, the duration and the effects. */
function durationOf({ probes: all, pauseSeconds }: Plan): string {
  const made = all.flatMap(({ probe, leftOut }) => (leftOut === null ? [probe] : []));
  const calls = made.reduce((sum, probe) => sum + probe.calls, 0);
  const seconds = made.reduce((sum, probe) => sum + probe.calls * pauseSeconds + (probe.waits ?? 0), 0);
  const duration = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
  const writing = made.filter(({ writes }) => writes !== undefined).map(({ name }) => name);
  const effect = writing.length === 0 ? 'No probe writes.' : `Probes that write: ${writing.join(', ')}.`;
  return `At most ${calls} calls (each is repeated once if it fails), one at a time, in at most ${duration} if the service responds immediately. ${effect}`;
}
