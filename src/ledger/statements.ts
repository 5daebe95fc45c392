import type { Facts } from '../sandbox/facts.ts';
import type { Saved } from '../store/saved.ts';
import type { SandboxRows } from './sandbox-rows.ts';
import { lockOf } from './schema.ts';
import type { ReplicaFacts, Session } from './session.ts';

/** Whether the owner of a sandbox has ended, so that others may take it. */
const isFree = `(owner is null or pg_try_advisory_xact_lock_shared(${lockOf('owner')}))`;

/**
 * Stores what has happened in sandboxes that this session owns, all or nothing. The rows of a sandbox that another
 * replica has taken match nothing, so it is missing in the result. As in memory, a removed record (a string) that is
 * added again comes last.
 */
const keepText = `
with given as (
  select * from unnest($2::text[], $3::boolean[], $4::integer[], $5::json[], $6::json[], $7::bigint[], $8::float8[],
    $9::float8[], $10::boolean[], $11::boolean[], $24::json[], $25::json[], $26::integer[], $27::bigint[], $28::float8[])
  as given (id, is_new, generation, state, facts, last_number, used_at, ttl, gives, has_all_counters, summary, schools,
    changed_records, state_bytes, created_at)
), created as (
  insert into lp_sandbox.sandbox as old (id, owner, generation, state, facts, last_number, used_at, expires_after,
    summary, schools, changed_records, state_bytes, created_at)
  select id, case when gives then null else $1::bigint end, generation, state, facts, last_number,
    to_timestamp(used_at / 1000), make_interval(secs => ttl), summary, schools,
    changed_records, state_bytes, to_timestamp(created_at / 1000) from given where is_new
  on conflict (id) do update set owner = excluded.owner, generation = excluded.generation, state = excluded.state,
    facts = excluded.facts, last_number = excluded.last_number, used_at = excluded.used_at,
    summary = excluded.summary, schools = excluded.schools, changed_records = excluded.changed_records,
    state_bytes = excluded.state_bytes
  where old.owner = $1::bigint
  returning id, generation
), kept as (
  update lp_sandbox.sandbox as old set owner = case when gives then null else owner end, generation = given.generation,
    state = coalesce(given.state, old.state), facts = coalesce(given.facts, old.facts),
    last_number = given.last_number, used_at = to_timestamp(given.used_at / 1000),
    summary = coalesce(given.summary, old.summary), schools = coalesce(given.schools, old.schools),
    changed_records = given.changed_records, state_bytes = given.state_bytes
  from given where not is_new and old.id = given.id and owner = $1::bigint
  returning old.id, old.generation
), owned as (
  select * from created union all select * from kept
), records as (
  insert into lp_sandbox.record as old (sandbox, generation, collection, key, place, change)
  select owned.id, generation, collection, key, place, change
  from unnest($12::text[], $13::text[], $14::text[], $15::bigint[], $16::json[]) as sent (id, collection, key, place, change)
  join owned using (id)
  on conflict (sandbox, generation, collection, key) do update set change = excluded.change,
    place = case when json_typeof(old.change) = 'string' then excluded.place else old.place end
), named as (
  select owned.id, name, content from unnest($17::text[], $18::text[], $19::json[]) as sent (id, name, content)
  join owned using (id)
), snapshots as (
  insert into lp_sandbox.snapshot (sandbox, name, content) select * from named where content is not null
  on conflict (sandbox, name) do update set content = excluded.content
), removed as (
  delete from lp_sandbox.snapshot old using named
  where named.content is null and old.sandbox = named.id and old.name = named.name
), counting as (
  select owned.id, key, place, counted from unnest($20::text[], $21::text[], $22::bigint[], $23::json[])
    as sent (id, key, place, counted)
  join owned using (id)
), counters as (
  insert into lp_sandbox.counter as old (sandbox, key, place, counted) select * from counting
  on conflict (sandbox, key) do update set counted = excluded.counted,
    place = case when excluded.place < 0 then excluded.place else old.place end
), forgotten as (
  delete from lp_sandbox.counter old using owned join given using (id)
  where has_all_counters and old.sandbox = owned.id
    and not exists (select from counting where counting.id = old.sandbox and counting.key = old.key)
)
select id from owned`;

/** Stores rows of several sandboxes in one statement. Returns the ids of those that this session owns. */
export async function keep(session: Session, all: readonly SandboxRows[]): Promise<ReadonlySet<string>> {
  const records = all.flatMap(({ id, records: rows }) => rows.map((row) => ({ id, ...row })));
  const snapshots = all.flatMap(({ id, snapshots: rows }) =>
    rows.map(([name, content]) => ({ id, name, content })),
  );
  const counters = all.flatMap(({ id, counters: rows }) => rows.map((row) => ({ id, ...row })));
  const values = [
    session.number,
    ...columns(
      all,
      'id',
      'isNew',
      'generation',
      'state',
      'facts',
      'lastNumber',
      'usedAt',
      'ttlSeconds',
      'gives',
    ),
    ...columns(all, 'hasAllCounters'),
    ...columns(records, 'id', 'collection', 'key', 'place', 'change'),
    ...columns(snapshots, 'id', 'name', 'content'),
    ...columns(counters, 'id', 'key', 'place', 'counted'),
    ...columns(all, 'summary', 'schools', 'changedRecords', 'stateBytes', 'createdAt'),
  ];
  const { rows } = await session.run<{ id: string }>(keepText, values, 'keep');
  return new Set(rows.map(({ id }) => id));
}

/** Returns the values of each of these members, as the statement unnests them. */
function columns<R>(
  rows: readonly R[],
  ...names: readonly (keyof R)[]
): readonly (string | readonly R[keyof R][])[] {
  return names.map((name) => {
    const column = rows.map((row) => row[name]);
    return jsonColumns.has(String(name)) ? jsonArray(column) : column;
  });
}

const jsonColumns: ReadonlySet<string> = new Set([
  'state',
  'facts',
  'change',
  'content',
  'counted',
  'summary',
  'schools',
]);

/**
 * Returns the literal of an array of JSON texts. `pg` would take a fifth of a second for each megabyte. JSON has no
 * characters that `JSON.stringify` escapes in another way than such a literal.
 */
function jsonArray(texts: readonly unknown[]): string {
  return `{${texts.map((text) => (text === null ? 'NULL' : JSON.stringify(text))).join(',')}}`;
}

/** What the row of a sandbox has. The facts and the state are checked when they are used. */
export interface TakenRow {
  readonly generation: number;
  readonly state: Saved['state'];
  readonly facts: Facts;
  readonly last_number: string;
  readonly used_at: string;
  /** Whether its owner had ended without giving it away. */
  readonly was_owned: boolean;
}

/** Takes a sandbox whose owner has ended. Returns its row; undefined if a replica that lives owns it, or if there is none. */
export async function take(session: Session, id: string): Promise<TakenRow | undefined> {
  const { rows } = await session.run<TakenRow>(
    `with found as (select id, owner from lp_sandbox.sandbox where id = $2 for update),
       free as (select id, owner from found where owner = $1 or ${isFree})
     update lp_sandbox.sandbox set owner = $1 from free where sandbox.id = free.id
     returning generation, state, facts, last_number, (extract(epoch from used_at) * 1000)::float8 as used_at,
       coalesce(free.owner <> $1, false) as was_owned`,
    [session.number, id],
  );
  return rows[0];
}

/** Takes what this server owned in an earlier session, unless others have taken it since. Returns the ids. */
export async function takeOver(session: Session, before: string): Promise<ReadonlySet<string>> {
  await session.depose(before);
  const { rows } = await session.run<{ id: string }>(
    'update lp_sandbox.sandbox set owner = $1 where owner = $2 returning id',
    [session.number, before],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes sandboxes that no other replica owns, with all that they have. Returns the ids of those that remain. */
export async function remove(session: Session, ids: readonly string[]): Promise<ReadonlySet<string>> {
  await session.run(`delete from lp_sandbox.sandbox where id = any($2) and (owner = $1 or ${isFree})`, [
    session.number,
    ids,
  ]);
  const { rows } = await session.run<{ id: string }>('select id from lp_sandbox.sandbox where id = any($1)', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the ids of all sandboxes but the default one, and whether they expire. */
export async function others(
  session: Session,
): Promise<readonly { readonly id: string; readonly expires: boolean }[]> {
  const { rows } = await session.aside<{ id: string; expires: boolean }>(
    `select id, expires_after is not null as expires from lp_sandbox.sandbox where id <> 'default' order by id`,
  );
  return rows;
}

/** Returns the replica that owns a sandbox; undefined if none does. */
export async function ownerOf(session: Session, id: string): Promise<ReplicaFacts | undefined> {
  const { rows } = await session.aside<ReplicaFacts>(
    `select replica.owner, address from lp_sandbox.replica join lp_sandbox.sandbox on number = sandbox.owner
     where id = $1`,
    [id],
  );
  return rows[0];
}

/** Says that this replica will end, and gives its sandboxes away. */
export async function leave(session: Session): Promise<void> {
  await session.aside('update lp_sandbox.replica set is_leaving = true where number = $1', [session.number]);
}

/** Returns the URL of any other replica that lives and stays; null if there is none. */
export async function anyOther(session: Session): Promise<string | null> {
  const { rows } = await session.aside<{ address: string }>(
    `select address from lp_sandbox.replica where number <> $1 and address is not null and not is_leaving
       and not pg_try_advisory_xact_lock_shared(${lockOf('number')})
     order by random() limit 1`,
    [session.number],
  );
  return rows[0]?.address ?? null;
}

/** Ends the sessions of the replica with an address, because it does not answer any more. Returns whether it had one. */
export async function depose(session: Session, address: string): Promise<boolean> {
  const { rows } = await session.aside<{ number: string }>(
    'select number::text from lp_sandbox.replica where address = $1',
    [address],
  );
  let hadSession = false;
  for (const { number } of rows) if (await session.depose(number)) hadSession = true;
  return hadSession;
}

/** Deletes the records of states that were replaced. */
export async function clean(session: Session, id: string): Promise<void> {
  await session.aside(
    `delete from lp_sandbox.record using lp_sandbox.sandbox
     where sandbox = $1 and sandbox.id = $1 and record.generation < sandbox.generation`,
    [id],
  );
}

/** Deletes sandboxes that nobody owns, and that were not used for as long as they are kept. */
export async function expire(session: Session): Promise<void> {
  await session.aside(
    `delete from lp_sandbox.sandbox using (
       select id from lp_sandbox.sandbox where used_at + expires_after < now() and ${isFree} for update skip locked
     ) as expired
     where sandbox.id = expired.id`,
  );
}
