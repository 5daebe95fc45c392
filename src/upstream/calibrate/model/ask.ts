import { assumptions, assumptionNames, type AssumptionName, type OptionOf } from '../../../assumptions.ts';

/** The option of an assumption, as a prediction asks for it. */
export type Ask = <N extends AssumptionName>(name: N) => OptionOf<N>;

/** What a service answers to a probe, depending on the options that it shows. Asks only for what matters. */
export type Prediction = (ask: Ask) => string;

/** The options that are still possible, by assumption. */
export type Domains = ReadonlyMap<AssumptionName, readonly string[]>;

/** One way for a prediction to come out: the options that it asked for, and what it then expects. */
export interface Leaf {
  readonly given: ReadonlyMap<AssumptionName, string>;
  readonly expected: string;
}

/** Every option of every assumption. */
export function allDomains(): Map<AssumptionName, readonly string[]> {
  return new Map(assumptionNames.map((name) => [name, optionsOf(name)]));
}

export function optionsOf(name: AssumptionName): readonly string[] {
  return Object.keys(assumptions[name].options);
}

/** Every way for a prediction to come out: it is made again for each choice among the options of what it asks for. */
export function leavesOf(prediction: Prediction, domains: Domains): readonly Leaf[] {
  const leaves: Leaf[] = [];
  // The options taken so far, in the order in which they were asked for; the last that has another one takes it in the next round.
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

/** One of some options. */
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
