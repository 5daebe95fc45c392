import type { CommandFlag } from './command.ts';
import { flags, type Flag } from './flags.ts';
import { configFlag, withVariables } from './settings.ts';

/** Where a server is and what it keeps: two runs at once would be in each other's way. */
const ofOneServer: ReadonlySet<string> = new Set(['port', 'host', 'public-url', 'control-port', 'data']);

/** Whether a server for one run takes a setting from variables and the configuration file too, which are often there for another server. */
export function fromAfar({ name }: Flag): boolean {
  return !ofOneServer.has(name);
}

/** What makes no sense for many runs with a sandbox each. */
const ofNoRun: ReadonlySet<string> = new Set(['data', 'log', 'max-sandboxes', 'idle-expiry', 'no-auto-create']);

/** Whether a setting is one of every run of the matrix. */
export function isOfEveryRun({ name }: Flag): boolean {
  return !ofNoRun.has(name);
}

/** What a flag does here, where it is not what it does for a server that stays. */
const otherHelp: Readonly<Record<string, string>> = {
  port: 'port to listen on (default: a free one)',
  log: 'silent, pretty, json; told when the command has ended (default silent)',
};

/** The flags of such a server. */
export function serverFlags(isWanted: (flag: Flag) => boolean = () => true): readonly CommandFlag[] {
  const shown = flags.filter(isWanted).map((flag) => ({ ...flag, help: otherHelp[flag.name] ?? flag.help }));
  return [...withVariables(shown, fromAfar), configFlag];
}
