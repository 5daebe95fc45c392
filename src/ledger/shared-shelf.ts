import { messageOf } from '../base/message-of.ts';
import { BoundedMap } from '../base/bounded-map.ts';
import { ElsewhereError, NotLoadedError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PageRequest, SandboxPage } from '../sandbox/sandbox-page.ts';
import type { OpenShelf } from '../sandbox/sandboxes-options.ts';

/** The rows of the sandboxes. */
interface SharedRows {
  /** Takes and creates a sandbox if it is stored. Rejects with ElsewhereError if a replica that lives owns it. */
  readonly read: (id: string) => Promise<void>;
  /** Gives a sandbox away. Returns false if it has to stay in memory. */
  readonly release: (sandbox: Sandbox) => boolean;
  /** Resolves when a sandbox that was given away is free. */
  readonly whenFree: (id: string) => Promise<unknown>;
  readonly page: (wanted: PageRequest) => Promise<SandboxPage>;
  /** Deletes the rows of a sandbox. */
  readonly discard: (id: string) => Promise<void>;
}

const maxOwners = 100_000;

/** The sandboxes that several replicas share. Only the database knows which there are. */
export class SharedShelf implements OpenShelf {
  readonly isShared = true;
  readonly count = 0;
  readonly #rows: SharedRows;
  readonly #loading = new Map<string, Promise<void>>();
  /** The replicas of sandboxes, as they were last: a look at the database would wait for the owner's statements. */
  readonly #owners = new BoundedMap<string, ElsewhereError>(maxOwners);

  constructor(rows: SharedRows) {
    this.#rows = rows;
  }

  has(): boolean {
    return false;
  }

  ids(): readonly string[] {
    return [];
  }

  summary(): null {
    return null;
  }

  add(): void {}

  delete(id: string): void {
    this.#owners.delete(id);
  }

  /** Called when a replica does not own a sandbox any more. */
  forget(id: string): void {
    this.#owners.delete(id);
  }

  load(id: string): Promise<void> {
    const owner = this.#owners.get(id);
    if (owner !== undefined) return Promise.reject(owner);
    const known = this.#loading.get(id);
    if (known !== undefined) return known;
    const loading = this.#rows
      .read(id)
      .catch((error: unknown) => {
        if (error instanceof ElsewhereError) {
          this.#owners.set(id, error);
          throw error;
        }
        const reason = messageOf(error);
        throw new NotLoadedError(`The sandbox "${id}" cannot be loaded now: ${reason.replace(/\.$/, '')}.`);
      })
      .finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  page(wanted: PageRequest): Promise<SandboxPage> {
    return this.#rows.page(wanted);
  }

  accept(sandbox: Sandbox): boolean {
    return this.#rows.release(sandbox);
  }

  whenFree(id: string): Promise<unknown> {
    return this.#rows.whenFree(id);
  }

  discard(id: string): Promise<void> {
    return this.#rows.discard(id);
  }
}
