import type { Client, QueryResult, QueryResultRow } from 'pg';
import { after } from '../sandbox/clock.ts';

const connectMs = 2000;

/** A statement that takes longer is on a connection that is broken without a sign, such as by a firewall. */
const maxStatementMs = 20_000;

/** A connection to the database, which runs one statement after another. */
export class Connection {
  readonly #client: Client;
  readonly #broken: () => void;
  #last: Promise<unknown> = Promise.resolve();

  /** `broken` is called when it cannot be used any more. */
  constructor(client: Client, broken: () => void) {
    this.#client = client;
    this.#broken = broken;
    client.on('error', broken);
    client.on('end', broken);
  }

  /** Runs a statement. One with a name is prepared only once. */
  query<R extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<QueryResult<R>> {
    const run = (): Promise<QueryResult<R>> => this.#run(text, values, name);
    const result = this.#last.then(run, run);
    this.#last = result.catch(() => {});
    return result;
  }

  async #run<R extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
  ): Promise<QueryResult<R>> {
    const limit = after(maxStatementMs, this.#broken);
    try {
      return await this.#client.query<R>({
        text,
        values: [...values],
        ...(name === undefined ? {} : { name }),
      });
    } finally {
      limit.cancel();
    }
  }

  end(): void {
    // A connection that does not answer would never confirm its end.
    const limit = after(connectMs, () => this.#client.connection.stream.destroy());
    this.#client.end().then(
      () => limit.cancel(),
      () => limit.cancel(),
    );
  }
}

/** Connects. `pg` is loaded only here, so that servers without a ledger never load it. */
export async function connected(url: string): Promise<Client> {
  const { Client: PgClient } = await import('pg');
  const client = new PgClient({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: maxStatementMs,
    keepAlive: true,
    application_name: 'lp-sandbox',
  });
  // Until the session has it, a failure is that of the statement in progress.
  client.on('error', () => {});
  await client.connect();
  return client;
}
