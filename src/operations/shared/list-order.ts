import type { SlicedWork } from '../../base/sliced-work.ts';

/** Another order of lists than that in which they are stored. */
export interface ListOrder {
  /** Returns a list in this order: for the same list always the same one. */
  readonly of: <T extends Sortable>(list: readonly T[]) => SlicedWork<readonly T[]>;
}

/** A record, or the path of a folder. */
export type Sortable = string | { readonly id: string };
