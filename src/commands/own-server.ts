import type { Flag } from './flags.ts';

type Named = Pick<Flag, 'name'>;

/** Where a server is and what it keeps: two runs at once would be in each other's way. */
const ofOneServer: ReadonlySet<string> = new Set(['port', 'host', 'public-url', 'control-port', 'data']);

/** Whether a server for one run takes a setting from variables and the configuration file too, which are often there for another server. */
export function fromAfar({ name }: Named): boolean {
  return !ofOneServer.has(name);
}

/** What makes no sense for many runs with a sandbox each. */
const ofNoRun: ReadonlySet<string> = new Set(['data', 'log', 'max-sandboxes', 'no-auto-create']);

/** Whether a setting is one of every run of the matrix. */
export function isOfEveryRun({ name }: Named): boolean {
  return !ofNoRun.has(name);
}
