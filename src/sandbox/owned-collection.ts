import type { Records } from '../contract/generated/facts.ts';

/** The collections whose records belong to one or more schools. */
export type OwnedCollection = {
  [N in keyof Records]: Records[N] extends OneOwner | Owners ? N : never;
}[keyof Records];
type OneOwner = { readonly schoolId: string };
type Owners = { readonly schoolIds: readonly string[] };
