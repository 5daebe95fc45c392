import type { Client } from 'pg';
import { SandboxError } from '../base/errors.ts';

/** The expression for the advisory lock of a replica. The tables of another schema have a sequence of their own. */
export const lockOf = (number: string): string =>
  `(('lp_sandbox.replica_number'::regclass::oid::bigint << 32) | ${number})`;

/** Any number that no other program is likely to lock: two replicas that start must not both create the tables. */
const schemaLock = 5_021_970_311;

/**
 * The steps from each version of the schema to the next. Those that were published never change.
 *
 * Each column with the id of a sandbox has the collation of the id: otherwise, a join with it cannot use an index.
 * No column that most writes change has an index, so that PostgreSQL can update rows in place (HOT). For the orders of
 * long lists, `used_rank` and `size_rank` follow `used_at` and `state_bytes` in steps (`keep.ts`).
 */
const steps: readonly string[] = [
  `create sequence lp_sandbox.replica_number as integer;
   create table lp_sandbox.replica (
     number bigint primary key, owner text not null, version text not null, address text, is_leaving boolean not null default false, began_at timestamptz not null default now());
   create table lp_sandbox.sandbox (
     id text collate "C" primary key, owner bigint, generation integer not null, state json not null, facts json not null,
     last_number bigint not null, used_at timestamptz not null, expires_after interval,
     created_at timestamptz not null, summary json not null, schools json not null,
     changed_records integer not null, state_bytes bigint not null,
     used_rank timestamptz not null default 'epoch', size_rank bigint not null default 0);
   create index on lp_sandbox.sandbox (owner);
   create index on lp_sandbox.sandbox (created_at, id);
   create index on lp_sandbox.sandbox (used_rank, id);
   create index on lp_sandbox.sandbox (size_rank, id);
   create table lp_sandbox.record (
     sandbox text collate "C" not null references lp_sandbox.sandbox on delete cascade, generation integer not null,
     collection text not null, key text not null, place bigint not null, change json not null,
     primary key (sandbox, generation, collection, key));
   create table lp_sandbox.snapshot (
     sandbox text collate "C" not null references lp_sandbox.sandbox on delete cascade, name text not null, content json not null,
     primary key (sandbox, name));
   create table lp_sandbox.counter (
     sandbox text collate "C" not null references lp_sandbox.sandbox on delete cascade, key text not null,
     place bigint not null, counted json not null,
     primary key (sandbox, key));
   create table lp_sandbox.journal (
     sandbox text collate "C" not null references lp_sandbox.sandbox on delete cascade, upto bigint not null, entries bytea not null, count integer not null,
     primary key (sandbox, upto));
   alter table lp_sandbox.journal alter column entries set storage external;`,
];

/** Creates the tables, or brings those of an earlier version up to date. Throws SandboxError for a later version. */
export async function applySchema(client: Client): Promise<void> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock]);
    const version = await versionIn(client);
    if (version > steps.length)
      throw new SandboxError(
        `The tables in --data are of version ${version}, but this program knows only versions up to ${steps.length}. Start the version of the program that created them, or a later one.`,
      );
    for (const step of steps.slice(version)) await client.query(step);
    if (version < steps.length)
      await client.query('update lp_sandbox.schema set version = $1', [steps.length]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function versionIn(client: Client): Promise<number> {
  const known = await client.query<{ found: string | null }>(
    `select to_regclass('lp_sandbox.schema') as found`,
  );
  if (known.rows[0]?.found === null)
    await client.query(
      `create schema if not exists lp_sandbox;
       create table lp_sandbox.schema (version integer not null);
       insert into lp_sandbox.schema values (0)`,
    );
  const { rows } = await client.query<{ version: number }>('select version from lp_sandbox.schema');
  return rows[0]?.version ?? 0;
}
