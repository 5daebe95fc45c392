import type { CommandFlag } from './command.ts';
import { flags, type Flag } from './flags.ts';
import { configFlag, withVariables } from './settings.ts';

/** The flags of `start` for a sandbox inside a command. */
const ofTwin: ReadonlySet<string> = new Set([
  'seed',
  'random-seed',
  'assume-file',
  'assume',
  'profile',
  'refusal-template',
  'gateway-template',
  'scenario',
  'limits',
]);

export function isOfTwin({ name }: Flag): boolean {
  return ofTwin.has(name);
}

export const twinFlags: readonly CommandFlag[] = [...withVariables(flags.filter(isOfTwin)), configFlag];
