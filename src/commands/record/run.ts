import { shownUrl } from '../../http/forward.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { Recording } from '../../upstream/seed-recorder/recording.ts';
import { reportText } from '../../upstream/seed-recorder/report.ts';
import { join } from 'node:path';
import { latencyFile, scenarioFile } from '../../store/seed-source.ts';
import { SandboxError } from '../../base/errors.ts';
import { quoted } from '../../base/violation.ts';
import { newToken } from '../../sandbox/random.ts';
import type { Running } from '../../server/server.ts';
import { pictureNames } from '../../base/package-files.ts';
import { readRecordingState, RecordingFolder } from '../../store/recording-folder.ts';
import { requireFreeFolder } from '../../store/seed-folder.ts';
import { requirePath } from '../../store/writable-file.ts';
import { unusablePlace } from '../../store/unusable-data.ts';
import type { Invocation } from '../command.ts';
import { readProxySettings, readUpstream } from '../proxy/wishes.ts';
import { Recorder, type RecordedState } from './recorder.ts';

/**
 * Forwards calls until it is stopped, then writes the seed. Resolves with the exit code: 1 if there was
 * nothing to record.
 */
export async function runRecord(invocation: Invocation): Promise<number> {
  const folder = readFolder(invocation);
  const files = new RecordingFolder(folder, invocation.given.has('append'));
  try {
    return await recordInto(files, folder, invocation);
  } finally {
    await files.release();
  }
}

async function recordInto(files: RecordingFolder, folder: string, invocation: Invocation): Promise<number> {
  const { out, err, processId, stopped } = invocation;
  // No log and no control plane, because the data is real.
  const settings = { ...(await readProxySettings(invocation)), log: 'silent', controlPort: 'off' } as const;
  const upstream = readUpstream(invocation, settings);
  const owner = `process ${processId}`;
  const recorder = await openRecorder(invocation, folder, files, owner);
  let server: Running | null = null;
  // Error messages of the server might quote real data.
  const channels = { out, err: () => void (recorder.defects += 1), owner };
  const exchange = (passed: PassedExchange): Promise<void> => {
    // The journal is not needed here, and its data is real.
    server?.sandboxes.default.journal.clear();
    return recorder.take(passed);
  };
  // Loaded after the flags were read, as in `proxy`.
  const { startProxy } = await import('../proxy/start-proxy.ts');
  const running = (server = await startProxy(settings, upstream, channels, { exchange, passedBy: () => {} }));
  out(banner(running.url, shownUrl(upstream.url), folder));
  await stopped;
  await running.stop();
  const recorded = await recorder.end();
  if (recorder.defects > 0)
    err(
      `lp-sandbox: ${recorder.defects} calls could not be recorded because of a bug in the sandbox; their data is missing from the seed.\n`,
    );
  if (recorded !== null) return write(recorded, files, folder, invocation);
  err(`lp-sandbox: No call succeeded, so there is no data for a seed. ${folder} was not written.\n`);
  return 1;
}

/** Returns the recorder of a new recording, or of the one that `--append` continues. */
async function openRecorder(
  invocation: Invocation,
  folder: string,
  files: RecordingFolder,
  owner: string,
): Promise<Recorder> {
  const { given, err } = invocation;
  const pictures = { portraits: pictureNames('instructors'), events: pictureNames('live-events') };
  const secret = readSecret(invocation);
  const recording = new Recording({ secret: secret ?? newToken(), pictures });
  if (given.has('append')) {
    readRecordingState(folder);
    // Another recording may have ended in between.
    await files.claim(owner);
    recording.restore(readRecordingState(folder));
  }
  return new Recorder({
    recording,
    files,
    owner,
    hasRelativeTimes: readTimes(invocation),
    isContinuable: secret !== null,
    checkpointFailed: (error) =>
      err(`lp-sandbox: ${unusablePlace('--out', folder, error).message} The recording continues.\n`),
  });
}

/** Writes the seed. Resolves with the exit code. */
async function write(
  recorded: RecordedState,
  files: RecordingFolder,
  folder: string,
  { out }: Invocation,
): Promise<number> {
  const written = await files.finish(recorded).catch((error: unknown) => {
    throw unusablePlace('--out', folder, error);
  });
  const isEventful = recorded.scenario !== null;
  const scenario = isEventful ? ` --scenario ${join(written, scenarioFile)}` : '';
  const flags = Object.entries(recorded.report.assume)
    .map(([name, option]) => ` --assume ${name}=${option}`)
    .join('');
  out(
    `${reportText(recorded.report)}Wrote ${written}. To use it: lp-sandbox start --seed ${written}${flags}\n`,
  );
  out(
    `To ${isEventful ? 'fail and be slow as often' : 'be as slow'} as the service, add${scenario} --latency-from ${join(written, latencyFile)}\n`,
  );
  return 0;
}

function readFolder({ given }: Invocation): string {
  const folder = given.get('out')?.at(-1);
  if (folder === undefined)
    throw new SandboxError('Set the folder for the seed, for example: --out recorded-school');
  requirePath('--out', folder);
  if (!given.has('append')) requireFreeFolder(folder);
  return folder;
}

/** Returns the given secret; null if there is none. */
function readSecret({ given, environment }: Invocation): string | null {
  const secret = given.get('secret')?.at(-1) ?? environment['SANDBOX_RECORD_SECRET'] ?? '';
  if (secret === '' && given.has('append'))
    throw new SandboxError(
      '--append needs the --secret of the recording, so that the same person gets the same name.',
    );
  if (secret === '' || secret.length >= 16) return secret === '' ? null : secret;
  throw new SandboxError(
    '--secret must have at least 16 characters. Anyone who guesses it can find out the original data.',
  );
}

/** Returns whether the times of the seed are relative. */
function readTimes({ given }: Invocation): boolean {
  const times = given.get('times')?.at(-1) ?? 'relative';
  if (times === 'relative' || times === 'absolute') return times === 'relative';
  throw new SandboxError(`--times must be relative or absolute, but is ${quoted(times)}.`);
}

function banner(url: string, upstream: string, folder: string): string {
  const lines = [
    `Upstream             ${upstream}`,
    `Seed                 ${folder}, completed when you stop the proxy (Ctrl+C); a checkpoint every second`,
  ];
  return `Recording proxy at ${url}\n  ${lines.join('\n  ')}\nPoint the client at ${url} and use a key of the service.\n`;
}
