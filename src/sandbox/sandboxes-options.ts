import type { Sandbox } from './sandbox.ts';
import type { SandboxPlan } from './sandbox-plan.ts';
import type { PageRequest, SandboxPage } from './sandbox-page.ts';
import type { Summary } from './summary.ts';

/** The settings of a sandbox that the request does not set. */
export type SandboxDefaults = Omit<
  SandboxPlan,
  'id' | 'origin' | 'clock' | 'createdAt' | 'ttlSeconds' | 'quotas' | 'turns'
>;

export type SandboxRequest = Pick<
  SandboxPlan,
  'id' | 'origin' | 'clock' | 'createdAt' | 'ttlSeconds' | 'quotas'
> &
  Partial<SandboxDefaults>;

/** Stored sandboxes that are not in memory. */
export interface Shelf {
  /** Whether several servers share the sandboxes, which then expire wherever they are. */
  readonly isShared: boolean;
  readonly count: number;
  has(id: string): boolean;
  ids(): readonly string[];
  /** Returns what is known of a sandbox that was in memory before; null if nothing is. */
  summary(id: string): Summary | null;
  /** Lists all sandboxes, in memory or not, if only the database knows which there are. Rejects with StorageError. */
  page?(wanted: PageRequest): Promise<SandboxPage>;
  /**
   * Loads a sandbox into memory (`Sandboxes.restore`). Null if it is not on the shelf. Rejects with
   * NotLoadedError.
   */
  load(id: string): Promise<void> | null;
  /** Deletes a sandbox that cannot be loaded. Rejects with StorageError if it remains. */
  discard(id: string): Promise<void>;
  /** Takes a sandbox whose memory is needed. Returns false if it must stay in memory. */
  accept(sandbox: Sandbox): boolean;
  /** Resolves when other servers can have a sandbox that was accepted. */
  whenFree?(id: string): Promise<unknown>;
}

/** A shelf that learns of sandboxes that are stored. */
export interface OpenShelf extends Shelf {
  add(id: string): void;
  /** The sandbox is in memory now. */
  delete(id: string): void;
}

/** The shelf of a server that stores nothing. */
export const noShelf: Shelf = {
  isShared: false,
  count: 0,
  has: () => false,
  ids: () => [],
  summary: () => null,
  load: () => null,
  discard: () => Promise.resolve(),
  accept: () => false,
};

export interface SandboxesOptions {
  /** The plan of the default sandbox, if it was stored. */
  readonly defaultPlan?: Omit<SandboxRequest, 'id'>;
  /** Whether clients can use the default sandbox. Otherwise it only has what needs a sandbox and belongs to none. */
  readonly servesDefault?: boolean;
  /** Whether a key creates its sandbox if it does not exist. */
  readonly autoCreate?: boolean;
  readonly maxSandboxes?: number;
  /**
   * The seconds of real time without use after which a sandbox that a key created is deleted, and if several servers
   * share their sandboxes, one that sets no time of its own. Null for never.
   */
  readonly idleSeconds?: number | null;
  readonly shelf?: Shelf;
  readonly onCreate?: (sandbox: Sandbox) => void;
  readonly onRemove?: (sandbox: Sandbox) => void;
}

/** The default maximum number of sandboxes. */
export const defaultMaxSandboxes = 5000;
