import type { SandboxRows } from './sandbox-rows.ts';
import type { Session } from './session.ts';

/**
 * What a batch has. The statement leaves out the parts that it lacks: a batch with a changed record and no more takes
 * half of the time then (`npm run bench:hosted`, writes).
 */
interface Contents {
  readonly creates: boolean;
  readonly describes: boolean;
  readonly gives: boolean;
  readonly hasRecords: boolean;
  readonly hasSnapshots: boolean;
  readonly hasCounters: boolean;
  readonly forgetsCounters: boolean;
}

/** A column of the values that are sent: its name in the statement, its type, and the name of its values. */
type Column<R> = readonly [name: string, type: string, of: keyof R];

type RecordRow = { readonly id: string } & SandboxRows['records'][number];
type CounterRow = { readonly id: string } & SandboxRows['counters'][number];
interface SnapshotRow {
  readonly id: string;
  readonly name: string;
  readonly content: string | null;
}

const always: readonly Column<SandboxRows>[] = [
  ['id', 'text', 'id'],
  ['generation', 'integer', 'generation'],
  ['last_number', 'bigint', 'lastNumber'],
  ['used_at', 'float8', 'usedAt'],
  ['changed_records', 'integer', 'changedRecords'],
  ['state_bytes', 'bigint', 'stateBytes'],
];
const creation: readonly Column<SandboxRows>[] = [
  ['is_new', 'boolean', 'isNew'],
  ['ttl', 'float8', 'ttlSeconds'],
  ['created_at', 'float8', 'createdAt'],
];
const description: readonly Column<SandboxRows>[] = [
  ['state', 'json', 'state'],
  ['facts', 'json', 'facts'],
  ['summary', 'json', 'summary'],
  ['schools', 'json', 'schools'],
];
const giving: readonly Column<SandboxRows>[] = [['gives', 'boolean', 'gives']];
const forgetting: readonly Column<SandboxRows>[] = [['has_all_counters', 'boolean', 'hasAllCounters']];

const recordColumns: readonly Column<RecordRow>[] = [
  ['id', 'text', 'id'],
  ['collection', 'text', 'collection'],
  ['key', 'text', 'key'],
  ['place', 'bigint', 'place'],
  ['change', 'json', 'change'],
];
const snapshotColumns: readonly Column<SnapshotRow>[] = [
  ['id', 'text', 'id'],
  ['name', 'text', 'name'],
  ['content', 'json', 'content'],
];
const counterColumns: readonly Column<CounterRow>[] = [
  ['id', 'text', 'id'],
  ['key', 'text', 'key'],
  ['place', 'bigint', 'place'],
  ['counted', 'json', 'counted'],
];

/**
 * Stores rows of several sandboxes in one statement, all or nothing. The rows of a sandbox that another replica has
 * taken match nothing. Returns the ids of those that this session owns.
 */
export async function keep(session: Session, all: readonly SandboxRows[]): Promise<ReadonlySet<string>> {
  const records = all.flatMap(({ id, records: rows }) => rows.map((row) => ({ id, ...row })));
  const snapshots = all.flatMap(({ id, snapshots: rows }) =>
    rows.map(([name, content]) => ({ id, name, content })),
  );
  const counters = all.flatMap(({ id, counters: rows }) => rows.map((row) => ({ id, ...row })));
  const contents: Contents = {
    creates: all.some(({ isNew }) => isNew),
    describes: all.some((one) => description.some(([, , of]) => one[of] !== null)),
    gives: all.some(({ gives }) => gives),
    hasRecords: records.length > 0,
    hasSnapshots: snapshots.length > 0,
    hasCounters: counters.length > 0,
    forgetsCounters: all.some(({ hasAllCounters }) => hasAllCounters),
  };
  const sent = new SentValues(session.number);
  const given = sent.rows('given', all, [
    ...always,
    ...(contents.creates ? creation : []),
    ...(contents.describes ? description : []),
    ...(contents.gives ? giving : []),
    ...(contents.forgetsCounters ? forgetting : []),
  ]);
  const text = keepText(contents, {
    given,
    records: contents.hasRecords ? sent.rows('sent', records, recordColumns) : '',
    snapshots: contents.hasSnapshots ? sent.rows('sent', snapshots, snapshotColumns) : '',
    counters: contents.hasCounters ? sent.rows('sent', counters, counterColumns) : '',
  });
  const name = `keep ${Object.values(contents).map(Number).join('')}`;
  const { rows } = await session.run<{ id: string }>(text, sent.values, name);
  return new Set(rows.map(({ id }) => id));
}

/** The values of a statement, column by column. */
class SentValues {
  readonly values: unknown[];

  constructor(first: unknown) {
    this.values = [first];
  }

  /** Adds rows. Returns the expression for the table that they are. */
  rows<R>(name: string, rows: readonly R[], columns: readonly Column<R>[]): string {
    const places = columns.map(([, type, of]) => {
      const column = rows.map((row) => row[of]);
      this.values.push(type === 'json' ? jsonArray(column) : column);
      return `$${this.values.length}::${type}[]`;
    });
    return `unnest(${places.join(', ')}) as ${name} (${columns.map(([column]) => column).join(', ')})`;
  }
}

/**
 * Returns the literal of an array of JSON texts. `pg` would take a fifth of a second for each megabyte. JSON has no
 * characters that `JSON.stringify` escapes in another way than such a literal.
 */
export function jsonArray(texts: readonly unknown[]): string {
  return `{${texts.map((text) => (text === null ? 'NULL' : JSON.stringify(text))).join(',')}}`;
}

type Tables = Readonly<Record<'given' | 'records' | 'snapshots' | 'counters', string>>;

function keepText(contents: Contents, tables: Tables): string {
  const { creates, hasRecords, hasSnapshots, hasCounters, forgetsCounters } = contents;
  return [
    `with given as (select * from ${tables.given})`,
    ...(creates ? [createdText(contents)] : []),
    keptText(contents),
    `owned as (${creates ? 'select * from created union all ' : ''}select * from kept)`,
    ...(hasRecords ? [recordsText(tables.records)] : []),
    ...(hasSnapshots ? [snapshotsText(tables.snapshots)] : []),
    ...(hasCounters ? [countersText(tables.counters)] : []),
    ...(forgetsCounters ? [forgottenText(contents)] : []),
  ]
    .join(', ')
    .concat(' select id from owned');
}

/** A sandbox may be stored already, if the session ended before the statement was confirmed. */
function createdText({ gives }: Contents): string {
  return `created as (
  insert into lp_sandbox.sandbox as old (id, owner, generation, state, facts, last_number, used_at, expires_after,
    summary, schools, changed_records, state_bytes, created_at, used_rank, size_rank)
  select id, ${gives ? 'case when gives then null else $1::bigint end' : '$1::bigint'}, generation, state, facts, last_number,
    to_timestamp(used_at / 1000), make_interval(secs => ttl), summary, schools,
    changed_records, state_bytes, to_timestamp(created_at / 1000), to_timestamp(used_at / 1000), state_bytes
  from given where is_new
  on conflict (id) do update set owner = excluded.owner, generation = excluded.generation, state = excluded.state,
    facts = excluded.facts, last_number = excluded.last_number, used_at = excluded.used_at,
    summary = excluded.summary, schools = excluded.schools, changed_records = excluded.changed_records,
    state_bytes = excluded.state_bytes
  where old.owner = $1::bigint
  returning id, generation)`;
}

function keptText({ creates, describes, gives }: Contents): string {
  const described = description.map(([name]) => `${name} = coalesce(given.${name}, old.${name})`);
  return `kept as (
  update lp_sandbox.sandbox as old set ${[
    'generation = given.generation',
    'last_number = given.last_number',
    'used_at = to_timestamp(given.used_at / 1000)',
    'changed_records = given.changed_records',
    'state_bytes = given.state_bytes',
    ...(describes ? described : []),
    ...(gives ? ['owner = case when gives then null else owner end'] : []),
    ...ranks(gives),
  ].join(', ')}
  from given where old.id = given.id and owner = $1::bigint${creates ? ' and not is_new' : ''}
  returning old.id, old.generation)`;
}

/**
 * The ranks of long lists have indexes, so they change only after a minute, or with the size by 1 KiB and 1/64: all
 * other updates stay in place. A sandbox that leaves memory gets the exact ranks, because its update moves anyway.
 */
function ranks(gives: boolean): readonly string[] {
  const unless = gives ? 'not gives and ' : '';
  return [
    `used_rank = case when ${unless}to_timestamp(given.used_at / 1000) between old.used_rank and old.used_rank + interval '1 minute'
      then old.used_rank else to_timestamp(given.used_at / 1000) end`,
    `size_rank = case when ${unless}abs(given.state_bytes - old.size_rank) < greatest(1024, old.size_rank / 64)
      then old.size_rank else given.state_bytes end`,
  ];
}

/** As in memory, a removed record (a string) that is added again comes last. */
function recordsText(sent: string): string {
  return `records as (
  insert into lp_sandbox.record as old (sandbox, generation, collection, key, place, change)
  select owned.id, generation, collection, key, place, change from ${sent} join owned using (id)
  on conflict (sandbox, generation, collection, key) do update set change = excluded.change,
    place = case when json_typeof(old.change) = 'string' then excluded.place else old.place end)`;
}

function snapshotsText(sent: string): string {
  return `named as (
  select owned.id, name, content from ${sent} join owned using (id)
), snapshots as (
  insert into lp_sandbox.snapshot (sandbox, name, content) select * from named where content is not null
  on conflict (sandbox, name) do update set content = excluded.content
), removed as (
  delete from lp_sandbox.snapshot old using named
  where named.content is null and old.sandbox = named.id and old.name = named.name)`;
}

function countersText(sent: string): string {
  return `counting as (
  select owned.id, key, place, counted from ${sent} join owned using (id)
), counters as (
  insert into lp_sandbox.counter as old (sandbox, key, place, counted) select * from counting
  on conflict (sandbox, key) do update set counted = excluded.counted,
    place = case when excluded.place < 0 then excluded.place else old.place end)`;
}

function forgottenText({ hasCounters }: Contents): string {
  const isCounting =
    'exists (select from counting where counting.id = old.sandbox and counting.key = old.key)';
  return `forgotten as (
  delete from lp_sandbox.counter old using owned join given using (id)
  where has_all_counters and old.sandbox = owned.id${hasCounters ? ` and not ${isCounting}` : ''})`;
}
