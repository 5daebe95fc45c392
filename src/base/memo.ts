import { BoundedMap } from './bounded-map.ts';

/**
 * Returns the function with a memory of its newest results, at most `max`. It must depend on nothing but its argument:
 * then modules may keep it, because servers in one process cannot tell whether they share it.
 */
export function memo<K extends string, V>(max: number, resultFor: (key: K) => V): (key: K) => V {
  const results = new BoundedMap<K, { readonly result: V }>(max);
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known.result;
    const result = resultFor(key);
    results.set(key, { result });
    return result;
  };
}
