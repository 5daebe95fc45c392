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
}

const moment = 'to_timestamp($3::float8 / 1000)';

/** The columns of each order, and the end of a page in them. */
const columns: Readonly<
  Record<SandboxOrder, { readonly keys: readonly string[]; readonly ends: readonly string[] }>
> = {
  id: { keys: ['id'], ends: ['$2::text'] },
  created: { keys: ['created_at', 'id'], ends: [moment, '$2::text'] },
  used: { keys: ['used_at', 'id'], ends: [moment, '$2::text'] },
  size: { keys: ['state_bytes', 'id'], ends: ['$3::bigint', '$2::text'] },
};

/**
 * Lists sandboxes, wherever they are, as they are stored. Waits for no row that another statement is changing, and
 * loads none.
 */
export async function listStored(
  session: Session,
  { order, limit, after }: PageRequest,
): Promise<SandboxPage> {
  const { keys, ends } = columns[order];
  const isDescending = descending.has(order);
  const ordered = `order by ${keys.map((key) => `${key} ${isDescending ? 'desc' : 'asc'}`).join(', ')}`;
  const later = `where (${keys.join(', ')}) ${isDescending ? '<' : '>'} (${ends.join(', ')})`;
  const values = keys.length === 1 ? [after?.id] : [after?.id, after?.value];
  const { rows } = await session.aside<ListedRow>(
    `select id, summary, schools, changed_records, state_bytes, (extract(epoch from used_at) * 1000)::float8 as used_at,
       (select count from lp_sandbox.journal where journal.sandbox = listed.id order by upto desc limit 1) as exchanges
     from (select * from lp_sandbox.sandbox ${after === null ? '' : later} ${ordered} limit $1::integer) as listed
     ${ordered}`,
    [limit + 1, ...(after === null ? [] : values)],
  );
  const counted = await session.aside<{ total: number }>(
    'select count(*)::integer as total from lp_sandbox.sandbox',
  );
  const found = rows.map(summaryOf);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    sandboxes: shown,
    end: found.length > limit && last !== undefined ? endAt(order, last) : null,
    total: counted.rows[0]?.total ?? 0,
  };
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
