import { showsColors } from '../../base/terminal-colors.ts';
import { shownUrl } from '../../http/forward.ts';
import { reportRenderers } from '../../report/render/renderings.ts';
import { toText } from '../../report/render/text.ts';
import { missedThresholds, readFailOn, type Thresholds } from '../../report/thresholds.ts';
import type { Running } from '../../server/server.ts';
import type { Invocation } from '../command.ts';
import { Recorder } from '../recorder.ts';
import { readReportFiles, requireWritableReports, writeReportFiles } from '../report-files.ts';
import { missedByStop, stopAndReport } from '../report-in-time.ts';
import { controlLines } from '../start/command.ts';
import { Tally } from './tally.ts';
import { readProxySettings, readUpstream } from './wishes.ts';

/** Forwards calls until it is stopped, then reports on them. Resolves with the exit code. */
export async function runProxy(invocation: Invocation): Promise<number> {
  const { given, environment, terminals, out, err, processId, stopped } = invocation;
  const files = readReportFiles(given.get('report') ?? [], reportRenderers);
  requireWritableReports(given);
  const failOn = (given.get('fail-on') ?? []).flatMap(readFailOn);
  const thresholds: Thresholds = { failOn, minCoverage: {} };
  const settings = await readProxySettings(invocation);
  const upstream = readUpstream(invocation, settings);
  const recorder = Recorder.of(settings);
  const tally = new Tally(err);
  const channels = {
    out,
    err,
    colors: showsColors(terminals.out, environment),
    owner: `process ${processId}`,
    observe: recorder.record,
    warmUp: true,
  };
  // Loaded after the flags were read: it takes over a second, too long for the message about a wrong flag.
  const { startProxy } = await import('./start-proxy.ts');
  const running = await startProxy(settings, upstream, channels, tally);
  invocation.surviveDefects();
  const name = shownUrl(upstream.url);
  out(banner(running, name));
  await stopped;
  const { report, incomplete } = await stopAndReport(running, recorder);
  err(`lp-sandbox: ${tally.summary(name)}${toText(report)}`);
  if (incomplete !== null) err(`lp-sandbox: ${incomplete}\n`);
  const missed = [...missedByStop({ incomplete }, thresholds), ...missedThresholds(report, thresholds)];
  for (const one of missed) err(`lp-sandbox: ${one}\n`);
  const isWritten = writeReportFiles(files, { report, thresholds }, err);
  if (missed.length > 0) return 3;
  return isWritten ? 0 : 1;
}

function banner({ url, listening, madeUpToken }: Running, upstream: string): string {
  const lines = [
    `Upstream             ${upstream}`,
    ...controlLines(listening.controlPort, url, madeUpToken),
  ];
  return `Validating proxy at ${url}\n  ${lines.join('\n  ')}\nPoint the client at ${url} and use a key of the service.\n`;
}
