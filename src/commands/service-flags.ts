import { SandboxError } from '../base/errors.ts';
import { aNumber, readValue } from '../settings/value-rule.ts';
import type { Keys } from '../upstream/calibrate/upstream.ts';
import { isFile } from '../store/text-file.ts';
import type { CommandFlag, Given, Invocation } from './command.ts';
import { connectionFlags } from './connection-flags.ts';

/** The flags of commands that send calls of their own to the real service: where it is, and with which key. */
export const serviceFlags: readonly CommandFlag[] = [
  { name: 'upstream', value: 'URL', help: 'base URL of the service; operations are at URL/public/…' },
  {
    name: 'api-key',
    value: 'KEY',
    help: 'API key of the service; the variable is safer, because process lists do not show it  [UPSTREAM_API_KEY]',
  },
  ...connectionFlags,
];

/** The flags for calls that need more than one key. */
export const moreKeyFlags: readonly CommandFlag[] = [
  { name: 'second-key', value: 'KEY', help: 'another key of the same school  [UPSTREAM_SECOND_KEY]' },
  { name: 'other-key', value: 'KEY', help: 'a key of another school  [UPSTREAM_OTHER_KEY]' },
];

export const knownFlag: CommandFlag = {
  name: 'known',
  value: 'FILE',
  help: 'YAML file with identifiers that no operation lists (docs/calibrate.md)',
};

export const paceFlag: CommandFlag = {
  name: 'pace',
  value: 'S',
  help: 'seconds between two calls (default 0.5)',
};

/**
 * Returns the invocation with the API key in `--api-key`. `--key` was its name before client certificates, so a
 * `--key` that names no file is the API key.
 */
export function withApiKey(invocation: Invocation): Invocation {
  const { given, err } = invocation;
  const files = (given.get('key') ?? []).filter(isFile);
  const others = (given.get('key') ?? []).filter((value) => !isFile(value));
  const isMistyped = files.length === 0 && given.has('cert');
  if (others.length === 0 || given.has('api-key') || isMistyped) return invocation;
  err(
    'lp-sandbox: --key names no file, so it is used as the API key. Use --api-key instead: --key is the private key of a client certificate.\n',
  );
  const rest = [...given].filter(([name]) => name !== 'key');
  const keys: readonly [string, readonly string[]][] = files.length === 0 ? [] : [['key', files]];
  return { ...invocation, given: new Map([...rest, ...keys, ['api-key', others]]) };
}

/** Returns all keys; an empty one if there is none. Throws SandboxError if no header can have one. */
export function readServiceKeys(given: Given, environment: NodeJS.ProcessEnv): Keys {
  return {
    own: readServiceKey(given, environment, 'api-key', 'UPSTREAM_API_KEY') ?? '',
    second: readServiceKey(given, environment, 'second-key', 'UPSTREAM_SECOND_KEY'),
    other: readServiceKey(given, environment, 'other-key', 'UPSTREAM_OTHER_KEY'),
  };
}

/**
 * Returns a key from its flag or its variable, or null if it is empty. Throws SandboxError if no header can have
 * it.
 */
function readServiceKey(
  given: Given,
  environment: NodeJS.ProcessEnv,
  flag: string,
  variable: string,
): string | null {
  const key = given.get(flag)?.at(-1) ?? environment[variable] ?? '';
  if (/^[\u0021-\u007E]*$/.test(key)) return key === '' ? null : key;
  throw new SandboxError(`${variable} (or --${flag}) contains characters that are not allowed in a header.`);
}

/** Returns the seconds between two calls. Throws SandboxError if they are no such number. */
export function readPace(given: Given): number {
  const allowed = aNumber('a number of seconds from 0 to 60', (seconds) => seconds >= 0 && seconds <= 60);
  return readValue(allowed, '--pace', given.get(paceFlag.name)?.at(-1) ?? '0.5');
}
