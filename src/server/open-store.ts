import { onDemand } from '../base/on-demand.ts';
import type { SandboxDefaults, SandboxesOptions } from '../sandbox/sandboxes-options.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import { isDatabaseUrl } from '../settings/database-url.ts';
import type { LedgerMetrics } from '../ledger/ledger-metrics.ts';
import type { Replica } from '../ledger/stored-sandboxes.ts';
import { Store, type StoreOptions } from '../store/store.ts';

/** The sandboxes of a server, and the place where they are stored. */
interface OpenStore {
  readonly sandboxes: Sandboxes;
  /** The number of writes, and of failed ones, since the start. */
  readonly writes: number;
  readonly failures: number;
  /** Why the server is not ready; null if it is. */
  readonly failure: string | null;
  /** Null unless several servers share the sandboxes. */
  readonly replica: Replica | null;
  /** Null for a server without a database. */
  readonly metrics: LedgerMetrics | null;
  /** Stores the rest. Rejects if that fails. */
  close(): Promise<void>;
}

/** How the sandboxes of a database are shared. */
interface Sharing {
  /** The URL at which other replicas reach this one; null if it shares its sandboxes with none. */
  readonly address: string | null;
  /** The seconds without use after which a shared sandbox leaves memory; null for never. */
  readonly idleReleaseSeconds: number | null;
}

/** Opens the place of `--data`. The code for databases is loaded only for them. */
export async function openStore(
  { address, idleReleaseSeconds, ...options }: StoreOptions & Sharing,
  defaults: SandboxDefaults,
  sandboxesOptions: SandboxesOptions,
): Promise<OpenStore> {
  const { data } = options;
  if (data === null || !isDatabaseUrl(data))
    return Object.assign(await Store.open(options, defaults, sandboxesOptions), {
      replica: null,
      metrics: null,
    });
  const { LedgerStore } = await onDemand(() => import('../ledger/ledger-store.ts'));
  return LedgerStore.open({ ...options, data, address, idleReleaseSeconds }, defaults, sandboxesOptions);
}
