import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Low, type Adapter } from 'lowdb';
import type { ChangeLists } from '../sandbox/ledger.ts';
import { syncFolder } from './log-files.ts';
import { newToken } from '../sandbox/random.ts';
import { kindOf } from './own-files.ts';
import type { Saved } from './saved.ts';

/** The state file of one sandbox: lowdb's port with the methods `read` and `write`. */
export class StatePort extends Low<Saved | null> {
  readonly #file: StateFile;

  /** If it is synced, each write waits until it is on the disk. */
  constructor(path: string, isSynced = true) {
    const file = new StateFile(path, isSynced);
    super(file, null);
    this.#file = file;
  }

  get file(): string {
    return this.#file.path;
  }

  /** The size of the file after the last write. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Lets no write in progress replace the file any more. */
  discard(): void {
    this.#file.discard();
  }
}

/**
 * A JSON file that each write replaces as a whole, so that it is never incomplete. lowdb's own file adapter
 * creates one text of the whole state, which blocks all calls once the state is large; this adapter writes in
 * pieces.
 */
class StateFile implements Adapter<Saved | null> {
  readonly path: string;
  readonly #isSynced: boolean;
  /** Cached, because records never change in place. */
  readonly #texts = new WeakMap<object, string>();
  #isDiscarded = false;
  bytes = 0;

  constructor(file: string, isSynced: boolean) {
    this.path = file;
    this.#isSynced = isSynced;
  }

  discard(): void {
    this.#isDiscarded = true;
  }

  async read(): Promise<Saved | null> {
    const { kind } = kindOf(this.path);
    const text = kind === 'none' ? '' : await readFile(this.path, 'utf8');
    try {
      return parsed(text);
    } catch (error) {
      // Only a file that is mounted by itself can be incomplete; then what it was copied from is still there.
      const source = existsSync(this.path) ? await readFile(this.#source, 'utf8').catch(() => '') : '';
      try {
        return parsed(source);
      } catch {
        if (text === '') return null;
        throw error;
      }
    }
  }

  /** What a file that is mounted by itself is copied from. */
  get #source(): string {
    return `${this.path}${sourceEnding}`;
  }

  async write(saved: Saved | null): Promise<void> {
    const unfinished = `${this.path}.${newToken()}${unfinishedEnding}`;
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      try {
        for (const piece of saved === null ? ['null\n'] : inPieces(savedLines(saved, this.#texts)))
          await handle.writeFile(piece);
        this.bytes = (await handle.stat()).size;
        if (this.#isSynced) await handle.sync();
      } finally {
        await handle.close();
      }
      if (this.#isDiscarded) return;
      replace(unfinished, this.path, this.#source);
      if (this.#isSynced) syncFolder(this.path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
}

/** The endings of files that are left behind only if the server is killed while it writes. */
const unfinishedEnding = '.lp-sandbox.tmp';
const sourceEnding = '.lp-sandbox.copy';

/** Whether a file was left behind by a killed server, which had not finished it. */
export function isUnfinished(name: string): boolean {
  return name.endsWith(unfinishedEnding);
}

/** Deletes what a killed server may have left behind of a sandbox. */
export function deleteSource(file: string): void {
  rmSync(`${file}${sourceEnding}`, { force: true });
}

/** Moves a complete file to its place. A file that is mounted by itself cannot be replaced, only filled. */
function replace(complete: string, file: string, source: string): void {
  try {
    renameSync(complete, file);
  } catch (error) {
    const isMounted = error instanceof Error && 'code' in error && error.code === 'EBUSY';
    if (!isMounted) throw error;
    renameSync(complete, source);
    copyFileSync(source, file);
    const copied = openSync(file, 'r+');
    try {
      fsyncSync(copied);
    } finally {
      closeSync(copied);
    }
    rmSync(source, { force: true });
  }
}

/** Returns the content of a state file; the caller checks it (load-saved.ts). Throws SyntaxError. */
function parsed(text: string): Saved | null {
  return JSON.parse(text) as Saved | null;
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

function* savedLines(
  { changes, snapshots, ...rest }: Saved,
  texts: WeakMap<object, string>,
): Iterable<string> {
  yield `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "snapshots": {`;
  let end = '';
  for (const [name, { changes: own, ...snapshot }] of Object.entries(snapshots)) {
    yield `${end}\n${JSON.stringify(name)}: ${JSON.stringify(snapshot).slice(0, -1)},"changes": `;
    yield* changeLines(own, texts);
    yield '}';
    end = ',';
  }
  yield '},\n  "changes": ';
  yield* changeLines(changes, texts);
  yield '\n}\n';
}

/** Returns changes with a record on each line. */
function* changeLines(changes: ChangeLists, texts: WeakMap<object, string>): Iterable<string> {
  yield '{';
  let collectionEnd = '';
  for (const [name, list] of Object.entries(changes)) {
    yield `${collectionEnd}\n    ${JSON.stringify(name)}: [`;
    let recordEnd = '\n';
    for (const change of list) {
      yield `${recordEnd}      ${typeof change === 'string' ? JSON.stringify(change) : recordText(change, texts)}`;
      recordEnd = ',\n';
    }
    yield '\n    ]';
    collectionEnd = ',';
  }
  yield '}';
}

function recordText(record: object, texts: WeakMap<object, string>): string {
  const text = texts.get(record) ?? JSON.stringify(record);
  texts.set(record, text);
  return text;
}
