import { collectionNames } from '../sandbox/seed.ts';
import type { ChangeLists, LargeEntry, SavedSnapshot } from '../sandbox/ledger.ts';

/** Joins texts to pieces, each short enough not to block other work. */
export function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const pieceLength = 128 * 1024;

/** Returns the white space before a member at this depth. */
type Break = (depth: number) => string;

const none: Break = () => '';

/** Creates the JSON of changes, one record at a time. */
export function* changeTexts(changes: ChangeLists, newLine = none): Iterable<string> {
  yield '{';
  let collectionEnd = '';
  for (const [name, list] of Object.entries(changes)) {
    yield `${collectionEnd}${newLine(2)}${JSON.stringify(name)}:[`;
    let recordEnd = '';
    for (const change of list) {
      yield `${recordEnd}${newLine(3)}${JSON.stringify(change)}`;
      recordEnd = ',';
    }
    yield `${newLine(2)}]`;
    collectionEnd = ',';
  }
  yield `${newLine(1)}}`;
}

/** Creates the JSON of snapshots, one record at a time. */
export function* snapshotTexts(
  snapshots: Readonly<Record<string, SavedSnapshot | null>>,
  newLine = none,
): Iterable<string> {
  yield '{';
  let end = '';
  for (const [name, snapshot] of Object.entries(snapshots)) {
    yield `${end}${newLine(2)}${JSON.stringify(name)}:`;
    end = ',';
    if (snapshot === null) {
      yield 'null';
      continue;
    }
    const { changes, ...rest } = snapshot;
    yield `${JSON.stringify(rest).slice(0, -1)},"changes":`;
    yield* changeTexts(changes, newLine);
    yield '}';
  }
  yield `${newLine(1)}}`;
}

/** Whether an entry has at most one record, so that its JSON is created at once. */
export function isSmall({ changes, snapshots }: LargeEntry): boolean {
  let records = changes === undefined ? 0 : recordsIn(changes);
  for (const name in snapshots) records += recordsIn(snapshots[name]?.changes ?? {});
  return records <= 1;
}

function recordsIn(changes: ChangeLists): number {
  let records = 0;
  // Every call asks this, and `Object.values` would cost it microseconds.
  for (const name of collectionNames) records += changes[name]?.length ?? 0;
  return records;
}

/** Creates the JSON of the members of an entry, each with a comma before it. */
export function* entryTexts({ state, changes, snapshots }: LargeEntry): Iterable<string> {
  if (state !== undefined) yield `,"state":${JSON.stringify(state)}`;
  if (snapshots !== undefined) {
    yield ',"snapshots":';
    yield* snapshotTexts(snapshots);
  }
  if (changes === undefined) return;
  yield ',"changes":';
  yield* changeTexts(changes);
}

/** Returns the end of a line whose other members are written already. */
export function endOfLine(rest: object): string {
  const members = JSON.stringify(rest).slice(1);
  return `${members === '}' ? '' : ','}${members}\n`;
}
