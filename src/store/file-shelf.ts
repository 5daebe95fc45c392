import { BusyError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Shelf } from '../sandbox/sandboxes-options.ts';

/** The sandboxes of a server that are only in files. */
export class FileShelf implements Shelf {
  readonly #ids = new Set<string>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #read: (id: string) => Promise<void>;
  readonly #canBeRead: (sandbox: Sandbox) => boolean;

  /**
   * `read` creates a sandbox from its files. `canBeRead` ends the writing of a sandbox, and returns false if
   * it has to stay in memory.
   */
  constructor(read: (id: string) => Promise<void>, canBeRead: (sandbox: Sandbox) => boolean) {
    this.#read = read;
    this.#canBeRead = canBeRead;
  }

  get count(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  ids(): readonly string[] {
    return [...this.#ids];
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  /** The sandbox is in memory now. */
  delete(id: string): void {
    this.#ids.delete(id);
  }

  load(id: string): Promise<void> | null {
    if (!this.#ids.has(id)) return null;
    const known = this.#loading.get(id);
    if (known !== undefined) return known;
    const loading = this.#read(id)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new BusyError(`The sandbox "${id}" cannot be loaded now: ${reason}`);
      })
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  accept(sandbox: Sandbox): boolean {
    if (!this.#canBeRead(sandbox)) return false;
    this.#ids.add(sandbox.id);
    return true;
  }
}
