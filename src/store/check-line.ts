import { isObject } from '../base/is-object.ts';
import { pointerTo, type Violation } from '../base/violation.ts';
import { checkFacts } from '../contract/facts-check.ts';
import { checkRecord } from '../contract/record-check.ts';
import { collectionNames } from '../sandbox/seed.ts';
import { refused } from './refuse.ts';
import { requireVersion, type SavedLine } from './saved.ts';

/**
 * Returns a line of a log, if it is valid by itself. Throws NotUsableError if another version wrote it, and
 * SyntaxError or SandboxError if it is damaged.
 */
export function checkLine(text: string): SavedLine {
  const parsed: unknown = JSON.parse(text);
  // First, because a newer version may write lines of another form.
  if (isObject(parsed) && parsed['version'] !== undefined) requireVersion(parsed['version']);
  const violations = violationsIn(parsed);
  if (violations.length > 0) throw refused(violations, 'A line of its log');
  // It has passed all checks of its form.
  return parsed as SavedLine;
}

function violationsIn(parsed: unknown): readonly Violation[] {
  const wrong = checkFacts('LogLine', parsed, '');
  if (wrong.length > 0 || !isObject(parsed)) return wrong;
  const { changes, snapshots } = parsed;
  const named = isObject(snapshots) ? Object.entries(snapshots) : [];
  return [
    ...violationsOfChanges(changes, '/changes'),
    ...named.flatMap(([name, snapshot]) => (isObject(snapshot) ? violationsOfSnapshot(name, snapshot) : [])),
  ];
}

/** Returns what is wrong with a saved snapshot by itself. */
export function violationsOfSnapshot(name: string, snapshot: object): readonly Violation[] {
  const pointer = pointerTo('/snapshots', name);
  const wrong = checkFacts('SnapshotFacts', snapshot, pointer);
  if (wrong.length > 0 || !('changes' in snapshot)) return wrong;
  return violationsOfChanges(snapshot.changes, `${pointer}/changes`);
}

function violationsOfChanges(changes: unknown, base: string): readonly Violation[] {
  if (!isObject(changes)) return [];
  return Object.entries(changes).flatMap(([name, list]) => {
    const pointer = pointerTo(base, name);
    const collection = collectionNames.find((known) => known === name);
    if (collection === undefined) return [{ pointer, message: 'is not a collection.' }];
    if (!Array.isArray(list)) return [{ pointer, message: 'must be a list.' }];
    return list.flatMap((change: unknown, index) =>
      typeof change === 'string'
        ? []
        : checkRecord(collection, change, pointerTo(pointer, nameOf(change, index))),
    );
  });
}

function nameOf(change: unknown, index: number): string {
  const id = isObject(change) ? change['id'] : undefined;
  return typeof id === 'string' ? id : String(index);
}
