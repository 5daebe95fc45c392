import type { Facts } from '../sandbox/facts.ts';
import type { Saved } from '../store/saved.ts';
import { lockOf } from './schema.ts';
import type { ReplicaFacts, Session } from './session.ts';

/** Whether the owner of a sandbox has ended, so that others may take it. */
const isFree = `(owner is null or pg_try_advisory_xact_lock_shared(${lockOf('owner')}))`;

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
  await session.background(
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
