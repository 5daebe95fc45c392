import { chooseOptions, type PartialOptions, type ProfileName } from '../assumptions.ts';
import type { ParameterCheckSource } from '../contract/parameter-checks.ts';
import { Conflict, Misuse } from '../sandbox/misuse.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { readScenario } from '../store/read-scenario.ts';
import type { Reach, Seeds } from '../store/read-seed.ts';
import { checkOptions, checkProfile } from './assumptions.ts';
import { newClock, type ClockSetting } from './clock.ts';

/** What a new sandbox may be asked for; what is absent is the server's own. */
export interface NewSandbox {
  /** 1 to 64 of a-z, 0-9 and dash; one is made up where none is given. */
  readonly id?: string;
  /** A seed's name, or a folder of fixtures. */
  readonly seed?: string;
  readonly randomSeed?: number;
  readonly profile?: ProfileName;
  readonly assumptions?: PartialOptions;
  readonly clock?: ClockSetting;
  /** A script of faults: a scenario's name, or the path of a file; null for none, whatever the server plays. */
  readonly scenario?: string | null;
  /** Goes away after so many seconds of real time in which nobody used it; never where none is given, or null. */
  readonly ttlSeconds?: number | null;
}

/** What a server makes sandboxes from. */
export interface Makings {
  readonly sandboxes: Sandboxes;
  readonly checkSource: ParameterCheckSource;
  readonly seeds: Seeds;
}

/** Makes a sandbox. Throws Misuse for an id that is taken or malformed, and for a seed or scenario that is not there. */
export async function createSandbox({ sandboxes, checkSource, seeds }: Makings, request: NewSandbox, reach: Reach): Promise<Sandbox> {
  const { id: wanted, seed, randomSeed, profile, assumptions = {}, clock, scenario, ttlSeconds } = request;
  const chosen = checkOptions(assumptions, '/assumptions');
  const base = profile === undefined ? sandboxes.default.options : chooseOptions(checkProfile(profile));
  const options = { ...base, ...chosen };
  const plan = {
    options,
    checks: await checkSource.checksUnder(options),
    ...(seed === undefined ? {} : { seed: seeds.named(seed, reach) }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(scenario === undefined ? {} : { scenario: scenario === null ? null : await readScenario(scenario, reach) }),
    ...(clock === undefined ? {} : { clock: newClock(clock) }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  };
  // Looked at last, because another request may have taken the id meanwhile.
  const id = wanted ?? freeId(sandboxes);
  if (!/^[a-z0-9-]{1,64}$/.test(id)) throw new Misuse(`A sandbox id is 1 to 64 of a-z, 0-9 and dash, but this is ${JSON.stringify(id)}.`);
  if (sandboxes.get(id) !== undefined) throw new Conflict(`There is a sandbox "${id}" already.`);
  return sandboxes.create({ ...plan, id });
}

function freeId(sandboxes: Sandboxes): string {
  for (let number = sandboxes.count; ; number += 1) if (sandboxes.get(`sandbox-${number}`) === undefined) return `sandbox-${number}`;
}
