import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxDefaults } from '../sandbox/sandboxes-options.ts';
import type { Settings } from './server.ts';

type Chosen = Pick<Settings, 'randomSeed' | 'limits' | 'scenario' | 'assume' | 'assumeFile' | 'profile'>;

/**
 * Returns a warning that names the flags that have no effect on a sandbox because it was stored with other values;
 * null if there are none. `defaults` are the values of all settings.
 */
export function overriddenFlags(
  chosen: Chosen,
  { options, ...defaults }: SandboxDefaults,
  sandbox: Sandbox,
): string | null {
  const byDefault = new Map<string, string>(Object.entries(options));
  const differing = Object.entries(sandbox.options).filter(
    ([name, option]) => byDefault.get(name) !== option,
  );
  const isSet = (name: string): boolean => chosen.assume !== undefined && name in chosen.assume;
  const flags = [
    [chosen.randomSeed, sandbox.randomSeed !== defaults.randomSeed, '--random-seed'],
    [chosen.limits, sandbox.limits.scale !== defaults.limitScale, '--limits'],
    [chosen.scenario, sandbox.faults.scenario?.name !== defaults.scenario?.name, '--scenario'],
    [chosen.assume, differing.some(([name]) => isSet(name)), '--assume'],
    [chosen.assumeFile, differing.some(([name]) => !isSet(name)), '--assume-file'],
    [chosen.profile, differing.some(([name]) => !isSet(name)), '--profile'],
  ] as const;
  const names = flags.filter(([value, differs]) => value !== undefined && differs).map(([, , flag]) => flag);
  if (names.length === 0) return null;
  const verb = names.length === 1 ? 'has' : 'have';
  return `${names.join(', ')} ${verb} no effect on the stored sandbox "${sandbox.id}", which keeps its own values. Change them with the control plane, or use another --data.`;
}
