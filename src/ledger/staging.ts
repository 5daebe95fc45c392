import { pauseFor, stopwatch } from '../sandbox/clock.ts';
import type { Kept } from './batch.ts';
import { jsonArray } from './keep.ts';
import type { PendingRecord } from './pending.ts';
import type { SandboxLedger } from './sandbox-ledger.ts';
import type { SandboxRows } from './sandbox-rows.ts';
import type { Session } from './session.ts';

/** A piece has about this size in characters, and at most this number of records: it takes some milliseconds to send. */
const pieceChars = 524_288;
const pieceRecords = 1000;

const retryMs = 200;

/** A state that is stored in pieces. */
interface StagedState extends Kept {
  stage: 'waiting' | 'running' | 'stored' | 'canceled';
}

/**
 * Stores the records of large states in pieces, under their new generation, which no facts name yet. Meanwhile, the
 * statements of other sandboxes go on. The statement with the facts follows when all pieces are stored: a crash before
 * it leaves the old state.
 */
export class Staging {
  readonly #states = new Map<string, StagedState>();
  readonly #failed: (of: SandboxLedger, error: unknown) => void;
  readonly #done: () => void;

  /** `failed` is called with the error of a piece, and `done` when a state is stored, or not being stored any more. */
  constructor(failed: (of: SandboxLedger, error: unknown) => void, done: () => void) {
    this.#failed = failed;
    this.#done = done;
  }

  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  /** Whether `next` has something to do. */
  get isReady(): boolean {
    return [...this.#states.values()].some(({ stage }) => stage === 'stored' || stage === 'waiting');
  }

  /** Whether nothing else of a sandbox may be stored now. */
  holds(id: string): boolean {
    return this.#states.has(id);
  }

  /** Begins to store what is large. Returns the rest. */
  withoutLarge(session: Session, kept: readonly Kept[]): readonly Kept[] {
    return kept.filter(({ of, rows }) => {
      if (!isLarge(rows)) return true;
      const state: StagedState = { of, rows, stage: 'waiting' };
      this.#states.set(rows.id, state);
      void this.#store(session, rows.id, state);
      return false;
    });
  }

  /** Tries again what has failed. Returns those whose pieces are all stored. */
  next(session: Session): readonly Kept[] {
    const stored: Kept[] = [];
    for (const [id, state] of this.#states) {
      if (state.stage === 'waiting') void this.#store(session, id, state);
      if (state.stage !== 'stored') continue;
      this.#states.delete(id);
      stored.push({ of: state.of, rows: { ...state.rows, records: [] } });
    }
    return stored;
  }

  /** Stops for a sandbox that is deleted or lost. A piece may be on its way for a moment: until then, it is held. */
  cancel({ sandbox: { id } }: SandboxLedger): void {
    const state = this.#states.get(id);
    if (state?.stage === 'running') state.stage = 'canceled';
    else this.#states.delete(id);
  }

  async #store(session: Session, id: string, state: StagedState): Promise<void> {
    state.stage = 'running';
    try {
      const { records } = state.rows;
      for (let from = 0, to = 0; from < records.length; from = to) {
        to = endOfPiece(records, from);
        const isOwned = await storePiece(session, state.rows, records.slice(from, to), to === records.length);
        state.of.progressAt = stopwatch();
        // The statement with the facts finds out that another replica has it.
        if (!isOwned || this.#stageOf(state) === 'canceled') break;
      }
      if (this.#stageOf(state) === 'running') state.stage = 'stored';
    } catch (error) {
      if (this.#stageOf(state) === 'running') {
        this.#failed(state.of, error);
        await pauseFor(retryMs);
        // What is stored already is stored again: that has the same result.
        if (this.#stageOf(state) === 'running') state.stage = 'waiting';
      }
    }
    if (this.#stageOf(state) === 'canceled') this.#states.delete(id);
    this.#done();
  }

  /** The stage may have changed while a piece was on its way, which the compiler does not see. */
  #stageOf({ stage }: StagedState): StagedState['stage'] {
    return stage;
  }
}

/** The first statement of a new sandbox creates the row that all others refer to, so it is never stored in pieces. */
function isLarge({ isNew, state, records }: SandboxRows): boolean {
  return !isNew && state !== null && endOfPiece(records, 0) < records.length;
}

function endOfPiece(records: readonly PendingRecord[], from: number): number {
  let chars = 0;
  let to = from;
  for (; to < records.length && to - from < pieceRecords && chars < pieceChars; to += 1)
    chars += records[to]?.change.length ?? 0;
  return to;
}

/** The lock keeps another replica from taking the sandbox, which would not expect more rows, until the piece is stored. */
const pieceText = `
with owned as (
  select id from lp_sandbox.sandbox where id = $2 and owner = $1::bigint for key share
)
insert into lp_sandbox.record (sandbox, generation, collection, key, place, change)
select owned.id, $3::integer, sent.* from owned, unnest($4::text[], $5::text[], $6::bigint[], $7::json[]) as sent
on conflict (sandbox, generation, collection, key) do update set change = excluded.change, place = excluded.place`;

/**
 * Stores some records of a state. Returns false if another replica has taken the sandbox. A crash of the engine may
 * cost the pieces before the last one, but then it ends the session, too; the last one is stored with all of them.
 */
async function storePiece(
  session: Session,
  { id, generation }: SandboxRows,
  records: readonly PendingRecord[],
  isLast: boolean,
): Promise<boolean> {
  const values = [
    session.number,
    id,
    generation,
    records.map(({ collection }) => collection),
    records.map(({ key }) => key),
    records.map(({ place }) => place),
    jsonArray(records.map(({ change }) => change)),
  ];
  const { rowCount } = await (isLast
    ? session.aside(pieceText, values)
    : session.background(pieceText, values));
  return rowCount !== 0;
}
