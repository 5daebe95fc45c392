import type { Given } from '../command.ts';
import { readPace, readServiceKeys } from '../service-flags.ts';
import { readUpstreamUrl } from '../upstream-url.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import { SandboxError } from '../../base/errors.ts';
import { derivedId, newToken } from '../../sandbox/random.ts';
import { readAssumeFile, type AssumeFile } from '../../store/read-assume-file.ts';
import { readTextFile } from '../../store/text-file.ts';
import { requireWritableFile } from '../../store/writable-file.ts';
import { readCheckpoint, type Progress } from '../../upstream/calibrate/checkpoint.ts';
import type { Plan } from '../../upstream/calibrate/calibrate.ts';
import { readKnown } from '../../upstream/calibrate/known.ts';
import type { Probe } from '../../upstream/calibrate/probe.ts';
import { maskOf } from '../../upstream/calibrate/upstream.ts';
import { probes } from '../../upstream/calibrate/probes/index.ts';

/** The options of the command. */
export interface Wishes extends Plan {
  readonly upstream: string;
  /** The file to write; null for none. */
  readonly out: string | null;
  /** The file to compare with, and its content. */
  readonly check: ({ readonly file: string } & AssumeFile) | null;
  readonly isJson: boolean;
  /** The file with what was found so far. */
  readonly checkpoint: string;
}

/** Reads the flags and variables. Rejects with SandboxError if one is wrong. */
export async function readWishes(given: Given, environment: NodeJS.ProcessEnv): Promise<Wishes> {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const upstream = readUpstreamUrl(given, 'to probe').href.replace(/\/+$/, '');
  const checked = last('check');
  const out = last('out') ?? (checked === undefined ? 'assumptions.yaml' : null);
  const isWritten = out !== null && !given.has('dry-run');
  if (isWritten) requireWritableFile('--out', out);
  if (isWritten && !given.has('force') && readTextFile(out, '--out') !== null) {
    throw new SandboxError(
      `The file ${out} already exists. Choose another one with --out, or overwrite it with --force.`,
    );
  }
  const check =
    checked === undefined ? null : { file: checked, ...(await readAssumeFile(checked, '--check')) };
  const known = last('known');
  const checkpoint = `${out ?? checked}.checkpoint`;
  const keys = readServiceKeys(given, environment);
  return {
    upstream,
    out,
    checkpoint,
    earlier: given.has('resume') ? resumed(checkpoint, maskOf(keys)(upstream)) : null,
    check,
    throttleReply: check?.options.throttleReply ?? null,
    isJson: formatOf(last('format')) === 'json',
    probes: choose(given),
    known: known === undefined ? {} : await readKnown(known),
    keys,
    pauseSeconds: readPace(given),
    stamp: derivedId(newToken()).slice(0, 8),
  };
}

function formatOf(text = 'text'): string {
  const formats = ['text', 'json'];
  if (formats.includes(text)) return text;
  throw new SandboxError(`--format must be one of ${formats.join(', ')}, but is ${JSON.stringify(text)}.`);
}

function resumed(file: string, upstream: string): Progress {
  const text = readTextFile(file, 'The checkpoint');
  if (text !== null) return readCheckpoint(text, upstream, file);
  throw new SandboxError(`There is no checkpoint ${file} to resume from. Run calibrate without --resume.`);
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
