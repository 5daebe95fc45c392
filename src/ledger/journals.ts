import { after, stopwatch } from '../sandbox/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { packed, RowText } from './journal-row.ts';
import type { Session } from './session.ts';

/** Journals are stored this often, in milliseconds. No response waits for that. */
const everyMs = 200;

/**
 * Less often if putting the rows together would take more than this share of the time of this process, but at least this
 * often. Sending them, and the garbage of both, take about three times as much again.
 */
const share = { most: 0.01, everyMs: 5000 };

/** About as much of one journal is stored as one row, and about as much of all journals as one statement, in characters. */
const rowChars = 65_536;
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

  /** Whether all entries before a place are stored. */
  isPast(place: number): boolean {
    return this.next >= place && this.changes === this.sandbox.journal.changes;
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
  /** Null if there is no entry to store. */
  readonly text: string | null;
  /** The number of entries in the journal up to this row. */
  readonly count: number;
  /** The rows up to this one are deleted. */
  readonly goneUpTo: number;
  readonly after: Pick<JournalProgress, 'next' | 'changes' | 'upTo' | 'rows'>;
}

/**
 * A sandbox that was deleted meanwhile may have been created again, by the same replica and for somebody else. The lock keeps
 * it from being deleted while its rows are inserted.
 */
const storeText = `
with given as (
  select * from unnest($2::text[], $3::bigint[], $4::bytea[], $5::bigint[], $6::integer[], $7::float8[])
    as given (id, upto, entries, gone, count, created_at)
), owned as (
  select given.* from given join lp_sandbox.sandbox using (id)
  where owner = $1::bigint and sandbox.created_at = to_timestamp(given.created_at / 1000)
  for key share of sandbox
), deleted as (
  delete from lp_sandbox.journal using owned where sandbox = owned.id and journal.upto <= owned.gone
)
insert into lp_sandbox.journal (sandbox, upto, entries, count) select id, upto, entries, count from owned where entries is not null
on conflict (sandbox, upto) do update set entries = excluded.entries, count = excluded.count`;

/** Stores the journals of all sandboxes, a moment later than their calls are answered. */
export class Journals {
  readonly #session: () => Session | null;
  readonly #all = new Map<string, JournalProgress>();
  #passing: Promise<void> | null = null;
  /** Whether somebody waits until everything is stored. */
  #isUrgent = false;
  #isClosed = false;
  /** How long this process was busy with that since it last began, in milliseconds. */
  #busyMs = 0;

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
    const pauseMs = Math.min(this.#busyMs / share.most, share.everyMs);
    after(Math.max(pauseMs, everyMs), () => {
      if (this.#isClosed) return;
      this.#busyMs = 0;
      void this.#pass().finally(() => this.#flushLater());
    });
  }

  /** Stores what is not stored yet, also what is added meanwhile. If that fails, it is tried again. */
  flush(): Promise<void> {
    this.#isUrgent = true;
    return this.#pass();
  }

  #pass(): Promise<void> {
    this.#passing ??= this.#store()
      .catch(() => {})
      .finally(() => {
        this.#passing = null;
        this.#isUrgent = false;
      });
    return this.#passing;
  }

  async #store(): Promise<void> {
    const ends = new Map<JournalProgress, number>();
    for (const one of this.#all.values()) if (!one.isComplete) ends.set(one, one.sandbox.journal.next);
    const isDue = (one: JournalProgress): boolean =>
      !one.isComplete && (this.#isUrgent || !one.isPast(ends.get(one) ?? 0));
    for (;;) {
      const session = this.#session();
      if (session === null) return;
      const began = stopwatch();
      const rows: NewRow[] = [];
      let chars = 0;
      for (const progress of this.#all.values()) {
        if (!isDue(progress)) continue;
        const row = nextRow(progress);
        rows.push(row);
        chars += row.text?.length ?? 0;
        if (chars > statementChars) break;
      }
      if (rows.length === 0) return;
      this.#busyMs += stopwatch() - began;
      await session.background(storeText, [
        session.number,
        rows.map(({ of }) => of.sandbox.id),
        rows.map(({ after: { upTo } }) => upTo),
        await Promise.all(rows.map(async ({ text }) => text && packed(text))),
        rows.map(({ goneUpTo }) => goneUpTo),
        rows.map(({ count }) => count),
        rows.map(({ of }) => of.sandbox.createdAt),
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
  const row = new RowText();
  let place = Math.max(isNew ? 0 : of.next, journal.oldest);
  for (; place < journal.next && row.chars < rowChars; place += 1) {
    const entry = journal.at(place);
    if (entry !== undefined) row.add(entry);
  }
  const upTo = of.upTo + row.count;
  const all = [...(isNew ? [] : of.rows), ...(row.count === 0 ? [] : [{ upTo, count: row.count }])];
  const count = journal.count - (journal.next - place);
  const rows = all.filter(({ upTo: end }) => upTo - end < journal.count);
  return {
    of,
    text: row.count === 0 ? null : row.text(journal.evicted + count),
    count,
    goneUpTo: isNew ? of.upTo : (all[all.length - rows.length - 1]?.upTo ?? 0),
    after: { next: place, changes: journal.changes, upTo, rows },
  };
}
