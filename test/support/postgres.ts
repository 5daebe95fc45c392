import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.ts';

/** Debian's folders, the newest version first. */
const programs = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root. This user exists everywhere. */
const nobody = 65_534;

const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

function program(name: string): string {
  const versions = existsSync(programs)
    ? readdirSync(programs).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const found = versions
    .map((version) => join(programs, version, 'bin', name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return found;
}

/** A PostgreSQL of the tests' own, in a temporary folder, which only a socket in that folder leads to. */
export class Postgres {
  readonly folder = mkdtempSync(join(tmpdir(), 'lp-sandbox-postgres-'));
  #server: ChildProcess | null = null;
  #databases = 0;

  static async start(): Promise<Postgres> {
    const postgres = new Postgres();
    const { folder } = postgres;
    if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
    const words = ['-D', join(folder, 'data'), '-U', 'sandbox', '--auth=trust', '--no-sync', '-E', 'UTF8'];
    execFileSync(program('initdb'), words, { ...identity, stdio: 'ignore', cwd: folder });
    await postgres.run();
    return postgres;
  }

  /** Starts the engine, unless it runs. Every commit is on the disk before it is confirmed. */
  async run(): Promise<void> {
    if (this.#server !== null) return;
    const settings = [
      'fsync=on',
      'synchronous_commit=on',
      'full_page_writes=on',
      'listen_addresses=',
      'max_connections=200',
    ];
    const words = [
      '-D',
      join(this.folder, 'data'),
      '-k',
      this.folder,
      ...settings.flatMap((one) => ['-c', one]),
    ];
    this.#server = spawn(program('postgres'), words, { ...identity, stdio: 'ignore', cwd: this.folder });
    await eventually(async () => {
      await this.query(this.url('postgres'), 'select');
    });
  }

  /** The process that starts all others; undefined if the engine does not run. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  url(database: string): string {
    return `postgres:///${database}?host=${this.folder}&user=sandbox`;
  }

  /** Creates an empty database. Returns its URL. */
  async database(): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.query(this.url('postgres'), `create database ${name}`);
    return this.url(name);
  }

  async query(
    url: string,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text, [...values])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Stops the engine as a crash does. */
  async crash(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const ended = once(server, 'exit');
    // Its processes end when they see that their parent has.
    server.kill('SIGQUIT');
    await ended;
  }

  /** Stops the engine, and deletes the folder. */
  async end(): Promise<void> {
    await this.crash();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
