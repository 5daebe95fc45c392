import type { CommandFlag } from './command.ts';
import { flags, type Flag } from './flags.ts';
import { configFlag, withVariables } from './settings.ts';

/** Settings of one specific server: two servers with the same values would conflict. */
const ofOneServer: ReadonlySet<string> = new Set([
  'port',
  'host',
  'public-url',
  'control-port',
  'token-secret',
  'data',
  'data-sync',
]);

/**
 * Whether a temporary server reads a setting from variables and the configuration file too, which are often
 * meant for another server.
 */
export function fromAfar({ name }: Flag): boolean {
  return !ofOneServer.has(name);
}

/** Flags that `matrix` does not accept. */
const ofNoRun: ReadonlySet<string> = new Set([
  'data',
  'data-sync',
  'log',
  'max-sandboxes',
  'idle-expiry',
  'no-auto-create',
  'token-secret',
]);

/** Whether `matrix` accepts a flag. */
export function isOfEveryRun({ name }: Flag): boolean {
  return !ofNoRun.has(name);
}

/** Help texts that differ for a temporary server. */
const otherHelp: Readonly<Record<string, string>> = {
  port: 'port to listen on (default: a free one)',
  log: 'silent, pretty, json; printed after the command has ended (default silent)',
};

/** Returns the flags of a temporary server. */
export function serverFlags(isWanted: (flag: Flag) => boolean = () => true): readonly CommandFlag[] {
  const shown = flags.filter(isWanted).map((flag) => ({ ...flag, help: otherHelp[flag.name] ?? flag.help }));
  return [...withVariables(shown, fromAfar), configFlag];
}
