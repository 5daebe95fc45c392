import {
  assumptionNames,
  assumptions,
  optionsFrom,
  profileNames,
  profiles,
  type PartialOptions,
} from '../../assumptions.ts';
import type { components } from '../../contract/generated/control.ts';
import { scenarioNames } from '../../store/read-scenario.ts';

/** All runs with their results. */
export type Matrix = components['schemas']['Matrix'];
export type Run = components['schemas']['MatrixRun'];

/** All runs, and for each failed one its last calls with their requests and responses, by the name of the run. */
export interface MatrixResult {
  readonly matrix: Matrix;
  readonly evidence: ReadonlyMap<string, Matrix['report']['exchanges']>;
}

/** A planned run: its differences from the common settings. */
export interface PlannedRun {
  readonly name: string;
  readonly kind: Run['kind'];
  /** The words that select it: its name and the names of its groups. */
  readonly words: readonly string[];
  readonly assumptions: PartialOptions;
  /** Null for the common scenario. */
  readonly scenario: string | null;
}

/** The run with the default options. It always comes first. */
export const defaultsRun: PlannedRun = {
  name: 'defaults',
  kind: 'defaults',
  words: ['defaults'],
  assumptions: {},
  scenario: null,
};

/**
 * Returns all other runs: each non-default option, each scenario, and each profile that changes something.
 */
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
  const chosen = optionsFrom([[assumption, option]]);
  return {
    name,
    kind: 'assumption',
    // Without a text of the user, this option is an error: only its own name selects it.
    words: option === 'template' ? [name] : ['assumptions', assumption, name],
    assumptions: chosen,
    scenario: null,
  };
}

function aboutScenario(scenario: string): PlannedRun {
  const name = `scenario:${scenario}`;
  return { name, kind: 'scenario', words: ['scenarios', scenario, name], assumptions: {}, scenario };
}

function aboutProfile(profile: keyof typeof profiles): PlannedRun {
  const name = `profile:${profile}`;
  return {
    name,
    kind: 'profile',
    words: ['profiles', profile, name],
    assumptions: profiles[profile],
    scenario: null,
  };
}

/** Returns the id of the run's sandbox, such as `missing-key-http-403`. */
export function sandboxIdOf({ name }: PlannedRun): string {
  const apart = name.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return apart.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 64);
}
