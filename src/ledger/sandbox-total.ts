import { stopwatch } from '../sandbox/clock.ts';
import type { Session } from './session.ts';

/** Up to this number of sandboxes, each page counts them: that takes a few milliseconds. */
const maxCounted = 10_000;

/** One statement counts this number of sandboxes, so that others on its connection do not wait for long. */
const countedAtOnce = 20_000;

/** A long count takes about this part of the time, with pauses between these, in milliseconds. */
const part = 0.05;
const minPauseMs = 5000;
const maxPauseMs = 60_000;

/** An older number is worth less than the estimate of the database, in milliseconds. */
const maxAgeMs = 120_000;

/** The number of sandboxes in the database: exact if there are few, else as of the last count or estimate. */
export class SandboxTotal {
  /** The result of the last long count, and when the next one is due. Null before the first one. */
  #known: { readonly total: number; readonly at: number; readonly nextAt: number } | null = null;
  #counting: Promise<number> | null = null;

  /** Returns the number of sandboxes. Waits for no long count, unless the database has no estimate either. */
  async of(session: Session): Promise<number> {
    if (stopwatch() >= (this.#known?.nextAt ?? 0)) {
      const { count } = await countedAfter(session, '', maxCounted + 1);
      if (count <= maxCounted) return count;
      this.#recount(session).catch(() => {});
    }
    const known = this.#known;
    if (known !== null && stopwatch() - known.at < maxAgeMs) return known.total;
    return (await estimated(session)) ?? this.#recount(session);
  }

  /** Counts all sandboxes, once for all that ask meanwhile. */
  #recount(session: Session): Promise<number> {
    this.#counting ??= this.#count(session).finally(() => (this.#counting = null));
    return this.#counting;
  }

  async #count(session: Session): Promise<number> {
    const began = stopwatch();
    let total = 0;
    for (let after: string | null = ''; after !== null;) {
      const { count, last }: Counted = await countedAfter(session, after, countedAtOnce);
      total += count;
      after = count < countedAtOnce ? null : last;
    }
    const now = stopwatch();
    const pauseMs = Math.min(Math.max((now - began) / part, minPauseMs), maxPauseMs);
    this.#known = { total, at: now, nextAt: now + pauseMs };
    return total;
  }
}

interface Counted {
  readonly count: number;
  /** The id of the last one; null if there is none. */
  readonly last: string | null;
}

/** Counts sandboxes in the order of their ids, but only the first ones after an id. */
async function countedAfter(session: Session, id: string, limit: number): Promise<Counted> {
  const { rows } = await session.aside<Counted>(
    `select count(*)::integer, max(id) as last
     from (select id from lp_sandbox.sandbox where id > $1 order by id limit $2::integer) as found`,
    [id, limit],
  );
  return rows[0] ?? { count: 0, last: null };
}

/** Returns the number of sandboxes that the database expects in a large table; null before it knows any. */
async function estimated(session: Session): Promise<number | null> {
  const { rows } = await session.aside<{ expected: number | null }>(
    `select (reltuples / nullif(relpages, 0) * (pg_relation_size(oid) / current_setting('block_size')::integer))::integer as expected
     from pg_class where oid = 'lp_sandbox.sandbox'::regclass and reltuples > 0`,
  );
  const expected = rows[0]?.expected ?? null;
  return expected === null ? null : Math.max(expected, maxCounted + 1);
}
