import { pauseFor } from '../sandbox/clock.ts';
import type { Batch } from './batch.ts';
import type { SandboxLedger } from './sandbox-ledger.ts';
import type { Session } from './session.ts';
import { Staging } from './staging.ts';

const pauseMs = 2;

/** What is to be stored with the next statements. */
export class BatchQueue {
  readonly #changed = new Set<SandboxLedger>();
  readonly #deleted = new Set<SandboxLedger>();
  readonly #staging: Staging;

  /** `failed` is called with the error of a piece of a large state, and `ready` when there is something to do. */
  constructor(failed: (of: SandboxLedger, error: unknown) => void, ready: () => void) {
    this.#staging = new Staging(failed, ready);
  }

  add(ledger: SandboxLedger): void {
    this.#changed.add(ledger);
  }

  /** Deletes a sandbox before the next statement. */
  delete(ledger: SandboxLedger): void {
    this.drop(ledger);
    this.#deleted.add(ledger);
  }

  /** Stores no more of a sandbox. */
  drop(ledger: SandboxLedger): void {
    this.#changed.delete(ledger);
    this.#staging.cancel(ledger);
  }

  /** Whether there may be something to do now. */
  get hasChanges(): boolean {
    return this.#changed.size > 0 || this.#deleted.size > 0 || this.#staging.isReady;
  }

  /** Whether large states are being stored. */
  get isStaging(): boolean {
    return !this.#staging.isEmpty;
  }

  /** Waits a moment if all changes wait for large states: they need no statement after another. */
  async pause(): Promise<void> {
    if (this.isStaging) await pauseFor(pauseMs);
  }

  /** Returns the next batch; null if there is none, or if all changes wait for large states of their sandboxes. */
  next(session: Session): Batch | null {
    const staged = this.#staging.next(session);
    // After its large state, the rest of a sandbox comes with the statement after this one.
    const ids = new Set(staged.map(({ rows }) => rows.id));
    const isFree = ({ sandbox: { id } }: SandboxLedger): boolean => !this.#staging.holds(id) && !ids.has(id);
    const deleted = [...this.#deleted].filter(isFree);
    const changed = [...this.#changed].filter(isFree);
    for (const ledger of deleted) this.#deleted.delete(ledger);
    for (const ledger of changed) this.#changed.delete(ledger);
    const taken = changed.map((of) => ({ of, rows: of.take() }));
    const kept = [...staged, ...this.#staging.withoutLarge(session, taken)];
    return deleted.length === 0 && kept.length === 0 ? null : { deleted, kept };
  }
}
