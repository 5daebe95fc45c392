import { isObject } from '../base/is-object.ts';

/**
 * Returns a value with a JSON Merge Patch (RFC 7396) applied: null removes a member, objects are merged,
 * other values replace.
 */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(value) ? Object.entries(value) : []);
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), part));
  }
  return Object.fromEntries(merged);
}
