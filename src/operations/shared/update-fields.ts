import type { Services } from './operation.ts';

/** A record after an update of its named fields; those not sent stay, or go (specification, endpoints 2 and 3). */
export function updated<R extends object>(
  assume: Services['assume'],
  before: R,
  sent: { readonly [K in keyof R]?: R[K] | undefined },
  names: readonly OptionalKeys<R>[],
): R {
  const after = { ...before };
  for (const name of names) {
    const value = sent[name];
    if (value !== undefined) after[name] = value;
    else if (assume('omittedUpdateFields') === 'clear') delete after[name];
  }
  return after;
}

/** The fields that a record can be without. */
type OptionalKeys<R> = { [K in keyof R]-?: object extends Pick<R, K> ? K : never }[keyof R];
