import type { Facts } from '../sandbox/facts.ts';
import type { ChangeLists, SavedSnapshot } from '../sandbox/ledger.ts';
import { History } from '../store/history.ts';
import { restored, type LoadParts, type Loaded } from '../store/restored.ts';
import { pauseFor } from '../sandbox/clock.ts';
import { ReadEntries, unpacked } from './journal-row.ts';
import type { StoredRow } from './journals.ts';
import type { StoredPosition } from './sandbox-ledger.ts';
import type { Session } from './session.ts';
import type { TakenRow } from './statements.ts';

/** A sandbox of the database. */
export interface StoredSandbox extends Pick<Loaded, 'plan' | 'complete' | 'warnings'> {
  readonly position: StoredPosition;
  readonly journal: StoredJournal;
}

type Windows = NonNullable<Facts['limits']['windows']>;

/** Reads and checks a sandbox that this server owns. Throws an error if a part of it is invalid. */
export async function loadStored(
  id: string,
  { generation, state, facts, last_number, used_at }: TakenRow,
  session: Session,
  parts: LoadParts,
): Promise<StoredSandbox> {
  const changes = await session.aside<{ collection: string; change: unknown; place: string }>(
    `select collection, change, place from lp_sandbox.record where sandbox = $1 and generation = $2 order by place`,
    [id, generation],
  );
  const { rows: found } = await session.aside<{ generation: number }>(
    'select generation from lp_sandbox.record where sandbox = $1 order by generation desc limit 1',
    [id],
  );
  // `restored` checks all that is read here.
  const snapshots = await session.aside<{ name: string; content: SavedSnapshot }>(
    'select name, content from lp_sandbox.snapshot where sandbox = $1',
    [id],
  );
  const counters = await session.aside<{ counted: Windows[number]; place: string }>(
    'select counted, abs(place) as place from lp_sandbox.counter where sandbox = $1 order by abs(place)',
    [id],
  );
  const rows = await session.aside<{ upto: string; entries: Buffer }>(
    'select upto, entries from lp_sandbox.journal where sandbox = $1 order by upto',
    [id],
  );
  const journal = await readJournal(rows.rows);
  const lists: Record<string, unknown[]> = {};
  for (const { collection, change } of changes.rows) (lists[collection] ??= []).push(change);
  const saved = {
    upTo: 1,
    id: null,
    logs: [],
    state,
    facts: withCounters(
      facts,
      counters.rows.map(({ counted }) => counted),
      {
        lastNumber: Number(last_number),
        usedAt: Number(used_at),
      },
    ),
    snapshots: Object.fromEntries(snapshots.rows.map(({ name, content }) => [name, content])),
    changes: lists as ChangeLists,
  };
  const places = [changes.rows.at(-1), counters.rows.at(-1)].map((row) => Number(row?.place ?? 0));
  return {
    ...(await restored(new History(saved), 'the sandbox', parts)),
    position: {
      generation,
      lastPlace: Math.max(...places),
      lastGeneration: Math.max(generation, found[0]?.generation ?? 0),
    },
    journal,
  };
}

/** What is stored of a journal. */
interface StoredJournal extends Pick<ReadEntries, 'entries' | 'evicted'> {
  readonly rows: readonly StoredRow[];
}

async function readJournal(
  stored: readonly { readonly upto: string; readonly entries: Buffer }[],
): Promise<StoredJournal> {
  const read = new ReadEntries();
  const rows: StoredRow[] = [];
  for (const { upto, entries } of stored) {
    const before = read.entries.length;
    read.add(unpacked(entries));
    rows.push({ upTo: Number(upto), count: read.entries.length - before });
    await pauseFor(0);
  }
  return { entries: read.entries, evicted: read.evicted, rows };
}

/** Returns the facts with what has columns and rows of its own. */
function withCounters(facts: Facts, windows: Windows, counts: Pick<Facts, 'lastNumber' | 'usedAt'>): Facts {
  return { ...facts, ...counts, limits: { ...facts.limits, windows } };
}
