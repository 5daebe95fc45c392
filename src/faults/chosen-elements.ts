import type { Hits } from './fault.ts';
import { wholeNumber } from './parameter.ts';

/** The parameters of faults that hit some elements of a batch. */
export const choice = {
  index: wholeNumber('hit only this element, counted from 0', { from: 0, to: 1_000_000, standard: undefined }),
  every: wholeNumber('hit every nth element; 2 hits the second, the fourth …', { from: 1, to: 1_000_000, standard: undefined }),
};

/** All elements, or those that the trigger is about, of these the ones that the parameters choose. */
export function chosenElements({ index, every }: { readonly index: number | undefined; readonly every: number | undefined }): Hits {
  return (elements, chosen) => {
    const all = Array.from({ length: elements }, (_, number) => number);
    if (index !== undefined) return all.filter((number) => number === index);
    const base = chosen ?? all;
    return every === undefined ? base : base.filter((_, place) => (place + 1) % every === 0);
  };
}

/** The two do not go together. */
export function choiceConflict({
  index,
  every,
}: {
  readonly index: number | undefined;
  readonly every: number | undefined;
}): string | null {
  return index !== undefined && every !== undefined ? 'Give "index" or "every", not both.' : null;
}
