import { isObject } from '../../base/is-object.ts';
import { pointerTo } from '../../base/violation.ts';
import { isMaskOf, withoutSignatures, type Bindings } from './bindings.ts';

/** A place where two JSON values differ. */
export interface JsonDifference {
  readonly pointer: string;
  readonly left: string;
  readonly right: string;
}

/** The maximum number of differences of one response. */
const maxFound = 50;

/** Deeper values are compared as text. */
const maxDepth = 200;

/** Compares two JSON values by value. The order of members does not count. */
export function jsonDifferences(
  recorded: unknown,
  replayed: unknown,
  bindings: Bindings,
): readonly JsonDifference[] {
  const found: JsonDifference[] = [];
  visit(recorded, replayed, '');
  return found;

  function visit(left: unknown, right: unknown, pointer: string, field = '', depth = 0): void {
    if (found.length >= maxFound) return;
    const isDeep = depth > maxDepth;
    if (!isDeep && Array.isArray(left) && Array.isArray(right)) {
      const [one, other]: readonly (readonly unknown[])[] = [left, right];
      const length = Math.min(one?.length ?? 0, other?.length ?? 0);
      if (one?.length !== other?.length)
        found.push({ pointer, left: `${one?.length} elements`, right: `${other?.length} elements` });
      for (let at = 0; at < length; at += 1)
        visit(one?.[at], other?.[at], `${pointer}/${at}`, field, depth + 1);
    } else if (!isDeep && isObject(left) && isObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
        visit(left[name], right[name], pointerTo(pointer, name), name, depth + 1);
    } else if (!isSame(left, right, field, bindings))
      found.push({ pointer, left: shown(left), right: shown(right) });
  }
}

function isSame(left: unknown, right: unknown, field: string, bindings: Bindings): boolean {
  if (typeof left !== 'string' || typeof right !== 'string')
    return left === right || (left !== undefined && JSON.stringify(left) === JSON.stringify(right));
  return (
    left === right ||
    withoutSignatures(left) === withoutSignatures(right) ||
    bindings.bind(field, left, right) ||
    isMaskOf(left, right)
  );
}

/** The maximum number of characters of a value in a report. */
const maxChars = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
