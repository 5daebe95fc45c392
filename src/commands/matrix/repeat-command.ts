import { shellWord } from '../../base/shell-words.ts';
import type { Given } from '../command.ts';
import { isOfEveryRun, serverFlags } from '../own-server.ts';
import type { PlannedRun } from './plan.ts';

/** Flags of `matrix` that `exec` has too, with the same meaning. */
const ofBoth: readonly string[] = ['fail-on', 'baseline'];

/** Secrets do not belong in reports; `exec` works without the token. */
const secret = 'control-token';

/**
 * Returns the command line that repeats a run alone. `allowed` are the findings that it may have, as opposed
 * to the allowed runs.
 */
export function repeatCommand(
  { assumptions, scenario }: PlannedRun,
  given: Given,
  allowed: readonly string[],
  program: readonly string[],
): string {
  const names = new Set([...serverFlags(isOfEveryRun).map(({ name }) => name), ...ofBoth]);
  const replaced = scenario === null ? [secret] : [secret, 'scenario'];
  const flags = [...given].flatMap(([name, values]) =>
    names.has(name) && !replaced.includes(name) ? values.flatMap((value) => flag(name, value)) : [],
  );
  const own = [
    ...Object.entries(assumptions).flatMap(([name, option]) => ['--assume', `${name}=${option}`]),
    ...(scenario === null ? [] : ['--scenario', scenario]),
    ...(allowed.length === 0 ? [] : ['--allow', allowed.join(',')]),
  ];
  return ['lp-sandbox', 'exec', ...flags, ...own, '--', ...program].map(shellWord).join(' ');
}

/** A flag without a value is stored with an empty one. */
function flag(name: string, value: string): readonly string[] {
  return value === '' ? [`--${name}`] : [`--${name}`, value];
}
