import type { components } from '../contract/generated/state.ts';
import { clockWith } from '../sandbox/clock.ts';
import type { Facts } from '../sandbox/facts.ts';
import {
  descending,
  endAt,
  type PageRequest,
  type SandboxOrder,
  type SandboxPage,
} from '../sandbox/sandbox-page.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Summary } from '../sandbox/summary.ts';
import type { SandboxTotal } from './sandbox-total.ts';
import type { Session } from './session.ts';

/** What a list shows of a sandbox that changes only with its facts or its state, as it is stored. */
interface StoredSummary extends Pick<
  Summary,
  'origin' | 'seed' | 'randomSeed' | 'scenario' | 'createdAt' | 'ttlSeconds'
> {
  readonly clock: components['schemas']['ClockFacts'];
}

/** Returns what is stored for lists, as JSON. */
export function summaryText(sandbox: Sandbox): string {
  const { origin, randomSeed, createdAt, ttlSeconds, clock, state, faults } = sandbox;
  const summary: StoredSummary = {
    origin,
    seed: state.seed.name,
    randomSeed,
    scenario: faults.scenario?.name ?? null,
    createdAt,
    ttlSeconds,
    clock: clock.facts() satisfies Facts['clock'],
  };
  return JSON.stringify(summary);
}

/** Returns the schools of a sandbox for lists, as JSON. */
export function schoolsText(sandbox: Sandbox): string {
  return JSON.stringify(sandbox.schools().map(({ name, slug }) => ({ name, slug })));
}

interface ListedRow {
  readonly id: string;
  readonly summary: StoredSummary;
  readonly schools: readonly { readonly name: string; readonly slug: string }[];
  readonly changed_records: number;
  readonly state_bytes: string;
  readonly used_at: number;
  readonly exchanges: number | null;
  readonly used_rank: number;
  readonly size_rank: string;
}

/**
 * Up to this number of sandboxes, a page sorts all of them by their exact values. Longer lists are in the order of the
 * ranks, which have indexes: they take the same time for any number of sandboxes.
 */
const maxSorted = 1000;

const moment = 'to_timestamp($3::float8 / 1000)';

interface Columns {
  readonly keys: readonly string[];
  /** The end of a page in these columns. */
  readonly ends: readonly string[];
}

/** The columns of each order of a short list. */
const exact: Readonly<Record<SandboxOrder, Columns>> = {
  id: { keys: ['id'], ends: ['$2::text'] },
  created: { keys: ['created_at', 'id'], ends: [moment, '$2::text'] },
  used: { keys: ['used_at', 'id'], ends: [moment, '$2::text'] },
  size: { keys: ['state_bytes', 'id'], ends: ['$3::bigint', '$2::text'] },
};

/** The columns of each order of a long list. */
const ranked: typeof exact = {
  ...exact,
  used: { keys: ['used_rank', 'id'], ends: exact.used.ends },
  size: { keys: ['size_rank', 'id'], ends: exact.size.ends },
};

/**
 * Lists sandboxes, wherever they are, as they are stored. Waits for no row that another statement is changing, and
 * loads none.
 */
export async function listStored(
  session: Session,
  known: SandboxTotal,
  { order, limit, after }: PageRequest,
): Promise<SandboxPage> {
  const total = await known.of(session);
  const isRanked = total > maxSorted;
  const { keys, ends } = (isRanked ? ranked : exact)[order];
  const isDescending = descending.has(order);
  const ordered = `order by ${keys.map((key) => `${key} ${isDescending ? 'desc' : 'asc'}`).join(', ')}`;
  const later = `where (${keys.join(', ')}) ${isDescending ? '<' : '>'} (${ends.join(', ')})`;
  const values = keys.length === 1 ? [after?.id] : [after?.id, after?.value];
  const { rows } = await session.aside<ListedRow>(
    `select id, summary, schools, changed_records, state_bytes, ${millis('listed.used_at')} as used_at,
       size_rank, ${millis('listed.used_rank')} as used_rank,
       (select count from lp_sandbox.journal where journal.sandbox = listed.id order by upto desc limit 1) as exchanges
     from (select * from lp_sandbox.sandbox ${after === null ? '' : later} ${ordered} limit $1::integer) as listed
     order by ${keys.map((key) => `listed.${key} ${isDescending ? 'desc' : 'asc'}`).join(', ')}`,
    [limit + 1, ...(after === null ? [] : values)],
  );
  const shown = rows.slice(0, limit).map(summaryOf);
  const last = shown.at(-1);
  const lastRow = rows[shown.length - 1];
  const isLast = rows.length <= limit || last === undefined || lastRow === undefined;
  return {
    sandboxes: shown,
    end: isLast ? null : endAt(order, isRanked ? atRank(last, lastRow) : last),
    total,
  };
}

/** Returns the expression for a time in milliseconds. */
function millis(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

/** Returns a sandbox with its ranks for the values that they follow. */
function atRank(summary: Summary, { used_rank, size_rank }: ListedRow): Summary {
  return { ...summary, usedAt: Math.round(used_rank), stateBytes: Number(size_rank) };
}

function summaryOf(row: ListedRow): Summary {
  const { clock, ...summary } = row.summary;
  return {
    id: row.id,
    ...summary,
    clock: clockWith(clock),
    schools: row.schools,
    usedAt: Math.round(row.used_at),
    changedRecords: row.changed_records,
    stateBytes: Number(row.state_bytes),
    exchanges: row.exchanges ?? 0,
    upstream: null,
  };
}
