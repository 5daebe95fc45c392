import { lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import { changeTexts, inPieces, snapshotTexts } from './change-texts.ts';
import { DeletedError } from './deleted-error.ts';
import { isMountPoint } from './disk.ts';
import type { DiskSyncs } from './disk-syncs.ts';
import { fillMounted } from './mounted-file.ts';
import { isThere, kindOf } from './own-files.ts';
import type { Saved } from './saved.ts';
import { deleteSource, hasSource, sourceOf } from './source-file.ts';
import { identityOf, lastLineIn, stateIdIn } from './state-identity.ts';
import { TakenError } from './taken-error.ts';
import { unfinishedName } from './unfinished-files.ts';

/**
 * A JSON file that each write replaces as a whole, so that it is never incomplete. lowdb's own file adapter
 * creates one text of the whole state, which blocks all calls once the state is large; this adapter writes in
 * pieces.
 */
export class StateFile implements Adapter<Saved | null> {
  readonly path: string;
  /** Throws an error if the file must not be replaced. */
  beforeReplacing: (() => void) | null = null;
  readonly #syncs: DiskSyncs | null;
  /** What identifies the file and its content; null if there is none. */
  #known: string | null;
  /** The ids of what this server has read or written last, with those of failed attempts since then. */
  #ids = new Set<string>();
  /** The last line in a file of an earlier version, which has no id; null in place of a file that has one. */
  #lineWithoutId: number | null = null;
  bytes: number;
  isWhole = true;
  isDiscarded = false;
  /** Returns the number of the last line that this server has written, to the file or to a log. */
  lastLine: () => number = () => 0;

  constructor(file: string, syncs: DiskSyncs | null) {
    this.path = file;
    this.#syncs = syncs;
    const found = lstatSync(file, { throwIfNoEntry: false });
    this.#known = identityOf(found);
    this.bytes = found?.size ?? 0;
    const id = stateIdIn(file);
    if (id !== null) this.#ids.add(id);
    else if (found !== undefined) this.#lineWithoutId = lastLineIn(file);
  }

  /** This is the id of the file that was loaded: another server may have replaced it since then. */
  expect(id: string | null): void {
    const found = stateIdIn(this.path);
    if (found === null || found === id) return;
    this.#ids = new Set(id === null ? [] : [id]);
    this.#known = '';
  }

  get hasFile(): boolean {
    return this.#known !== null;
  }

  /** Whether the file is as it was last read or written. Its times may differ, and who owns it. */
  get isUnchanged(): boolean {
    const found = lstatSync(this.path, { throwIfNoEntry: false });
    const identity = identityOf(found);
    if (identity === this.#known) return true;
    if (found === undefined || found.nlink === 0 || found.size !== this.bytes) return false;
    const id = stateIdIn(this.path);
    const isKnown = id === null ? this.#lineWithoutId === lastLineIn(this.path) : this.#ids.has(id);
    if (!isKnown) return false;
    this.#known = identity;
    return true;
  }

  check(): void {
    if (this.isUnchanged) return;
    if (!isThere(this.path)) throw new DeletedError(this.path);
    this.#requireReplaceable();
    // Such as one that was cut off: the lines of the log do not continue it.
    throw new DeletedError(this.path, 'changed');
  }

  #requireReplaceable(): void {
    if (kindOf(this.path).kind === 'other')
      throw new Error(`${this.path} was replaced by a file that is not of this program. Move that file away`);
    const { taken } = this;
    if (taken !== null) throw taken;
  }

  /** Why the file is of another server now, which may have acknowledged changes in it; null if it is not. */
  get taken(): TakenError | null {
    const found = lstatSync(this.path, { throwIfNoEntry: false });
    if (found === undefined || identityOf(found) === this.#known) return null;
    // Such servers have locks in different folders, or in different containers.
    const isMounted = isMountPoint(this.path);
    if (isMounted && found.nlink === 0) return new TakenError(this.path, 'replaced');
    if (found.size === 0) return null;
    const id = stateIdIn(this.path);
    if (id !== null && this.#ids.has(id)) return null;
    // Files of version 2 have no id. An older copy has no later lines.
    const isTaken = id !== null || isMounted || lastLineIn(this.path) > this.lastLine();
    return isTaken ? new TakenError(this.path, isMounted ? 'mounted' : 'changed') : null;
  }

  async read(): Promise<Saved | null> {
    const { kind } = kindOf(this.path);
    const text = kind === 'none' ? '' : await readFile(this.path, 'utf8');
    try {
      const saved = parsed(text);
      this.lastLine = () => saved?.upTo ?? 0;
      return saved;
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

  /** Rejects with TakenError if the file is of another server now. */
  async write(saved: Saved | null): Promise<void> {
    // First: another server that uses the same folder has loaded the changes of this one, so its advice is another.
    this.beforeReplacing?.();
    this.#requireReplaceable();
    const unfinished = unfinishedName(this.path);
    try {
      const written = await this.#writeWhole(unfinished, saved);
      if (this.isDiscarded) return;
      // Again, because writing takes long.
      this.beforeReplacing?.();
      this.#requireReplaceable();
      requireSame(unfinished, written);
      const own = saved === null ? [] : [saved.id];
      // If it fails, the file has either id.
      this.#ids = new Set([...this.#ids, ...own]);
      try {
        replace(unfinished, this.path);
      } finally {
        this.#known = identityOf(lstatSync(this.path, { throwIfNoEntry: false }));
      }
      this.#ids = new Set(own);
      this.#lineWithoutId = null;
      // Of an earlier server. If somebody deletes the state file later, it must not come back.
      deleteSource(this.path);
      this.bytes = written.size;
      await this.#syncName();
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  /** Until the name is on the disk, a power failure can bring the previous file back, so the logs must stay. */
  async #syncName(): Promise<void> {
    const syncs = this.#syncs;
    if (syncs === null) return;
    await new Promise<void>((done, fail) => {
      syncs.folder(this.path, (failure) => (failure === null ? done() : fail(failure)));
    });
  }

  /** Writes a file. If `discard` was called meanwhile, it is incomplete. */
  async #writeWhole(file: string, saved: Saved | null): Promise<Stats> {
    // Appended, so that a file that somebody cuts off meanwhile is too short, and has no gap.
    const handle = await open(file, 'ax', 0o600);
    let bytes = 0;
    try {
      for (const piece of saved === null ? ['null\n'] : inPieces(texts(saved))) {
        if (this.isDiscarded) break;
        await handle.writeFile(piece);
        bytes += Buffer.byteLength(piece);
      }
      if (!this.isDiscarded) await this.#syncs?.state(handle, () => !this.isDiscarded);
      const written = await handle.stat();
      if (written.size !== bytes) throw new DeletedError(file, 'changed');
      return written;
    } finally {
      await handle.close();
    }
  }
}

/** Throws an error if somebody has changed a file since it was written. */
function requireSame(file: string, written: Stats): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (identityOf(found) !== identityOf(written))
    throw new DeletedError(file, found === undefined ? 'deleted' : 'changed');
}

/** Moves a complete file to its place. A file that is mounted by itself cannot be replaced, only filled. */
function replace(complete: string, file: string): void {
  try {
    renameSync(complete, file);
  } catch (error) {
    const isMounted = error instanceof Error && 'code' in error && error.code === 'EBUSY';
    if (!isMounted) throw error;
    fillMounted(complete, file);
  }
}

/** Returns the content of a state file; the caller checks it (load-saved.ts). Throws SyntaxError. */
function parsed(text: string): Saved | null {
  return JSON.parse(text.replace(/^\u{feff}/u, '')) as Saved | null;
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
