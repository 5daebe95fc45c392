import { readIdleExpiry, readJournalMemory } from '../amounts.ts';
import { assumptionNames, assumptions, profileNames, type AssumptionName, type PartialOptions } from '../assumptions.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { Misuse } from '../sandbox/misuse.ts';
import { usualMost } from '../sandbox/sandboxes.ts';
import { serverLimitNames, serverLimits } from '../server-limits.ts';
import { logFormats } from '../log.ts';
import type { Settings } from '../server.ts';

/** One flag: also an environment variable `SANDBOX_<NAME>` and a key of the configuration file. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; none for a flag without one. */
  readonly value: string | null;
  readonly help: string;
  /** The setting that the text stands for. Throws Misuse where it stands for none. */
  readonly read: (text: string, soFar: Settings) => Settings;
}

export const flags: readonly Flag[] = [
  {
    name: 'port',
    value: 'N',
    help: 'port to listen on; 0 for any free one (default 4010)',
    read: (text) => ({ port: wholeNumber('port', text, 0, 65_535) }),
  },
  { name: 'host', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1, this machine only)', read: (text) => ({ host: text }) },
  {
    name: 'public-url',
    value: 'URL',
    help: 'where clients reach the server, for absolute links',
    read: (text) => ({ publicUrl: webUrl(text) }),
  },
  { name: 'data', value: 'FILE|DIR', help: 'keep the state there (default: in memory)', read: (text) => ({ data: text }) },
  {
    name: 'seed',
    value: 'NAME|DIR',
    help: 'what a sandbox starts from: demo, empty, a folder, or generated:videos=1000 (default demo)',
    read: (text) => ({ seed: text }),
  },
  {
    name: 'random-seed',
    value: 'N',
    help: 'what all randomness follows from (default 1)',
    read: (text) => ({ randomSeed: wholeNumber('random-seed', text, 0, 2 ** 32 - 1) }),
  },
  {
    name: 'assume-file',
    value: 'FILE',
    help: 'options of assumptions from a file, as lp-sandbox calibrate writes it; --assume goes on top',
    read: (text) => ({ assumeFile: text }),
  },
  { name: 'assume', value: 'NAME=OPTION', help: 'choose an option of an assumption; may be given several times', read: readAssume },
  {
    name: 'profile',
    value: 'NAME',
    help: `a named set of options: ${profileNames.join(', ')}`,
    read: (text) => ({ profile: oneOf('profile', text, profileNames) }),
  },
  {
    name: 'scenario',
    value: 'NAME|FILE',
    help: 'a script of faults that every sandbox plays (docs/failures.md)',
    read: (text) => ({ scenario: text }),
  },
  {
    name: 'no-labels',
    value: null,
    help: 'leave Sandbox-Fault off injected replies',
    read: (text) => ({ labels: !isTrue('no-labels', text) }),
  },
  {
    name: 'limits',
    value: 'N|off',
    help: 'scale every rate limit by N, or switch them off',
    read: (text) => ({ limits: readLimits(text) }),
  },
  {
    name: 'log',
    value: 'FORMAT',
    help: `${logFormats.join(', ')} (default pretty on a terminal, else silent)`,
    read: (text) => ({ log: oneOf('log format', text, logFormats) }),
  },
  {
    name: 'control-token',
    value: 'T',
    help: 'what requests to the control plane must carry (default: none on a loopback address, else one is made up and printed)',
    read: (text) => ({ controlToken: controlToken(text) }),
  },
  {
    name: 'control-port',
    value: 'N|off',
    help: 'a port of its own for the control plane, or none at all (default: the same port)',
    read: (text) => ({ controlPort: text === 'off' ? text : wholeNumber('control-port', text, 0, 65_535) }),
  },
  {
    name: 'max-sandboxes',
    value: 'N',
    help: `how many sandboxes there may be at once (default ${usualMost})`,
    read: (text) => ({ maxSandboxes: wholeNumber('max-sandboxes', text, 1, 1_000_000) }),
  },
  {
    name: 'idle-expiry',
    value: 'DURATION|off',
    help: 'remove a sandbox that a key has opened when nobody has used it for so long, such as PT30M (default P1D; off with --data)',
    read: (text) => {
      readIdleExpiry(text);
      return { idleExpiry: text };
    },
  },
  {
    name: 'journal-memory',
    value: 'SIZE',
    help: 'memory for the journals of all sandboxes, such as 64MiB; the largest shrink first (default 256MiB, at most a quarter of the heap)',
    read: (text) => ({ journalMemory: readJournalMemory(text) }),
  },
  {
    name: 'max',
    value: 'NAME=N',
    help: 'set a limit of this server, such as batchElements=100; may be given several times (docs/server-limits.md)',
    read: readMax,
  },
  {
    name: 'no-auto-create',
    value: null,
    help: 'do not open a sandbox for every key of the form sbx_<sandbox>_<school>',
    read: (text) => ({ autoCreate: !isTrue('no-auto-create', text) }),
  },
];

function readAssume(text: string, soFar: Settings): Settings {
  const chosen = text.split(',').map((part) => {
    const [name = '', option = ''] = part.split('=').map((side) => side.trim());
    const known: AssumptionName = oneOf('assumption', name, assumptionNames);
    return [known, oneOf(`option of ${known}`, option, Object.keys(assumptions[known].options))];
  });
  // Each name is an assumption's and each option one of its own, checked above.
  return { assume: { ...soFar.assume, ...(Object.fromEntries(chosen) as PartialOptions) } };
}

function readMax(text: string, soFar: Settings): Settings {
  const chosen = text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim());
    const known = oneOf('limit of the server', name, serverLimitNames);
    const { least, most } = serverLimits[known];
    return [known, wholeNumber(`max ${known}`, value, least, most)];
  });
  return { max: { ...soFar.max, ...Object.fromEntries(chosen) } };
}

function readLimits(text: string): number | null {
  if (text === 'off') return null;
  const scale = Number(text);
  if (text.trim() !== '' && Number.isFinite(scale) && scale > 0) return scale;
  throw new Misuse(`--limits must be a number above 0, or off, but is ${JSON.stringify(text)}.`);
}

/** The text, where it is one of the known words. */
function oneOf<T extends string>(kind: string, text: string, known: readonly T[]): T {
  const found = known.find((word) => word === text);
  if (found !== undefined) return found;
  throw new Misuse(`There is no ${kind} ${JSON.stringify(text)}.${didYouMean(text, known)} Known: ${known.join(', ')}.`);
}

/** The number that a text stands for. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Misuse(`--${name} must be a whole number from ${least} to ${most}, but is ${JSON.stringify(text)}.`);
}

function controlToken(text: string): string {
  if (/^[\w.~+/=-]{8,200}$/.test(text)) return text;
  throw new Misuse('--control-token must be 8 to 200 letters, digits and -._~+/=, without spaces.');
}

function webUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Misuse(`--public-url must be a URL such as https://sandbox.school.example, but is ${JSON.stringify(text)}.`);
}

function isTrue(name: string, text: string): boolean {
  if (['', 'true', '1'].includes(text)) return true;
  if (['false', '0'].includes(text)) return false;
  throw new Misuse(`--${name} must be true or false, but is ${JSON.stringify(text)}.`);
}
