import { parseKnown } from '../../base/parse-known.ts';
import type { Options } from '../../assumptions.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Difference } from '../difference-report/report.ts';
import type { Causes } from './explain.ts';
import type { OtherOption } from './twin.ts';

/** A difference whose explanation is not chosen yet. */
export interface Open extends Difference {
  readonly causes: Causes;
}

/**
 * Chooses an explanation for each difference: as few options as possible explain all of them, so the option
 * that explains the most is chosen first.
 */
export function resolveCauses(open: readonly Open[], options: Options): readonly Difference[] {
  const chosen = new Map<Open, OtherOption>();
  const unexplained = new Set(open.filter(({ causes }) => causes.options.length > 0));
  while (unexplained.size > 0) {
    const [best] = [...counted([...unexplained])].toSorted(
      ([name, one], [otherName, other]) =>
        other.length - one.length || Number(isBroad(name)) - Number(isBroad(otherName)),
    );
    if (best === undefined) break;
    for (const one of best[1]) {
      unexplained.delete(one);
      chosen.set(one, nameOf(best[0]));
    }
  }
  return open.map((one) => {
    const { causes, ...difference } = one;
    const best = chosen.get(one);
    const assumption = best?.assumption ?? causes.assumption;
    if (assumption === null) return difference;
    const option = options[assumption];
    return {
      ...difference,
      explanation: { assumption, option, instead: best === undefined ? [] : [best.option] },
    };
  });
}

/** Returns the options that explain differences: first those that are chosen, those that explain the most first. */
export function candidatesIn(open: readonly Open[], options: Options): readonly OtherOption[] {
  const chosen = resolveCauses(open, options).flatMap(({ explanation }): readonly OtherOption[] => {
    const [option] = explanation?.instead ?? [];
    return explanation === null || option === undefined
      ? []
      : [{ assumption: explanation.assumption, option }];
  });
  const all = [...counted(open)].toSorted(([, one], [, other]) => other.length - one.length);
  const names = [...byCount(chosen), ...all.map(([name]) => name)];
  return [...new Set(names)].map(nameOf);
}

function byCount(options: readonly OtherOption[]): readonly string[] {
  const byName = groupBy(options, (one) => JSON.stringify(one));
  return [...byName].toSorted(([, one], [, other]) => other.length - one.length).map(([name]) => name);
}

/** Returns the differences that each option explains. */
function counted(open: readonly Open[]): ReadonlyMap<string, readonly Open[]> {
  const byOption = new Map<string, readonly Open[]>();
  for (const one of open)
    for (const option of one.causes.options) {
      const name = JSON.stringify(option);
      byOption.set(name, [...(byOption.get(name) ?? []), one]);
    }
  return byOption;
}

/** If one of these explained a difference, it would explain others too: those of calls that agree. */
const broad: ReadonlySet<string> = new Set(['refusalBody', 'operationFailureStatus', 'malformedBody']);

function isBroad(text: string): boolean {
  return broad.has(nameOf(text).assumption);
}

function nameOf(text: string): OtherOption {
  // `counted` wrote the text.
  return parseKnown(text);
}
