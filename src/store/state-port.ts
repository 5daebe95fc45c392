import {
  closeSync,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { Low, type Adapter } from 'lowdb';
import { changeTexts, inPieces, snapshotTexts } from './change-texts.ts';
import { DeletedError } from './deleted-error.ts';
import { isMountPoint } from './disk.ts';
import { DiskSyncs } from './disk-syncs.ts';
import { kindOf } from './own-files.ts';
import type { Saved } from './saved.ts';
import { deleteSource, hasSource, sourceOf } from './source-file.ts';
import { unfinishedName } from './unfinished-files.ts';

/** The state file of one sandbox: lowdb's port with the methods `read` and `write`. */
export class StatePort extends Low<Saved | null> {
  readonly #file: StateFile;

  /** Each write waits until it is on the disk, unless `syncs` is null. */
  constructor(path: string, syncs: DiskSyncs | null = new DiskSyncs()) {
    const file = new StateFile(path, syncs);
    super(file, null);
    this.#file = file;
  }

  get file(): string {
    return this.#file.path;
  }

  /** Sets what is called before a write replaces the file; it throws an error to prevent that. */
  guard(beforeReplacing: () => void): void {
    this.#file.beforeReplacing = beforeReplacing;
  }

  /** Whether the file had what was read last. If not, it was read from what the file is copied from. */
  get isWhole(): boolean {
    return this.#file.isWhole;
  }

  /** Whether there was a file when it was last read or written. */
  get hasFile(): boolean {
    return this.#file.hasFile;
  }

  /** The size of the file after the last write. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Throws an error if somebody has deleted, changed or replaced the file since it was last read or written. */
  check(): void {
    this.#file.check();
  }

  /** Whether the file is as it was last read or written. */
  get isUnchanged(): boolean {
    return this.#file.isUnchanged;
  }

  /** Whether `discard` was called. */
  get isDiscarded(): boolean {
    return this.#file.isDiscarded;
  }

  /** Lets no write in progress replace the file any more. */
  discard(): void {
    this.#file.isDiscarded = true;
  }
}

/**
 * A JSON file that each write replaces as a whole, so that it is never incomplete. lowdb's own file adapter
 * creates one text of the whole state, which blocks all calls once the state is large; this adapter writes in
 * pieces.
 */
class StateFile implements Adapter<Saved | null> {
  readonly path: string;
  /** Throws an error if the file must not be replaced. */
  beforeReplacing: (() => void) | null = null;
  readonly #syncs: DiskSyncs | null;
  /** What identifies the file and its content; null if there is none. */
  #known: string | null;
  bytes: number;
  isWhole = true;
  isDiscarded = false;

  constructor(file: string, syncs: DiskSyncs | null) {
    this.path = file;
    this.#syncs = syncs;
    const found = lstatSync(file, { throwIfNoEntry: false });
    this.#known = identityOf(found);
    this.bytes = found?.size ?? 0;
  }

  get hasFile(): boolean {
    return this.#known !== null;
  }

  get isUnchanged(): boolean {
    return identityOf(lstatSync(this.path, { throwIfNoEntry: false })) === this.#known;
  }

  check(): void {
    const found = identityOf(lstatSync(this.path, { throwIfNoEntry: false }));
    if (found === this.#known) return;
    if (found === null) throw new DeletedError(this.path);
    this.#requireReplaceable();
    // Such as an older copy: the lines of the log do not continue it.
    throw new DeletedError(this.path, 'changed');
  }

  #requireReplaceable(): void {
    if (kindOf(this.path).kind === 'other')
      throw new Error(`${this.path} was replaced by a file that is not of this program. Move that file away`);
    if (identityOf(lstatSync(this.path, { throwIfNoEntry: false })) === this.#known) return;
    // Servers in different containers cannot see each other's locks.
    if (isMountPoint(this.path))
      throw new Error(
        `${this.path} is mounted as a single file, and another program changed it, such as a second server. Stop that program, and restart this server`,
      );
  }

  async read(): Promise<Saved | null> {
    const { kind } = kindOf(this.path);
    const text = kind === 'none' ? '' : await readFile(this.path, 'utf8');
    try {
      return parsed(text);
    } catch (error) {
      // Only a file that is mounted by itself can be incomplete; then what it was copied from is still there.
      const isCopy = hasSource(this.path);
      if (text === '' && !isCopy) return null;
      try {
        const saved = parsed(isCopy ? await readFile(sourceOf(this.path), 'utf8') : '');
        this.isWhole = false;
        return saved;
      } catch {
        throw error;
      }
    }
  }

  async write(saved: Saved | null): Promise<void> {
    this.#requireReplaceable();
    const unfinished = unfinishedName(this.path);
    // Appended, so that a file that somebody cuts off meanwhile is too short, and has no gap.
    const handle = await open(unfinished, 'ax', 0o600);
    let written: Stats | undefined;
    let bytes = 0;
    try {
      try {
        for (const piece of saved === null ? ['null\n'] : inPieces(texts(saved))) {
          if (this.isDiscarded) return;
          await handle.writeFile(piece);
          bytes += Buffer.byteLength(piece);
        }
        await this.#syncs?.state(handle, () => !this.isDiscarded);
        written = await handle.stat();
      } finally {
        await handle.close();
      }
      if (this.isDiscarded) return;
      // Again, because writing takes long.
      this.#requireReplaceable();
      this.beforeReplacing?.();
      const found = lstatSync(unfinished, { throwIfNoEntry: false });
      if (found?.size !== bytes || identityOf(found) !== identityOf(written))
        throw new DeletedError(unfinished, found === undefined ? 'deleted' : 'changed');
      try {
        replace(unfinished, this.path, sourceOf(this.path));
      } finally {
        this.#known = identityOf(lstatSync(this.path, { throwIfNoEntry: false }));
      }
      // Of an earlier server. If somebody deletes the state file later, it must not come back.
      deleteSource(this.path);
      this.bytes = found.size;
      await new Promise<void>((done) =>
        this.#syncs === null ? done() : this.#syncs.folder(this.path, done),
      );
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
}

function identityOf(found: Stats | undefined): string | null {
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs}`;
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
  }
}

/** Returns the content of a state file; the caller checks it (load-saved.ts). Throws SyntaxError. */
function parsed(text: string): Saved | null {
  return JSON.parse(text) as Saved | null;
}

/** Returns the text of a state file, with a line for each record. */
function* texts({ changes, snapshots, ...rest }: Saved): Iterable<string> {
  yield `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "snapshots": `;
  yield* snapshotTexts(snapshots, newLine);
  yield ',\n  "changes": ';
  yield* changeTexts(changes, newLine);
  yield '\n}\n';
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
