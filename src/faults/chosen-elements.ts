import type { Hits } from './fault.ts';
import { wholeNumber } from './parameter.ts';

/** The parameters of faults that affect some elements of a batch. */
export const choice = {
  index: wholeNumber('affects only the element with this index, from 0', {
    from: 0,
    to: 1_000_000,
    standard: undefined,
  }),
  every: wholeNumber('affects only every Nth element; 2 means the second, the fourth …', {
    from: 1,
    to: 1_000_000,
    standard: undefined,
  }),
};

/**
 * Returns the affected elements: of all elements, or of those that the trigger selects, those that the
 * parameters choose.
 */
export function chosenElements({
  index,
  every,
}: {
  readonly index: number | undefined;
  readonly every: number | undefined;
}): Hits {
  return (elements, chosen) => {
    const all = Array.from({ length: elements }, (_, number) => number);
    if (index !== undefined) return all.filter((number) => number === index);
    const base = chosen ?? all;
    return every === undefined ? base : base.filter((_, place) => (place + 1) % every === 0);
  };
}

/** Returns the message if both parameters are set. */
export function choiceConflict({
  index,
  every,
}: {
  readonly index: number | undefined;
  readonly every: number | undefined;
}): string | null {
  return index !== undefined && every !== undefined ? 'Set "index" or "every", not both.' : null;
}
