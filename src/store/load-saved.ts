import { existsSync, renameSync } from 'node:fs';
import type { Records } from '../contract/generated/facts.ts';
import { checkRecord } from '../contract/record-check.ts';
import { describe, pointerTo, sentence, type Violation } from '../base/violation.ts';
import { wallClock } from '../sandbox/clock.ts';
import { SandboxError } from '../base/errors.ts';
import { checkReferences } from '../sandbox/references.ts';
import { collectionNames, type CollectionName } from '../sandbox/seed.ts';
import { State } from '../sandbox/state.ts';
import type { Seeds } from './read-seed.ts';
import { format, version, type Saved } from './saved.ts';
import type { StatePort } from './state-port.ts';

/** A state from a file, or why the file was moved aside. Null if there is no file. */
export type Loaded =
  { readonly state: State; readonly warning: string | null } | { readonly movedAside: string } | null;

/** Reads and checks a saved state. Moves an invalid file aside instead of overwriting it. */
export async function loadSaved(file: string, port: StatePort, seeds: Seeds): Promise<Loaded> {
  if (!existsSync(file)) return null;
  try {
    await port.read();
    const saved = checkForm(port.data);
    const seed = await seeds.named(saved.seed.name);
    const state = new State(seed, Date.parse(saved.beginning));
    const problems = applyChanges(state, saved);
    if (problems.length > 0)
      throw new SandboxError(
        problems
          .slice(0, 5)
          .map((problem) => sentence(problem))
          .join(' '),
      );
    const changed = `The seed "${seed.name}" has changed since ${file} was created. Its changes are still valid and were loaded.`;
    return { state, warning: seed.fingerprint === saved.seed.fingerprint ? null : changed };
  } catch (error) {
    const aside = `${file}.unusable-${new Date(wallClock()).toISOString().replaceAll(/[:.]/g, '-')}`;
    renameSync(file, aside);
    const reason =
      error instanceof SandboxError || error instanceof SyntaxError ? error.message : String(error);
    return {
      movedAside: `${file} is invalid and was moved to ${aside}; the sandbox starts from its seed. Reason: ${reason}`,
    };
  }
}

function checkForm(data: unknown): Saved {
  const found: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null ? { ...data } : {};
  if (found['format'] !== format)
    throw new SandboxError(
      `It is not a state file of this program: its "format" is ${describe(found['format'])}.`,
    );
  if (found['version'] !== version)
    throw new SandboxError(`Its version is ${describe(found['version'])}; this program reads ${version}.`);
  const { seed, beginning, changes } = found;
  const isSeed = typeof seed === 'object' && seed !== null && 'name' in seed && typeof seed.name === 'string';
  if (
    !isSeed ||
    typeof beginning !== 'string' ||
    Number.isNaN(Date.parse(beginning)) ||
    typeof changes !== 'object' ||
    changes === null
  ) {
    throw new SandboxError('Its "seed", "beginning" or "changes" is missing or invalid.');
  }
  // Checked above, except for the records in `changes`, which are checked before use.
  return data as Saved;
}

/** Applies the valid changes. Returns the violations of the others. */
function applyChanges(state: State, { changes }: Saved): readonly Violation[] {
  const problems: Violation[] = [];
  const records: [CollectionName, object][] = [];
  let removes = false;
  for (const [name, change] of Object.entries<unknown>(changes)) {
    const pointer = pointerTo('/changes', name);
    const collection = collectionNames.find((known) => known === name);
    if (collection === undefined) problems.push({ pointer, message: 'is not a collection.' });
    else if (!isChange(change))
      problems.push({ pointer, message: 'must have the lists "set" and "removed".' });
    else {
      for (const id of change.removed) state.remove(collection, id);
      if (change.removed.length > 0) removes = true;
      for (const [index, record] of change.set.entries()) {
        const wrong = checkRecord(collection, record, `${pointer}/set/${index}`);
        problems.push(...wrong);
        if (wrong.length > 0) continue;
        // The record has passed the check of its collection.
        const valid = record as Records[typeof collection];
        state.put(collection, valid);
        records.push([collection, valid]);
      }
    }
  }
  if (problems.length > 0) return problems;
  // Any record may refer to a removed one, including those of the seed.
  const touched = removes
    ? collectionNames.flatMap((name) =>
        [...state.collection(name).all()].map((record) => [name, record] as const),
      )
    : records;
  return checkReferences((name, id) => state.collection(name).get(id) !== undefined, touched);
}

function isChange(
  value: unknown,
): value is { readonly set: readonly unknown[]; readonly removed: readonly string[] } {
  if (typeof value !== 'object' || value === null || !('set' in value) || !('removed' in value)) return false;
  const { set, removed } = value;
  return Array.isArray(set) && Array.isArray(removed) && removed.every((id) => typeof id === 'string');
}
