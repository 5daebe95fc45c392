import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { Low, Memory, type Adapter } from 'lowdb';
import type { Saved } from './saved.ts';

/** Stores one sandbox: lowdb's port with the methods `read` and `write`. */
export type StatePort = Low<Saved | null>;

/** Creates a port that stores nothing beyond the process. */
export function memoryPort(): StatePort {
  return new Low<Saved | null>(new Memory<Saved | null>(), null);
}

/** Creates a port that stores a JSON file. */
export function filePort(file: string): StatePort {
  return new Low<Saved | null>(new StateFile(file), null);
}

/**
 * A JSON file that each write replaces as a whole, so that it is never incomplete. lowdb's own file adapter
 * creates one text of the whole state, which blocks all calls once the state is large; this adapter writes in
 * pieces.
 */
class StateFile implements Adapter<Saved | null> {
  readonly #file: string;
  /** Cached, because records never change in place. */
  readonly #texts = new WeakMap<object, string>();

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<Saved | null> {
    if (!existsSync(this.#file)) return null;
    // Not checked here: the caller checks the content (load-saved.ts).
    return JSON.parse(await readFile(this.#file, 'utf8')) as Saved | null;
  }

  async write(saved: Saved | null): Promise<void> {
    const unfinished = `${this.#file}.tmp`;
    await writeFile(unfinished, saved === null ? 'null\n' : inPieces(savedLines(saved, this.#texts)));
    await rename(unfinished, this.#file);
  }
}

const pieceLength = 128 * 1024;

/** Joins lines to pieces, each short enough not to block other work. */
function* inPieces(lines: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* savedLines({ changes, ...rest }: Saved, texts: WeakMap<object, string>): Iterable<string> {
  yield `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "changes": {`;
  let collectionEnd = '\n';
  for (const [name, { set, removed }] of Object.entries(changes)) {
    yield `${collectionEnd}    ${JSON.stringify(name)}: {\n      "removed": ${JSON.stringify(removed)},\n      "set": [`;
    let recordEnd = '\n';
    for (const record of set) {
      yield `${recordEnd}        ${recordText(record, texts)}`;
      recordEnd = ',\n';
    }
    yield '\n      ]\n    }';
    collectionEnd = ',\n';
  }
  yield '\n  }\n}\n';
}

function recordText(record: object, texts: WeakMap<object, string>): string {
  const text = texts.get(record) ?? JSON.stringify(record);
  texts.set(record, text);
  return text;
}
