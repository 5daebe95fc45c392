import { shownUrl } from '../../http/forward.ts';
import { headersByName } from '../../upstream/proxy/messages.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { Recording } from '../../upstream/seed-recorder/recording.ts';
import { reportText } from '../../upstream/seed-recorder/report.ts';
import { SandboxError } from '../../base/errors.ts';
import { quoted } from '../../base/violation.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { wallClock } from '../../sandbox/clock.ts';
import { newToken } from '../../sandbox/random.ts';
import { Slices } from '../../sandbox/slices.ts';
import type { Running } from '../../server/server.ts';
import { pictureNames } from '../../base/package-files.ts';
import { requireFreeFolder, writeSeedFolder } from '../../store/seed-folder.ts';
import type { Invocation } from '../command.ts';
import { startProxy } from '../proxy/start-proxy.ts';
import { readProxySettings, readUpstream } from '../proxy/wishes.ts';

/**
 * Forwards calls until it is stopped, then writes the seed. Resolves with the exit code: 1 if there was
 * nothing to record.
 */
export async function runRecord(invocation: Invocation): Promise<number> {
  const { out, err, processId, stopped } = invocation;
  const folder = readFolder(invocation);
  // No log and no control plane, because the data is real.
  const settings = { ...(await readProxySettings(invocation)), log: 'silent', controlPort: 'off' } as const;
  const upstream = readUpstream(invocation, settings);
  const pictures = { portraits: pictureNames('instructors'), events: pictureNames('live-events') };
  const hasRelativeTimes = readTimes(invocation);
  const recording = new Recording({ secret: readSecret(invocation), pictures });
  let defects = 0;
  let recordedAt = wallClock();
  let server: Running | null = null;
  // Error messages of the server might quote real data.
  const channels = { out, err: () => void (defects += 1), owner: `process ${processId}` };
  const slices = new Slices();
  // One after the other: the seed must not depend on which of two concurrent responses is recorded sooner.
  let recorded = Promise.resolve();
  let pendingBytes = 0;
  const exchange = async (passed: PassedExchange): Promise<void> => {
    // The journal is not needed here, and its data is real.
    server?.sandboxes.default.journal.clear();
    const bytes = bytesOf(passed);
    recordedAt = wallClock();
    pendingBytes += bytes;
    recorded = recorded
      .then(() => slices.run(observe(recording, passed)))
      .catch(() => void (defects += 1))
      .finally(() => (pendingBytes -= bytes));
    // Clients do not wait for the recording of other calls, unless it takes up too much memory.
    if (pendingBytes > maxPendingBytes) await recorded;
  };
  const running = (server = await startProxy(settings, upstream, channels, { exchange, passedBy: () => {} }));
  out(banner(running.url, shownUrl(upstream.url), folder));
  await stopped;
  await running.stop();
  await recorded;
  if (defects > 0)
    err(
      `lp-sandbox: ${defects} calls could not be recorded because of a bug in the sandbox; their data is missing from the seed.\n`,
    );
  return write(recording, hasRelativeTimes ? recordedAt : null, folder, invocation);
}

/** The maximum size of the calls that wait to be recorded, in bytes. */
const maxPendingBytes = 67_108_864;

/** The memory of a call that waits, in bytes. */
function bytesOf({ requestText, responseText }: PassedExchange): number {
  return 2 * ((requestText?.length ?? 0) + (responseText?.length ?? 0));
}

function observe(
  recording: Recording,
  { call, answered, requestText, responseText }: PassedExchange,
): SlicedWork<void> {
  const key = headersByName(call.headers)['service-api-key'] ?? null;
  const { status = 0 } = answered ?? {};
  return recording.observe({
    operation: call.operation,
    requestBody: requestText ?? '',
    responseBody: responseText ?? '',
    status,
    key,
  });
}

async function write(
  recording: Recording,
  moment: number | null,
  folder: string,
  { out, err }: Invocation,
): Promise<number> {
  if (recording.isEmpty) {
    err(`lp-sandbox: No call succeeded, so there is no data for a seed. ${folder} was not written.\n`);
    return 1;
  }
  const { collections, report } = recording.finish(moment);
  const written = await writeSeedFolder(folder, collections, report);
  out(`${reportText(report)}Wrote ${written}. To use it: lp-sandbox start --seed ${written}\n`);
  return 0;
}

function readFolder({ given }: Invocation): string {
  const folder = given.get('out')?.at(-1);
  if (folder === undefined)
    throw new SandboxError('Set the folder for the seed, for example: --out recorded-school');
  requireFreeFolder(folder);
  return folder;
}

function readSecret({ given, environment }: Invocation): string {
  const secret = given.get('secret')?.at(-1) ?? environment['SANDBOX_RECORD_SECRET'] ?? '';
  if (secret === '') return newToken();
  if (secret.length >= 16) return secret;
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
    `Seed                 ${folder}, written when you stop the proxy (Ctrl+C)`,
  ];
  return `Recording proxy at ${url}\n  ${lines.join('\n  ')}\nPoint the client at ${url} and use a key of the upstream.\n`;
}
