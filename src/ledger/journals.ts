import { after, stopwatch } from '../sandbox/clock.ts';
import type { StoredEntry } from '../sandbox/journal-entry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { rowOf } from './journal-row.ts';
import type { Session } from './session.ts';
import { jsonArray } from './statements.ts';

/** Journals are stored this often, in milliseconds. No response waits for that. */
const everyMs = 200;

/** About as much of one journal is stored as one row, and about as much of all journals as one statement, in characters. */
const rowChars = 262_144;
const statementChars = 4_194_304;

/** A row of the journal of a sandbox. */
export interface StoredRow {
  readonly upTo: number;
  readonly count: number;
}

/** How much of a journal is stored. */
export class JournalProgress {
  readonly sandbox: Sandbox;
  /** The place of the next entry to store. */
  next: number;
  /** How often the journal had been cleared or restored. */
  changes: number;
  /** The number of entries that were ever stored. */
  upTo: number;
  /** The rows whose entries are still in the journal, the oldest first. */
  rows: StoredRow[];

  constructor(sandbox: Sandbox, stored: readonly StoredRow[] = []) {
    const { journal } = sandbox;
    this.sandbox = sandbox;
    this.next = stored.length === 0 ? journal.oldest : journal.next;
    this.changes = journal.changes;
    this.upTo = stored.at(-1)?.upTo ?? 0;
    this.rows = [...stored];
    journal.storedBefore = this.next;
  }

  /** Whether everything is stored. */
  get isComplete(): boolean {
    const { journal } = this.sandbox;
    return this.next === journal.next && this.changes === journal.changes;
  }

  /** When the oldest entry was added that is not stored, from `stopwatch`; null if all are. */
  get waitsSince(): number | null {
    if (this.isComplete) return null;
    const { journal } = this.sandbox;
    const isNew = this.changes !== journal.changes;
    const oldest = journal.at(Math.max(isNew ? 0 : this.next, journal.oldest));
    return oldest === undefined ? null : oldest.receivedMs + oldest.durationUs / 1000;
  }
}

/** A row to be stored, and the progress then. */
interface NewRow {
  readonly of: JournalProgress;
  readonly text: string;
  /** The number of entries in the journal up to this row. */
  readonly count: number;
  /** The rows up to this one are deleted. */
  readonly goneUpTo: number;
  readonly after: Pick<JournalProgress, 'next' | 'changes' | 'upTo' | 'rows'>;
}

const storeText = `
with given as (
  select * from unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::integer[])
    as given (id, upto, entries, gone, count)
), owned as (
  select given.* from given join lp_sandbox.sandbox using (id) where owner = $1::bigint
), deleted as (
  delete from lp_sandbox.journal using owned where sandbox = owned.id and journal.upto <= owned.gone
)
insert into lp_sandbox.journal (sandbox, upto, entries, count) select id, upto, entries, count from owned where entries <> ''
on conflict (sandbox, upto) do update set entries = excluded.entries, count = excluded.count`;

/** Stores the journals of all sandboxes, a moment later than their calls are answered. */
export class Journals {
  readonly #session: () => Session | null;
  readonly #all = new Map<string, JournalProgress>();
  #flushing: Promise<void> | null = null;
  #isClosed = false;

  constructor(session: () => Session | null) {
    this.#session = session;
    this.#flushLater();
  }

  add(progress: JournalProgress): void {
    this.#all.set(progress.sandbox.id, progress);
  }

  forget(id: string): void {
    this.#all.delete(id);
  }

  /** Whether everything of a journal is stored. */
  isComplete(id: string): boolean {
    return this.#all.get(id)?.isComplete !== false;
  }

  /** The age of the oldest entry that is not stored, in milliseconds; 0 if all are. */
  get lagMs(): number {
    const now = stopwatch();
    return [...this.#all.values()].reduce(
      (lag, progress) => Math.max(lag, now - (progress.waitsSince ?? now)),
      0,
    );
  }

  close(): void {
    this.#isClosed = true;
  }

  #flushLater(): void {
    after(everyMs, () => {
      if (this.#isClosed) return;
      void this.flush().finally(() => this.#flushLater());
    });
  }

  /** Stores what is not stored yet. If that fails, it is tried again. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush()
      .catch(() => {})
      .finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    for (;;) {
      const session = this.#session();
      if (session === null) return;
      const rows: NewRow[] = [];
      let chars = 0;
      for (const progress of this.#all.values()) {
        if (progress.isComplete) continue;
        const row = nextRow(progress);
        rows.push(row);
        chars += row.text.length;
        if (chars > statementChars) break;
      }
      if (rows.length === 0) return;
      await session.journal(storeText, [
        session.number,
        rows.map(({ of }) => of.sandbox.id),
        rows.map(({ after: { upTo } }) => upTo),
        jsonArray(rows.map(({ text }) => text)),
        rows.map(({ goneUpTo }) => goneUpTo),
        rows.map(({ count }) => count),
      ]);
      for (const { of, after: progress } of rows) {
        Object.assign(of, progress);
        of.sandbox.journal.storedBefore = of.next;
      }
    }
  }
}

function nextRow(of: JournalProgress): NewRow {
  const { journal } = of.sandbox;
  // What was cleared must not come back.
  const isNew = of.changes !== journal.changes;
  const entries: StoredEntry[] = [];
  let place = Math.max(isNew ? 0 : of.next, journal.oldest);
  for (let chars = 0; place < journal.next && chars < rowChars; place += 1) {
    const entry = journal.at(place);
    if (entry === undefined) continue;
    entries.push(entry);
    chars += entry.request.length + entry.response.length;
  }
  const upTo = of.upTo + entries.length;
  const all = [...(isNew ? [] : of.rows), ...(entries.length === 0 ? [] : [{ upTo, count: entries.length }])];
  const count = journal.count - (journal.next - place);
  const rows = all.filter(({ upTo: end }) => upTo - end < journal.count);
  return {
    of,
    text: entries.length === 0 ? '' : rowOf(entries, journal.evicted + count),
    count,
    goneUpTo: isNew ? of.upTo : (all[all.length - rows.length - 1]?.upTo ?? 0),
    after: { next: place, changes: journal.changes, upTo, rows },
  };
}
