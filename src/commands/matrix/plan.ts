import { assumptionNames, assumptions, profileNames, profiles, type PartialOptions } from '../../assumptions.ts';
import type { components } from '../../contract/generated/control.ts';
import { scenarioNames } from '../../store/read-scenario.ts';

/** All runs, and what became of them. */
export type Matrix = components['schemas']['Matrix'];
export type Run = components['schemas']['MatrixRun'];

/** A run to be, and what it is about: on top of what all runs have in common. */
export interface PlannedRun {
  readonly name: string;
  readonly kind: Run['kind'];
  /** How a person can name it: itself, and with others together. */
  readonly words: readonly string[];
  readonly assumptions: PartialOptions;
  /** Null for the one that all have in common. */
  readonly scenario: string | null;
}

/** The run that is always done, first. */
export const defaultsRun: PlannedRun = { name: 'defaults', kind: 'defaults', words: ['defaults'], assumptions: {}, scenario: null };

/** Every other run that there is: each option that is not the default, each scenario, each profile that changes something. */
export function everyRun(): readonly PlannedRun[] {
  return [
    ...assumptionNames.flatMap((assumption) =>
      Object.keys(assumptions[assumption].options)
        .filter((option) => option !== assumptions[assumption].default)
        .map((option) => aboutOption(assumption, option)),
    ),
    ...scenarioNames().map(aboutScenario),
    ...profileNames.filter((profile) => Object.keys(profiles[profile]).length > 0).map(aboutProfile),
  ];
}

function aboutOption(assumption: keyof PartialOptions, option: string): PlannedRun {
  const name = `${assumption}=${option}`;
  // The option is one of the assumption's own, which a computed key cannot express.
  const chosen = { [assumption]: option } as PartialOptions;
  return { name, kind: 'assumption', words: ['assumptions', assumption, name], assumptions: chosen, scenario: null };
}

function aboutScenario(scenario: string): PlannedRun {
  const name = `scenario:${scenario}`;
  return { name, kind: 'scenario', words: ['scenarios', scenario, name], assumptions: {}, scenario };
}

function aboutProfile(profile: keyof typeof profiles): PlannedRun {
  const name = `profile:${profile}`;
  return { name, kind: 'profile', words: ['profiles', profile, name], assumptions: profiles[profile], scenario: null };
}

/** The name of the run's sandbox: `missing-key-http-403`. */
export function sandboxIdOf({ name }: PlannedRun): string {
  const apart = name.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return apart.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 64);
}
