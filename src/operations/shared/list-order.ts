import type { SlicedWork } from '../../base/sliced-work.ts';

/** An order of lists other than the stored one. */
export interface ListOrder {
  /** Returns a list in this order: for the same list always the same one. */
  readonly of: <T extends Sortable>(list: readonly T[]) => SlicedWork<readonly T[]>;
}

/** A record, or the path of a folder. */
export type Sortable = string | { readonly id: string };
