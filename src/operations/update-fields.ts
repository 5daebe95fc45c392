import type { Services } from './operation.ts';

/** The named fields of a record after an update; those not sent stay, or go (specification, endpoints 2 and 3). */
export function updatedFields<F extends object>(
  assume: Services['assume'],
  before: F,
  sent: { readonly [K in keyof F]?: F[K] | undefined },
  names: readonly (keyof F)[],
): F {
  const after = { ...before };
  for (const name of names) {
    const value = sent[name];
    if (value !== undefined) after[name] = value;
    else if (assume('omittedUpdateFields') === 'clear') delete after[name];
  }
  return after;
}
