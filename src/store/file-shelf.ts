import { messageOf } from '../base/message-of.ts';
import { NotLoadedError } from '../base/errors.ts';
import { StorageError } from '../sandbox/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Shelf } from '../sandbox/sandboxes-options.ts';
import { shelvedSummary, type Summary } from '../sandbox/summary.ts';
import { WaitingLine } from '../sandbox/waiting-line.ts';

/** The files of the sandboxes. */
interface ShelvedFiles {
  /** Creates a sandbox from its files. */
  readonly read: (id: string) => Promise<void>;
  /** Ends the writing of a sandbox. Returns false if it has to stay in memory. */
  readonly release: (sandbox: Sandbox) => boolean;
  /** How often another server may have changed the files. */
  readonly losses: () => number;
  /** Deletes the files of a sandbox. */
  readonly discard: (id: string) => void | Promise<void>;
}

/** More at the same time would not be faster, and could all be complete in one turn of the event loop. */
const maxLoading = 4;

/** The sandboxes of a server that are only in files. */
export class FileShelf implements Shelf {
  readonly isShared = false;
  /** What is known of each sandbox, and how often its files may have been changed before. */
  readonly #known = new Map<string, { readonly summary: Summary; readonly losses: number } | null>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #line = new WaitingLine();
  #reading = 0;
  readonly #files: ShelvedFiles;

  constructor(files: ShelvedFiles) {
    this.#files = files;
  }

  get count(): number {
    return this.#known.size;
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  ids(): readonly string[] {
    return [...this.#known.keys()];
  }

  summary(id: string): Summary | null {
    const known = this.#known.get(id) ?? null;
    return known === null || known.losses !== this.#files.losses() ? null : known.summary;
  }

  add(id: string): void {
    this.#known.set(id, null);
  }

  /** The sandbox is in memory now. */
  delete(id: string): void {
    this.#known.delete(id);
  }

  load(id: string): Promise<void> | null {
    if (!this.#known.has(id)) return null;
    const known = this.#loading.get(id);
    if (known !== undefined) return known;
    const loading = this.#read(id)
      .catch((error: unknown) => {
        const reason = messageOf(error);
        const advice = error instanceof StorageError ? '' : ' Delete it if you do not need it.';
        throw new NotLoadedError(
          `The sandbox "${id}" cannot be loaded now: ${reason.replace(/\.$/, '')}.${advice}`,
        );
      })
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #read(id: string): Promise<void> {
    if (this.#reading >= maxLoading) await new Promise<void>((done) => void this.#line.add(done));
    // It was discarded meanwhile.
    if (!this.#known.has(id)) return this.#line.next()?.();
    this.#reading += 1;
    try {
      await this.#files.read(id);
    } finally {
      this.#reading -= 1;
      this.#line.next()?.();
    }
  }

  accept(sandbox: Sandbox): boolean {
    if (!this.#files.release(sandbox)) return false;
    const summary = shelvedSummary(sandbox);
    this.#known.set(sandbox.id, summary && { summary, losses: this.#files.losses() });
    return true;
  }

  async discard(id: string): Promise<void> {
    await this.#files.discard(id);
    this.#known.delete(id);
  }
}
