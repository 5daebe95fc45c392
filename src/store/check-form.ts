import { SandboxError } from '../base/errors.ts';
import { isObject } from '../base/is-object.ts';
import { describe, pointerTo } from '../base/violation.ts';
import { checkFacts } from '../contract/facts-check.ts';
import type { ReadSaved } from './history.ts';
import { refuse } from './refuse.ts';
import type { StateMark } from './log-chain.ts';
import { areLists, format, previousVersion, requireVersion, type Saved } from './saved.ts';

/**
 * Returns the content of a state file of this version or an earlier one; its parts are not checked yet. Throws
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
  const mark = found['version'] === previousVersion ? noMark : markIn(found);
  if (!hasParts(found))
    throw new SandboxError('Its "upTo", "state", "facts", "snapshots" or "changes" is missing or invalid.');
  // The lines of the log continue them.
  refuse(checkFacts('Facts', found.facts, '/facts'));
  return { ...found, ...mark };
}

const noMark = { id: null, logs: [] };

function markIn({ id, logs }: Readonly<Record<string, unknown>>): StateMark {
  if (typeof id === 'string' && Array.isArray(logs) && logs.every((log) => typeof log === 'string'))
    return { id, logs };
  throw new SandboxError('Its "id" or "logs" is missing or invalid.');
}

/** The other parts are checked before they are used. */
function hasParts(found: object): found is Omit<Saved, keyof StateMark> {
  const { upTo, state, facts, changes, snapshots }: Readonly<Record<string, unknown>> = { ...found };
  return typeof upTo === 'number' && [state, facts, snapshots].every(isObject) && areLists(changes);
}

/** The file of version 1 has only records. */
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
  const parts: object = {
    upTo: 0,
    ...noMark,
    state,
    facts: null,
    snapshots: {},
    changes: Object.fromEntries(lists),
  };
  // The parts are checked before they are used.
  return parts as ReadSaved;
}
