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

/** What was asked for. */
interface Wishes extends Plan {
  readonly upstream: string;
  readonly out: string;
}

/** Finds out which options a service shows, tells them in a table and writes them to a file. Resolves with the exit code. */
export async function runCalibrate({ given, environment, terminals, out, err, stopped }: Invocation): Promise<number> {
  const wishes = await readWishes(given, environment);
  out(`${listOf(wishes.probes)}\n${durationOf(wishes)}\n`);
  if (given.has('dry-run')) return 0;
  if (wishes.keys.own === '') throw new SandboxError('calibrate needs a key: set UPSTREAM_API_KEY, or give --key.');
  const stop = { isAsked: false, mayBeHeeded: true };
  const asked = stopped.then(() => void (stop.isAsked = true));
  const heed = (): void => {
    if (stop.isAsked && stop.mayBeHeeded) throw new Stopped('Stopped before all probes were made; nothing is written.');
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
    // What was changed for a moment is put back first.
    stop.mayBeHeeded = probe.writes === undefined;
    if (terminals.err) err(`\r\u001B[K${probe.name}`);
  };
  const { verdicts, calls } = await calibrate(wishes, { upstream: connect(wishes.upstream, wishes.keys), time, before });
  if (terminals.err) err('\r\u001B[K');
  out(toTable(verdicts));
  writeTextFile(wishes.out, toYaml(verdicts, { host: new URL(wishes.upstream).host, from, to: iso(wallClock()), calls }));
  err(`lp-sandbox: wrote ${wishes.out}; lp-sandbox start --assume-file ${wishes.out} does the same\n`);
  return 0;
}

/** The person does not want to wait any longer. */
class Stopped extends Error {}

/** Waits for some seconds, or until something else comes. */
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
  const upstream = readUpstreamUrl(given, 'to ask').href.replace(/\/+$/, '');
  const out = last('out') ?? 'assumptions.yaml';
  if (!given.has('dry-run') && !given.has('force') && readTextFile(out) !== null) {
    throw new SandboxError(`There is a file ${out} already. Name another one with --out, or write over it with --force.`);
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

/** A key from its flag or its variable; an empty one stands for none. */
function readKey(given: Given, environment: NodeJS.ProcessEnv, flag: string, variable: string): string | null {
  const key = given.get(flag)?.at(-1) ?? environment[variable] ?? '';
  if (/^[\u0021-\u007E]*$/.test(key)) return key === '' ? null : key;
  throw new SandboxError(`${variable} (or --${flag}) has characters that no header can carry.`);
}

function pauseOf(text = '0.5'): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= 60) return seconds;
  throw new SandboxError(`--pace must be a number of seconds from 0 to 60, but is ${JSON.stringify(text)}.`);
}

/** Every probe, with why it is left out. Throws SandboxError for a name that is none. */
function choose(given: Given): Plan['probes'] {
  const names = probes.map(({ name }) => name);
  const skipped = (given.get('skip') ?? []).flatMap((list) => list.split(',').map((name) => name.trim()));
  for (const name of skipped) {
    if (!names.includes(name)) throw new SandboxError(`There is no probe "${name}".${didYouMean(name, names)} Known: ${names.join(', ')}.`);
  }
  const leftOut = ({ name, writes, waits }: Probe): string | null => {
    if (skipped.includes(name)) return '--skip leaves it out';
    if (writes !== undefined && !given.has('allow-writes')) return 'it writes, which only --allow-writes allows';
    return waits !== undefined && given.has('quick') ? '--quick leaves it out' : null;
  };
  return probes.map((probe) => ({ probe, leftOut: leftOut(probe) }));
}

/** How long it takes, as far as that can be told. */
function durationOf({ probes: all, pauseSeconds }: Plan): string {
  const made = all.flatMap(({ probe, leftOut }) => (leftOut === null ? [probe] : []));
  const calls = made.reduce((sum, probe) => sum + probe.calls, 0);
  const seconds = made.reduce((sum, probe) => sum + probe.calls * pauseSeconds + (probe.waits ?? 0), 0);
  const duration = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
  const writing = made.filter(({ writes }) => writes !== undefined).map(({ name }) => name);
  const effect = writing.length === 0 ? 'All of them only read.' : `These write: ${writing.join(', ')}.`;
  return `At most ${calls} calls, one at a time, ${duration} at most where it answers at once. ${effect}`;
}
