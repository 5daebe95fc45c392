import { mayPass, type Attempt } from './attempt.ts';

/** The fewest calls that show that a client sends one at a time. */
const fewestCalls = 10;

/** A client that sends one call at a time has fewer open connections: Node's fetch has two. */
const fewestConnections = 4;

/**
 * A client that retries each call before it sends the next one comes back to few failed requests after others: only
 * for the next use of a record. If at least this many, and this share, come after others, it may have workers.
 */
const fewestAfterOthers = 2;
const mostAfterOthers = 0.2;

/** How clients send their calls, as far as the journal shows it. */
export interface Pace {
  /** The clients that had two calls in flight at once, or many connections: they have several workers. */
  readonly parallel: ReadonlySet<string>;
  /** The others with many calls. */
  readonly serial: ReadonlySet<string>;
  /**
   * Those and others that may have several workers: they sent other calls before they sent failed requests again. The
   * calls of a few workers hardly overlap, because the server answers quickly.
   */
  readonly mayBeParallel: ReadonlySet<string>;
}

/** Returns how clients send their calls. `attempts` are those of all clients in the order of arrival. */
export function paceOf(attempts: readonly Attempt[]): Pace {
  const clients = new Map<string, ClientPace>();
  for (const attempt of attempts) {
    const own = clients.get(attempt.client) ?? new ClientPace();
    clients.set(attempt.client, own);
    own.add(attempt);
  }
  const all = [...clients];
  return {
    parallel: new Set(all.flatMap(([client, { isParallel }]) => (isParallel ? [client] : []))),
    serial: new Set(all.flatMap(([client, { isSerial }]) => (isSerial ? [client] : []))),
    mayBeParallel: new Set(all.flatMap(([client, { mayBeParallel }]) => (mayBeParallel ? [client] : []))),
  };
}

class ClientPace {
  #calls = 0;
  #busyUntil = -Infinity;
  /** The connections that were open at the last call, and when they were closed. */
  readonly #open = new Map<string, number>();
  /** The last call of each request, if it failed. */
  readonly #failed = new Map<string, Attempt>();
  #last: Attempt | undefined;
  #directly = 0;
  #afterOthers = 0;
  isParallel = false;

  get mayBeParallel(): boolean {
    const all = this.#directly + this.#afterOthers;
    const areMany = this.#afterOthers >= Math.max(fewestAfterOthers, mostAfterOthers * all);
    return this.isParallel || areMany;
  }

  get isSerial(): boolean {
    return !this.isParallel && this.#calls >= fewestCalls;
  }

  add(attempt: Attempt): void {
    const { entry, received, replied } = attempt;
    this.#calls += 1;
    this.#compare(attempt);
    if (this.isParallel) return;
    const openedAt = Date.parse(entry.connectionOpenedAt);
    for (const [connection, closedAt] of this.#open) if (closedAt <= openedAt) this.#open.delete(connection);
    const { connectionClosedAt } = entry;
    this.#open.set(entry.connection, connectionClosedAt === null ? Infinity : Date.parse(connectionClosedAt));
    this.isParallel = received < this.#busyUntil || this.#open.size >= fewestConnections;
    this.#busyUntil = Math.max(this.#busyUntil, replied);
  }

  /** Counts whether a failed request comes again directly, or after others. */
  #compare(attempt: Attempt): void {
    const { request } = attempt;
    const before = this.#failed.get(request);
    if (before !== undefined && before === this.#last) this.#directly += 1;
    else if (before !== undefined) this.#afterOthers += 1;
    if (mayPass(attempt)) this.#failed.set(request, attempt);
    else this.#failed.delete(request);
    this.#last = attempt;
  }
}
