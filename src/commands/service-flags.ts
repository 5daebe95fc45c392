import { SandboxError } from '../base/errors.ts';
import { aNumber, readValue } from '../settings/value-rule.ts';
import type { CommandFlag, Given } from './command.ts';
import { connectionFlags } from './connection-flags.ts';

/** The flags of commands that send calls of their own to the real service: where it is, and with which key. */
export const serviceFlags: readonly CommandFlag[] = [
  { name: 'upstream', value: 'URL', help: 'base URL of the service; operations are at URL/public/…' },
  {
    name: 'key',
    value: 'K',
    help: 'API key of the service; the variable is safer, because process lists do not show it  [UPSTREAM_API_KEY]',
  },
  ...connectionFlags,
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
 * Returns a key from its flag or its variable, or null if it is empty. Throws SandboxError if no header can have
 * it.
 */
export function readServiceKey(
  given: Given,
  environment: NodeJS.ProcessEnv,
  flag = 'key',
  variable = 'UPSTREAM_API_KEY',
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
