import { assumptions, assumptionNames, type AssumptionName, type OptionOf } from '../../assumptions.ts';

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

/** Every way for a prediction to come out: it is made again for each option of what it asks for. */
export function leavesOf(prediction: Prediction, domains: Domains, given: ReadonlyMap<AssumptionName, string> = new Map()): readonly Leaf[] {
  try {
    // What is given are options of the assumption itself, which a map cannot express.
    const ask: Ask = <N extends AssumptionName>(name: N) => {
      const option = given.get(name);
      if (option === undefined) throw new Open(name);
      return option as OptionOf<N>;
    };
    return [{ given, expected: prediction(ask) }];
  } catch (error) {
    if (!(error instanceof Open)) throw error;
    const { assumption: name } = error;
    return (domains.get(name) ?? []).flatMap((option) => leavesOf(prediction, domains, new Map([...given, [name, option]])));
  }
}

/** Thrown where a prediction asks for an assumption that has no option yet. */
class Open extends Error {
  readonly assumption: AssumptionName;

  constructor(name: AssumptionName) {
    super(name);
    this.assumption = name;
  }
}
