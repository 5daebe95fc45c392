import { isObject } from '../../base/is-object.ts';
import type { SlicedWork } from '../../base/sliced-work.ts';
import { addressBeside, type Kind, type Kinds } from './kinds.ts';
import type { Masker } from './mask/masker.ts';
import { shownName } from './shown-names.ts';
import type { Tally } from './tally.ts';

/** What masking needs. */
interface Tools {
  readonly masker: Masker;
  readonly tally: Tally;
}

/**
 * Masks every part of a value by its kind. Parts without a kind, or with the wrong type, are left out and
 * counted. `path` names the field in the tally.
 */
export function* maskFields(
  kinds: Kinds,
  value: unknown,
  path: string,
  tools: Tools,
  beside: string | null = null,
): SlicedWork<unknown> {
  if (typeof kinds === 'string') return maskValue(kinds, value, path, tools, beside);
  if (isList(kinds)) {
    if (!Array.isArray(value)) return misfit(value, path, tools);
    const members: unknown[] = [];
    for (const member of value) {
      yield;
      const masked = yield* maskFields(kinds[0], member, `${path}[]`, tools);
      if (masked !== undefined) members.push(masked);
    }
    return members;
  }
  if (!isObject(value)) return misfit(value, path, tools);
  const made: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const inner = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (inner === undefined) tools.tally.drop(`${path}.${shownName(name)}`, 'unknown');
    else {
      const address = addressBeside[name] === undefined ? undefined : value[addressBeside[name]];
      const masked = yield* maskFields(
        inner,
        part,
        `${path}.${name}`,
        tools,
        typeof address === 'string' ? address : null,
      );
      if (masked !== undefined) made[name] = masked;
    }
  }
  return made;
}

function isList(kinds: Exclude<Kinds, Kind>): kinds is readonly [Kinds] {
  return Array.isArray(kinds);
}

function maskValue(
  kind: Kind,
  value: unknown,
  path: string,
  { masker, tally }: Tools,
  beside: string | null,
): unknown {
  const masked = masker.mask(kind, value, beside);
  const word = masker.keptWord(kind, value);
  if (word !== null) tally.keep(path, word);
  if (masked !== undefined) tally.count(path, kind, masked === value || word !== null ? 'kept' : 'replaced');
  else if (kind === 'secret') tally.count(path, kind, 'leftOut');
  else tally.drop(path, value === null ? 'null' : 'wrong');
  return masked;
}

/** Null means that there is no value; any other wrong type is counted. */
function misfit(value: unknown, path: string, { tally }: Tools): undefined {
  if (value !== null) tally.drop(path, 'wrong');
}
