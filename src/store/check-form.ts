import { SandboxError } from '../base/errors.ts';
import { isObject } from '../base/is-object.ts';
import { describe, pointerTo } from '../base/violation.ts';
import { checkFacts } from '../contract/facts-check.ts';
import type { ReadSaved } from './history.ts';
import { refuse } from './refuse.ts';
import { areLists, format, requireVersion, type Saved } from './saved.ts';

/**
 * Returns the content of a state file of this version or the previous one; its parts are not checked yet. Throws
 * SandboxError if it is damaged, and NotUsableError if it is of another version.
 */
export function checkForm(data: unknown): ReadSaved {
  const found: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null ? { ...data } : {};
  if (found['format'] !== format)
    throw new SandboxError(
      `It is not a state file of this program: its "format" is ${describe(found['format'])}.`,
    );
  if (found['version'] === 1) return fromVersion1(found);
  requireVersion(found['version']);
  if (!hasParts(found))
    throw new SandboxError('Its "upTo", "state", "facts", "snapshots" or "changes" is missing or invalid.');
  // The lines of the log continue them.
  refuse(checkFacts('Facts', found.facts, '/facts'));
  return found;
}

/** The other parts are checked before they are used. */
function hasParts(found: object): found is Saved {
  const { upTo, state, facts, changes, snapshots }: Readonly<Record<string, unknown>> = { ...found };
  return typeof upTo === 'number' && [state, facts, snapshots].every(isObject) && areLists(changes);
}

/** The file of the previous version has only records. */
function fromVersion1({ seed, beginning, changes }: Readonly<Record<string, unknown>>): ReadSaved {
  const at = typeof beginning === 'string' ? Date.parse(beginning) : Number.NaN;
  if (!isObject(seed) || Number.isNaN(at) || !isObject(changes))
    throw new SandboxError('Its "seed", "beginning" or "changes" is missing or invalid.');
  const lists = Object.entries(changes).map(([name, change]): [string, readonly unknown[]] => {
    const { set, removed } = isObject(change) ? change : {};
    if (!Array.isArray(set) || !Array.isArray(removed))
      throw new SandboxError(`${pointerTo('/changes', name)} must have the lists "set" and "removed".`);
    if (!set.every(isObject) || !removed.every((id) => typeof id === 'string'))
      throw new SandboxError(
        `${pointerTo('/changes', name)} has a member that is neither a record nor an id.`,
      );
    return [name, [...removed, ...set]];
  });
  const state = { seed, beginning: at };
  // The parts are checked before they are used.
  return {
    upTo: 0,
    state,
    facts: null,
    snapshots: {},
    changes: Object.fromEntries(lists),
  } as ReadSaved;
}
