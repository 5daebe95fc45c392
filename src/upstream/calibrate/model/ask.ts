import { assumptions, assumptionNames, type AssumptionName, type OptionOf } from '../../../assumptions.ts';

/** Returns the option of an assumption for a prediction. */
export type Ask = <N extends AssumptionName>(name: N) => OptionOf<N>;

/**
 * Returns the response of a service to a probe, depending on its options. Asks only for options that matter.
 */
export type Prediction = (ask: Ask) => string;

/** The options that are still possible, by assumption. */
export type Domains = ReadonlyMap<AssumptionName, readonly string[]>;

/** One possible outcome of a prediction: the options that it asked for, and the expected response. */
export interface Leaf {
  readonly given: ReadonlyMap<AssumptionName, string>;
  readonly expected: string;
}

/** Returns every option of every assumption. */
export function allDomains(): Map<AssumptionName, readonly string[]> {
  return new Map(assumptionNames.map((name) => [name, optionsOf(name)]));
}

export function optionsOf(name: AssumptionName): readonly string[] {
  return Object.keys(assumptions[name].options);
}

/**
 * Returns every possible outcome of a prediction, which runs again for each combination of the options that
 * it asks for.
 */
export function leavesOf(prediction: Prediction, domains: Domains): readonly Leaf[] {
  const leaves: Leaf[] = [];
  // The choices so far, in the order of the questions; the last one with another option takes it in the next
  // round.
  const taken: Choice[] = [];
  do {
    const given = new Map<AssumptionName, string>();
    const ask: Ask = <N extends AssumptionName>(name: N) => {
      const option = given.get(name) ?? nextChoice(taken, given.size, domains.get(name) ?? []);
      given.set(name, option);
      // The domains hold options of the assumption itself, which a map cannot express.
      return option as OptionOf<N>;
    };
    leaves.push({ given, expected: prediction(ask) });
  } while (takeAnother(taken));
  return leaves;
}

/** A choice of one option. */
interface Choice {
  readonly options: readonly string[];
  index: number;
}

function nextChoice(taken: Choice[], place: number, options: readonly string[]): string {
  const choice = taken[place] ?? { options, index: 0 };
  taken[place] = choice;
  const option = choice.options[choice.index];
  if (option === undefined) throw new Error('An assumption has no option left.');
  return option;
}

function takeAnother(taken: Choice[]): boolean {
  for (let last = taken.at(-1); last !== undefined; last = taken.at(-1)) {
    last.index += 1;
    if (last.index < last.options.length) return true;
    taken.pop();
  }
  return false;
}
