import type { Services } from './operation.ts';

/**
 * Returns a record after an update of the given fields; fields that were not sent are kept or removed
 * (specification, endpoints 2 and 3).
 */
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

/** The optional fields of a record. */
type OptionalKeys<R> = { [K in keyof R]-?: object extends Pick<R, K> ? K : never }[keyof R];
