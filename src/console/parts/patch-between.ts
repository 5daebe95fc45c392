import { ControlProblem } from '../api.ts';
import { isObject } from './is-object.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Merge Patch (RFC 7396) from `before` to `after`. Throws ControlProblem if it would set a
 * member to null: null removes.
 */
export function patchBetween(before: Members, after: Members, pointer = ''): Members {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(([name, value]) => !isSame(before[name], value));
  return Object.fromEntries([
    ...gone.map((name) => [name, null]),
    ...changed.map(([name, value]) => [name, changeTo(value, before[name], `${pointer}/${name}`)]),
  ]);
}

function changeTo(value: unknown, before: unknown, pointer: string): unknown {
  if (value === null) throw cannotSetNull(pointer);
  if (!isObject(value)) return value;
  return patchBetween(isObject(before) ? before : {}, value, pointer);
}

function cannotSetNull(pointer: string): ControlProblem {
  const message = 'cannot be changed to null. Delete the rule and add a new one.';
  return new ControlProblem({
    status: 0,
    title: 'Not changed',
    detail: 'The rule cannot be changed in this way.',
    violations: [{ pointer, message }],
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
