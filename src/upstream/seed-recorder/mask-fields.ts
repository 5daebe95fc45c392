import { isObject } from '../../base/is-object.ts';
import { addressBeside, type Kind, type Kinds } from './kinds.ts';
import type { Masker } from './mask/masker.ts';
import type { Tally } from './tally.ts';

/** What masking goes by. */
interface Tools {
  readonly masker: Masker;
  readonly tally: Tally;
}

/**
 * A value with every part of it masked by its kind. What has no kind, or another type than its kind has, is left out and counted.
 * `path` names the field in the tally.
 */
export function maskFields(kinds: Kinds, value: unknown, path: string, tools: Tools, beside: string | null = null): unknown {
  if (typeof kinds === 'string') return maskValue(kinds, value, path, tools, beside);
  if (isList(kinds)) {
    if (!Array.isArray(value)) return misfit(value, path, tools);
    return value.map((member) => maskFields(kinds[0], member, `${path}[]`, tools)).filter((masked) => masked !== undefined);
  }
  if (!isObject(value)) return misfit(value, path, tools);
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (inner === undefined) tools.tally.drop(`${path}.${shownName(name)}`);
    else {
      const address = addressBeside[name] === undefined ? undefined : value[addressBeside[name]];
      const masked = maskFields(inner, part, `${path}.${name}`, tools, typeof address === 'string' ? address : null);
      if (masked !== undefined) made[name] = masked;
    }
  }
  return made;
}

function isList(kinds: Exclude<Kinds, Kind>): kinds is readonly [Kinds] {
  return Array.isArray(kinds);
}

function maskValue(kind: Kind, value: unknown, path: string, { masker, tally }: Tools, beside: string | null): unknown {
  const masked = masker.mask(kind, value, beside);
  if (masked === undefined && kind !== 'secret') tally.drop(path);
  else tally.count(path, kind, masked === undefined ? 'leftOut' : masked === value ? 'kept' : 'replaced');
  return masked;
}

/** Null stands where there is nothing; anything else of a wrong type is counted. */
function misfit(value: unknown, path: string, { tally }: Tools): undefined {
  if (value !== null) tally.drop(path);
}

/** A name of a field that the contract does not know; not where it might be more than a name. */
function shownName(name: string): string {
  return /^[A-Za-z_]{1,40}$/.test(name) ? name : '(a name of another form)';
}
