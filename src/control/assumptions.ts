import {
  assumptionNames,
  assumptions,
  chooseOptions,
  profileNames,
  profiles,
  type PartialOptions,
  type ProfileName,
} from '../assumptions.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import type { ParameterCheckSource } from '../contract/parameter-checks.ts';
import { describe, pointerTo } from '../contract/violation.ts';
import { ViolationList } from '../contract/violation-list.ts';
import { Unfit } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ServerLimits } from '../server-limits.ts';
import { refuse } from './fitting.ts';
import { whenFree } from './work.ts';

/** Every assumption with its question, its options, and what is chosen. */
export function listAssumptions({ options }: Sandbox): components['schemas']['AssumptionList'] {
  // Copies, because the lists are the program's own.
  return structuredClone({ assumptions: assumptionNames.map((name) => ({ name, ...assumptions[name], chosen: options[name] })), profiles });
}

/** Chooses options for some assumptions; the others stay. Throws Unfit for one that is not there. */
export async function changeAssumptions(sandbox: Sandbox, source: ParameterCheckSource, chosen: unknown): Promise<void> {
  const options = { ...sandbox.options, ...checkOptions(chosen, '', sandbox.caps) };
  const checks = await source.checksUnder(options);
  await whenFree(sandbox, () => sandbox.choose(options, checks));
}

/** Chooses the options of a profile, and the default of every assumption that it does not set. */
export async function chooseProfile(sandbox: Sandbox, source: ParameterCheckSource, profile: unknown): Promise<void> {
  const options = chooseOptions(checkProfile(profile));
  const checks = await source.checksUnder(options);
  await whenFree(sandbox, () => sandbox.choose(options, checks));
}

/** The options, where each is one of its own assumption. `base` is where they stand in what was sent. */
export function checkOptions(chosen: unknown, base: string, caps: ServerLimits): PartialOptions {
  const list = new ViolationList(caps.violations);
  for (const [name, option] of Object.entries(chosen ?? {})) {
    const wrong = wrongOption(name, option);
    if (wrong !== null) list.add(pointerTo(base, name), wrong);
  }
  refuse('The options do not fit.', list);
  // Each name is an assumption's and each option one of its own.
  return chosen as PartialOptions;
}

/** What is wrong with an option, put into words when somebody is told; null where nothing is. */
function wrongOption(name: string, option: unknown): (() => string) | null {
  const known = assumptionNames.find((one) => one === name);
  if (known === undefined) {
    return () => `is no assumption.${didYouMean(name, assumptionNames)} The assumptions are ${assumptionNames.join(', ')}.`;
  }
  const options = Object.keys(assumptions[known].options);
  if (typeof option === 'string' && options.includes(option)) return null;
  const hint = typeof option === 'string' ? didYouMean(option, options) : '';
  return () => `must be one of ${options.join(', ')}, but is ${describe(option)}.${hint}`;
}

export function checkProfile(profile: unknown): ProfileName {
  const known = profileNames.find((name) => name === profile);
  if (known !== undefined) return known;
  const hint = typeof profile === 'string' ? didYouMean(profile, profileNames) : '';
  const message = `must be one of ${profileNames.join(', ')}, but is ${describe(profile)}.${hint}`;
  throw new Unfit('There is no such profile.', [{ pointer: '/profile', message }]);
}
