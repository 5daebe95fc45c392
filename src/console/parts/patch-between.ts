import { ControlProblem } from '../api.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * What makes one value of another by a JSON Merge Patch (RFC 7396). Throws ControlProblem where a member would have to become null:
 * there null means that it goes.
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
  if (value === null) throw unsayable(pointer);
  if (!isMembers(value)) return value;
  return patchBetween(isMembers(before) ? before : {}, value, pointer);
}

function unsayable(pointer: string): ControlProblem {
  const message = 'cannot become null by a change: remove the rule, and add it anew.';
  return new ControlProblem({ status: 0, title: 'Not changed', detail: 'A change cannot say this.', violations: [{ pointer, message }] });
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
