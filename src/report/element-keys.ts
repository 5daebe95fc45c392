import { isObject } from '../base/is-object.ts';
import { hashOf } from '../base/text-hash.ts';

/**
 * Returns a key for each element of a request: equal parameters have equal keys, whatever the order of their
 * fields. A body that is not a batch, or nested too deep, counts as one element.
 */
export function elementKeys(body: string, elements: readonly unknown[]): Float64Array {
  if (elements.length === 0) return Float64Array.of(hashOf(body));
  return Float64Array.from(elements, (element) => hashOf(canonical(element)));
}

/** Returns a key for a request: requests with the same elements in any order have the same one. */
export function requestKey(keys: Float64Array): number {
  return keys.length === 1 ? (keys[0] ?? 0) : hashOf(keys.toSorted().join());
}

/**
 * Returns a text that only equal values have, whatever the order of their fields. The lengths of texts need no escapes,
 * which JSON does. Concatenates instead of joining, which would copy the text of each level once more for every level
 * above it.
 */
function canonical(value: unknown): string {
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${canonical(member)}`;
    return `[${text}]`;
  }
  if (typeof value === 'string') return marked(value);
  if (!isObject(value)) return String(value);
  for (const name of Object.keys(value).toSorted())
    text += `${text === '' ? '' : ','}${marked(name)}:${canonical(value[name])}`;
  return `{${text}}`;
}

function marked(text: string): string {
  return `${text.length}"${text}`;
}
