import { shownUrl } from '../../http/forward.ts';
import { headersByName } from '../../upstream/proxy/messages.ts';
import type { PassedExchange } from '../../upstream/proxy/pass-call.ts';
import { Recording } from '../../upstream/seed-recorder/recording.ts';
import { reportText } from '../../upstream/seed-recorder/report.ts';
import { SandboxError } from '../../base/errors.ts';
import { newToken } from '../../sandbox/random.ts';
import type { Running } from '../../server/server.ts';
import { pictureNames } from '../../base/package-files.ts';
import { requireFreeFolder, writeSeedFolder } from '../../store/seed-folder.ts';
import type { Invocation } from '../command.ts';
import { startProxy } from '../proxy/start-proxy.ts';
import { readProxySettings, readUpstream } from '../proxy/wishes.ts';

/** Passes calls on until it is told to stop, then writes the seed. Resolves with the exit code: 1 where there was nothing to record. */
export async function runRecord(invocation: Invocation): Promise<number> {
  const { given, out, err, processId, stopped } = invocation;
  const folder = readFolder(invocation);
  // Neither a log nor the control plane: what passes by is real.
  const settings = { ...(await readProxySettings(invocation)), log: 'silent', controlPort: 'off' } as const;
  const upstream = readUpstream(given, settings);
  const pictures = { portraits: pictureNames('instructors'), events: pictureNames('live-events') };
  const recording = new Recording({ secret: readSecret(invocation), pictures });
  let defects = 0;
  let server: Running | null = null;
  // What the server says of a defect of ours might quote what passed by.
  const channels = { out, err: () => void (defects += 1), owner: `process ${processId}` };
  const exchange = (passed: PassedExchange): void => {
    try {
      observe(recording, passed);
    } catch {
      defects += 1;
    }
    // What the proxy keeps for its console and report is of no use here, and real.
    server?.sandboxes.default.journal.clear();
  };
  const running = (server = await startProxy(settings, upstream, channels, { exchange, passedBy: () => {} }));
  out(banner(running.url, shownUrl(upstream.url), folder));
  await stopped;
  await running.stop();
  if (defects > 0)
    err(
      `lp-sandbox: The sandbox failed at ${defects} of the calls; what they would have told is missing. It is a defect of the sandbox.\n`,
    );
  return write(recording, folder, invocation);
}

function observe(recording: Recording, { call, answered, requestText, responseText }: PassedExchange): void {
  const key = headersByName(call.headers)['service-api-key'] ?? null;
  const { status = 0 } = answered ?? {};
  recording.observe({ operation: call.operation, requestBody: requestText ?? '', responseBody: responseText ?? '', status, key });
}

function write(recording: Recording, folder: string, { out, err }: Invocation): number {
  if (recording.isEmpty) {
    err(`lp-sandbox: No call succeeded, so there is nothing to make a seed of; ${folder} was not written.\n`);
    return 1;
  }
  const { collections, report } = recording.finish();
  const written = writeSeedFolder(folder, collections, report);
  out(`${reportText(report)}Wrote ${written}. Use it: lp-sandbox start --seed ${written}\n`);
  return 0;
}

function readFolder({ given }: Invocation): string {
  const folder = given.get('out')?.at(-1);
  if (folder === undefined) throw new SandboxError('There is no folder to write the seed to. Name a new one: --out recorded-school');
  requireFreeFolder(folder);
  return folder;
}

function readSecret({ given, environment }: Invocation): string {
  const secret = given.get('secret')?.at(-1) ?? environment['SANDBOX_RECORD_SECRET'] ?? '';
  if (secret === '') return newToken();
  if (secret.length >= 16) return secret;
  throw new SandboxError('--secret must have 16 characters or more: who can guess it can find out what was replaced.');
}

function banner(url: string, upstream: string, folder: string): string {
  const lines = [`Upstream             ${upstream}`, `Seed                 ${folder}, written when this is stopped (Ctrl+C)`];
  return `Recording proxy at ${url}\n  ${lines.join('\n  ')}\nPoint the client at ${url}, with the key that the upstream knows.\n`;
}
