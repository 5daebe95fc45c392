import type { Given, Invocation } from '../command.ts';
import { readUpstreamUrl } from '../upstream-url.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import { after, wallClock } from '../../sandbox/clock.ts';
import { SandboxError } from '../../base/errors.ts';
import { derivedId, newToken } from '../../sandbox/random.ts';
import { readTextFile, writeTextFile } from '../../store/text-file.ts';
import { calibrate, type Plan } from '../../upstream/calibrate/calibrate.ts';
import { readKnown } from '../../upstream/calibrate/known.ts';
import type { Time } from '../../upstream/calibrate/pace.ts';
import type { Probe } from '../../upstream/calibrate/probe.ts';
import { probes } from '../../upstream/calibrate/probes/index.ts';
import { listOf, toTable, toYaml } from '../../upstream/calibrate/render.ts';
import { connect } from '../../upstream/calibrate/upstream.ts';
import { aNumber, readValue } from '../../settings/value-rule.ts';

/** The exit code if no assumption was determined. */
const nothingDetermined = 4;

/** The options of the command. */
interface Wishes extends Plan {
  readonly upstream: string;
  readonly out: string;
}

/**
 * Detects a service's options, prints them as a table and writes them to a file. Resolves with the exit code.
 */
export async function runCalibrate({
  given,
  environment,
  terminals,
  out,
  err,
  stopped,
}: Invocation): Promise<number> {
  const wishes = await readWishes(given, environment);
  out(`${listOf(wishes.probes)}\n${durationOf(wishes)}\n`);
  if (given.has('dry-run')) return 0;
  if (wishes.keys.own === '')
    throw new SandboxError('calibrate needs an API key: set UPSTREAM_API_KEY or --key.');
  const stop = { isAsked: false, mayBeHeeded: true };
  const asked = stopped.then(() => void (stop.isAsked = true));
  const heed = (): void => {
    if (stop.isAsked && stop.mayBeHeeded)
      throw new Stopped('Stopped before all probes had run; no file was written.');
  };
  const time: Time = {
    now: wallClock,
    wait: async (seconds) => {
      heed();
      await pause(seconds, stop.mayBeHeeded ? asked : null);
      heed();
    },
  };
  const from = iso(wallClock());
  const before = (probe: Probe): void => {
    heed();
    // A probe that writes first restores what it changed.
    stop.mayBeHeeded = probe.writes === undefined;
    if (terminals.err) err(`\r\u001B[K${probe.name}`);
  };
  const { verdicts, templates, calls } = await calibrate(wishes, {
    upstream: connect(wishes.upstream, wishes.keys),
    time,
    before,
  });
  if (terminals.err) err('\r\u001B[K');
  out(toTable(verdicts));
  if (verdicts.every(({ option }) => option === null)) {
    err('lp-sandbox: nothing could be determined; no file was written.\n');
    return nothingDetermined;
  }
  writeTextFile(
    wishes.out,
    toYaml(
      { verdicts, templates },
      { host: new URL(wishes.upstream).host, from, to: iso(wallClock()), calls },
    ),
  );
  err(`lp-sandbox: wrote ${wishes.out}. To use it: lp-sandbox start --assume-file ${wishes.out}\n`);
  return 0;
}

/** The user stopped the command. */
class Stopped extends Error {}

/** Waits for some seconds or until the promise resolves. */
function pause(seconds: number, until: Promise<void> | null): Promise<void> {
  let timer = { cancel: (): void => {} };
  const over = new Promise<void>((done) => (timer = after(seconds * 1000, done, { keepAlive: true })));
  return Promise.race([over, ...(until === null ? [] : [until])]).finally(() => timer.cancel());
}

function iso(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

async function readWishes(given: Given, environment: NodeJS.ProcessEnv): Promise<Wishes> {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const upstream = readUpstreamUrl(given, 'to probe').href.replace(/\/+$/, '');
  const out = last('out') ?? 'assumptions.yaml';
  if (!given.has('dry-run') && !given.has('force') && readTextFile(out) !== null) {
    throw new SandboxError(
      `The file ${out} already exists. Choose another one with --out, or overwrite it with --force.`,
    );
  }
  const known = last('known');
  return {
    upstream,
    out,
    probes: choose(given),
    known: known === undefined ? {} : await readKnown(known),
    keys: {
      own: readKey(given, environment, 'key', 'UPSTREAM_API_KEY') ?? '',
      second: readKey(given, environment, 'second-key', 'UPSTREAM_SECOND_KEY'),
      other: readKey(given, environment, 'other-key', 'UPSTREAM_OTHER_KEY'),
    },
    pauseSeconds: pauseOf(last('pace')),
    stamp: derivedId(newToken()).slice(0, 8),
  };
}

/** Returns a key from its flag or its variable, or null if it is empty. */
function readKey(
  given: Given,
  environment: NodeJS.ProcessEnv,
  flag: string,
  variable: string,
): string | null {
  const key = given.get(flag)?.at(-1) ?? environment[variable] ?? '';
  if (/^[\u0021-\u007E]*$/.test(key)) return key === '' ? null : key;
  throw new SandboxError(`${variable} (or --${flag}) contains characters that are not allowed in a header.`);
}

function pauseOf(text = '0.5'): number {
  const allowed = aNumber('a number of seconds from 0 to 60', (seconds) => seconds >= 0 && seconds <= 60);
  return readValue(allowed, '--pace', text);
}

/** Returns every probe with the reason to skip it, if any. Throws SandboxError for an unknown name. */
function choose(given: Given): Plan['probes'] {
  const names = probes.map(({ name }) => name);
  const skipped = (given.get('skip') ?? []).flatMap((list) => list.split(',').map((name) => name.trim()));
  for (const name of skipped) {
    if (!names.includes(name))
      throw new SandboxError(
        `Unknown probe "${name}".${didYouMean(name, names)} Known: ${names.join(', ')}.`,
      );
  }
  const leftOut = ({ name, writes, waits }: Probe): string | null => {
    if (skipped.includes(name)) return 'skipped by --skip';
    if (writes !== undefined && !given.has('allow-writes')) return 'needs --allow-writes because it writes';
    return waits !== undefined && given.has('quick') ? 'skipped by --quick' : null;
  };
  return probes.map((probe) => ({ probe, leftOut: leftOut(probe) }));
}

/** Describes the number of calls, the duration and the effects. */
function durationOf({ probes: all, pauseSeconds }: Plan): string {
  const made = all.flatMap(({ probe, leftOut }) => (leftOut === null ? [probe] : []));
  const calls = made.reduce((sum, probe) => sum + probe.calls, 0);
  const seconds = made.reduce((sum, probe) => sum + probe.calls * pauseSeconds + (probe.waits ?? 0), 0);
  const duration = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
  const writing = made.filter(({ writes }) => writes !== undefined).map(({ name }) => name);
  const effect = writing.length === 0 ? 'No probe writes.' : `Probes that write: ${writing.join(', ')}.`;
  return `At most ${calls} calls (each once more if it fails), one at a time, in at most ${duration} if the service responds immediately. ${effect}`;
}
