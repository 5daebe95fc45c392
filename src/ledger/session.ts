import type { Client, QueryResult, QueryResultRow } from 'pg';
import { SandboxError } from '../base/errors.ts';
import { packageVersion } from '../base/package-files.ts';
import { stopwatch } from '../sandbox/clock.ts';
import { connected, Connection } from './connection.ts';
import { applySchema, lockOf } from './schema.ts';

/** The oldest version that the tests run with. */
const minVersion = 150_000;

/** A replica that has not heard from its session for longer checks it before it relies on what is in memory. */
const freshMs = 3000;

/** What other servers with the same database know of this one. */
export interface ReplicaFacts {
  /** Its name in their messages. */
  readonly owner: string;
  /** The URL at which they reach it; null if it does not share its sandboxes. */
  readonly address: string | null;
}

interface Clients {
  readonly main: Client;
  readonly aside: Client;
  readonly background: Client;
}

/**
 * The ownership of sandboxes: while this session lives, the advisory lock on its number says so to all others. Writes
 * go through its own connection, and are rejected once another replica has taken the sandbox.
 */
export class Session {
  /** Never used again by another session. */
  readonly number: string;
  readonly #main: Connection;
  readonly #aside: Connection;
  readonly #background: Connection;
  #heardAt = stopwatch();
  #hasEnded = false;
  #onEnd: () => void = () => {};

  private constructor({ main, aside, background }: Clients, number: string) {
    const broken = (): void => this.end();
    this.#main = new Connection(main, broken);
    this.#aside = new Connection(aside, broken);
    this.#background = new Connection(background, broken);
    this.number = number;
  }

  /** Connects, and becomes a replica with a new number. */
  static async begin(url: string, facts: ReplicaFacts): Promise<Session> {
    const opened: Client[] = [];
    const open = async (): Promise<Client> => {
      const client = await connected(url);
      opened.push(client);
      return client;
    };
    try {
      return await Session.#over(
        { main: await open(), aside: await open(), background: await open() },
        facts,
      );
    } catch (error) {
      for (const client of opened) client.end().catch(() => {});
      throw error;
    }
  }

  static async #over(clients: Clients, { owner, address }: ReplicaFacts): Promise<Session> {
    const { main, aside } = clients;
    await requireFitting(main);
    await applySchema(aside);
    const { rows } = await main.query<{ number: string }>(
      `select nextval('lp_sandbox.replica_number')::text as number`,
    );
    const number = rows[0]?.number ?? '';
    await main.query(`select pg_advisory_lock(${lockOf('$1::bigint')})`, [number]);
    await requireOwnSession(main, aside, number);
    // An acknowledged change survives a crash of the engine, and the lock survives an idle night.
    await main.query(`select set_config('synchronous_commit', 'on', false)
      where current_setting('synchronous_commit') = 'off'`);
    // A crash of the engine may cost what journals have got in its last second, which they are late by anyway.
    await clients.background.query('set synchronous_commit = off');
    // Without parameters, the planner expects many rows of the lists, and compiles code for longer than they take.
    for (const client of Object.values(clients))
      await client.query(
        'set idle_session_timeout = 0; set plan_cache_mode = force_generic_plan; set jit = off',
      );
    await main.query(
      `delete from lp_sandbox.replica where pg_try_advisory_xact_lock_shared(${lockOf('number')})`,
    );
    await main.query(
      'insert into lp_sandbox.replica (number, owner, version, address) values ($1, $2, $3, $4)',
      [number, owner, packageVersion(), address],
    );
    return new Session(clients, number);
  }

  /** Calls back when the session ends: from then on, this server owns nothing. */
  set onEnd(onEnd: () => void) {
    this.#onEnd = onEnd;
    if (this.#hasEnded) onEnd();
  }

  get isFresh(): boolean {
    return !this.#hasEnded && stopwatch() - this.#heardAt <= freshMs;
  }

  /** Runs a statement on the connection of the lock, whose answer shows that the session lives. */
  async run<R extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<QueryResult<R>> {
    const found = await this.#main.query<R>(text, values, name);
    this.#heardAt = stopwatch();
    return found;
  }

  /** Runs a statement that must not delay the others. */
  aside<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<QueryResult<R>> {
    return this.#aside.query<R>(text, values);
  }

  /** Runs a statement for which no response waits for long: of journals, of large states, or to delete old rows. */
  background(text: string, values: readonly unknown[]): Promise<QueryResult> {
    return this.#background.query(text, values);
  }

  /** Ends the session of a replica that may still run a statement. Resolves when it has ended, to whether it had not. */
  async depose(number: string): Promise<boolean> {
    const { rowCount } = await this.run(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and mode = 'ExclusiveLock' and granted and objsubid = 1
         and database = (select oid from pg_database where datname = current_database())
         and classid = 'lp_sandbox.replica_number'::regclass and objid = $1::bigint::oid`,
      [number],
    );
    await this.run(`select pg_advisory_xact_lock_shared(${lockOf('$1::bigint')})`, [number]);
    return rowCount !== 0;
  }

  /** Ends the session, and with it the ownership. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const connection of [this.#main, this.#aside, this.#background]) connection.end();
    this.#onEnd();
  }
}

/** Throws SandboxError if the database is too old, or cannot store any text. */
async function requireFitting(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  );
  const [found] = rows;
  const version = Number(found?.version);
  if (version < minVersion)
    throw new SandboxError(
      `--data needs PostgreSQL ${minVersion / 10_000} or newer, but this one is ${Math.floor(version / 10_000)}.`,
    );
  if (found?.encoding === 'UTF8') return;
  throw new SandboxError(
    `The database of --data must have the encoding UTF8, but has ${found?.encoding ?? 'none'}. Create another one: create database NAME encoding 'UTF8' template template0.`,
  );
}

/**
 * Throws SandboxError if statements of one connection run in several sessions, as behind a pooler in transaction mode:
 * another session has the lock then. While both connections have a transaction, they need two sessions, and
 * after that the pooler assigns them again.
 */
async function requireOwnSession(main: Client, aside: Client, number: string): Promise<void> {
  await main.query('begin');
  const own = await sessionOf(main);
  await aside.query('begin');
  const { rows } = await aside.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
       and classid = 'lp_sandbox.replica_number'::regclass and objid = $1::bigint::oid
       and database = (select oid from pg_database where datname = current_database())`,
    [number],
  );
  const other = await sessionOf(aside);
  await main.query('rollback');
  await aside.query('rollback');
  const later = [await sessionOf(main), await sessionOf(main)];
  const isOwn = rows.length === 1 && [own, ...later].every((pid) => pid === rows[0]?.pid) && other !== own;
  if (isOwn) return;
  throw new SandboxError(
    '--data leads through a connection pooler in transaction mode, in which session locks do not work. Give the URL of PostgreSQL itself, or of a pooler in session mode.',
  );
}

async function sessionOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
