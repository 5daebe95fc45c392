import { stopwatch } from '../sandbox/clock.ts';
import { keep } from './keep.ts';
import type { LedgerCounts } from './ledger-counts.ts';
import type { SandboxLedger } from './sandbox-ledger.ts';
import type { SandboxRows } from './sandbox-rows.ts';
import type { Session } from './session.ts';
import { remove } from './statements.ts';

/** PostgreSQL refuses the values themselves, or stops a statement that takes too long: it would fail again. */
const refusedCodes = /^(?:22|23|54|57014)/;

export const takenReason = 'another server has taken the sandbox';

/** What is stored with one statement, with the ledgers that it is from. */
export interface Batch {
  readonly deleted: readonly SandboxLedger[];
  readonly kept: readonly Kept[];
}

export interface Kept {
  readonly of: SandboxLedger;
  readonly rows: SandboxRows;
}

/** Stores a batch. `lose` is called for the sandboxes that were not stored, and never will be. */
export async function storeBatch(
  session: Session,
  { deleted, kept }: Batch,
  counts: LedgerCounts,
  lose: (ledger: SandboxLedger, reason: string) => void,
): Promise<void> {
  await deleteAll(session, deleted, lose);
  if (kept.length === 0) return;
  try {
    const began = stopwatch();
    const owned = await keep(
      session,
      kept.map(({ rows }) => rows),
    );
    counts.statementSeconds.add((stopwatch() - began) / 1000);
    counts.batchSandboxes.add(kept.length);
    for (const { of, rows } of kept) {
      // What was given away before its session ended may belong to another server already.
      if (owned.has(rows.id) || rows.gives) of.stored(rows);
      else lose(of, takenReason);
    }
  } catch (error) {
    const reason = refusedBecause(error);
    if (reason === null) throw error;
    const [first] = kept;
    if (kept.length === 1 && first !== undefined) return lose(first.of, reason);
    // The others must not wait for the one that the database refuses.
    for (const one of kept) await storeBatch(session, { deleted: [], kept: [one] }, counts, lose);
  }
}

async function deleteAll(
  session: Session,
  deleted: readonly SandboxLedger[],
  lose: (ledger: SandboxLedger, reason: string) => void,
): Promise<void> {
  if (deleted.length === 0) return;
  const remaining = await remove(
    session,
    deleted.map(({ sandbox }) => sandbox.id),
  );
  for (const ledger of deleted) {
    if (remaining.has(ledger.sandbox.id)) lose(ledger, takenReason);
    else ledger.deleted();
  }
}

/** Returns why PostgreSQL refuses the values of a statement; null for any other failure. */
export function refusedBecause(error: unknown): string | null {
  if (error instanceof RangeError) return 'its changes are too large for one statement';
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return refusedCodes.test(error.code) ? `the database refuses its data: ${error.message}` : null;
}
