import { profileNames } from '../assumptions.ts';
import { logFormats } from '../server/log.ts';
import { usualMost } from '../sandbox/sandboxes.ts';
import type { Settings } from '../server/server.ts';

/** One flag: also an environment variable `SANDBOX_<NAME>` and a key of the configuration file. */
export interface Flag {
  readonly name: string;
  /** What stands for the value in the help; none for a flag without one. */
  readonly value: string | null;
  readonly help: string;
  /** The setting that it gives; src/server/settings.ts says what that must be. */
  readonly setting: keyof Settings;
  /** Whether the flag says the opposite of the setting. */
  readonly isNegated?: true;
}

export const flags: readonly Flag[] = [
  {
    name: 'port',
    value: 'N',
    help: 'port to listen on; 0 for any free one (default 4010)',
    setting: 'port',
  },
  { name: 'host', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1, this machine only)', setting: 'host' },
  {
    name: 'public-url',
    value: 'URL',
    help: 'where clients reach the server, for absolute links',
    setting: 'publicUrl',
  },
  { name: 'data', value: 'FILE|DIR', help: 'keep the state there (default: in memory)', setting: 'data' },
  {
    name: 'seed',
    value: 'NAME|DIR',
    help: 'what a sandbox starts from: demo, empty, a folder, or generated:videos=1000 (default demo)',
    setting: 'seed',
  },
  {
    name: 'random-seed',
    value: 'N',
    help: 'what all randomness follows from (default 1)',
    setting: 'randomSeed',
  },
  {
    name: 'assume-file',
    value: 'FILE',
    help: 'options of assumptions from a file, as lp-sandbox calibrate writes it; --assume goes on top',
    setting: 'assumeFile',
  },
  { name: 'assume', value: 'NAME=OPTION', help: 'choose an option of an assumption; may be given several times', setting: 'assume' },
  {
    name: 'profile',
    value: 'NAME',
    help: `a named set of options: ${profileNames.join(', ')}`,
    setting: 'profile',
  },
  {
    name: 'scenario',
    value: 'NAME|FILE',
    help: 'a script of faults that every sandbox plays (docs/failures.md)',
    setting: 'scenario',
  },
  {
    name: 'no-labels',
    value: null,
    help: 'leave Sandbox-Fault off injected replies',
    setting: 'labels',
    isNegated: true,
  },
  {
    name: 'limits',
    value: 'N|off',
    help: 'scale every rate limit by N, or switch them off',
    setting: 'limits',
  },
  {
    name: 'log',
    value: 'FORMAT',
    help: `${logFormats.join(', ')} (default pretty on a terminal, else silent)`,
    setting: 'log',
  },
  {
    name: 'control-token',
    value: 'T',
    help: 'what requests to the control plane must carry (default: none on a loopback address, else one is made up and printed)',
    setting: 'controlToken',
  },
  {
    name: 'control-port',
    value: 'N|off',
    help: 'a port of its own for the control plane, or none at all (default: the same port)',
    setting: 'controlPort',
  },
  {
    name: 'max-sandboxes',
    value: 'N',
    help: `how many sandboxes there may be at once (default ${usualMost})`,
    setting: 'maxSandboxes',
  },
  {
    name: 'idle-expiry',
    value: 'DURATION|off',
    help: 'remove a sandbox that a key has opened when nobody has used it for so long, such as PT30M (default P1D; off with --data)',
    setting: 'idleExpiry',
  },
  {
    name: 'journal-memory',
    value: 'SIZE',
    help: 'memory for the journals of all sandboxes, such as 64MiB; the largest shrink first (default 256MiB, at most a quarter of the heap)',
    setting: 'journalMemory',
  },
  {
    name: 'state-memory',
    value: 'SIZE',
    help: 'memory for the changed records of all sandboxes, such as 64MiB; beyond it, changes are refused (default 512MiB, at most a quarter of the heap)',
    setting: 'stateMemory',
  },
  {
    name: 'max',
    value: 'NAME=N',
    help: 'set a limit of this server, such as batchElements=100; may be given several times (docs/server-limits.md)',
    setting: 'max',
  },
  {
    name: 'no-auto-create',
    value: null,
    help: 'do not open a sandbox for every key of the form sbx_<sandbox>_<school>',
    setting: 'autoCreate',
    isNegated: true,
  },
];
