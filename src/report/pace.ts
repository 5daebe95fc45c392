import type { Attempt } from './attempt.ts';

/** The fewest calls that show that a client sends one at a time. */
const fewestCalls = 10;

/** A client that sends one call at a time has fewer open connections: Node's fetch has two. */
const fewestConnections = 4;

/** How clients send their calls, as far as the journal shows it. */
export interface Pace {
  /** The clients that had two calls in flight at once, or many connections: they have several workers. */
  readonly parallel: ReadonlySet<string>;
  /** The others with many calls. */
  readonly serial: ReadonlySet<string>;
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
  };
}

class ClientPace {
  #calls = 0;
  #busyUntil = -Infinity;
  /** The connections that were open at the last call, and when they were closed. */
  readonly #open = new Map<string, number>();
  isParallel = false;

  get isSerial(): boolean {
    return !this.isParallel && this.#calls >= fewestCalls;
  }

  add({ entry, received, replied }: Attempt): void {
    this.#calls += 1;
    if (this.isParallel) return;
    const openedAt = Date.parse(entry.connectionOpenedAt);
    for (const [connection, closedAt] of this.#open) if (closedAt <= openedAt) this.#open.delete(connection);
    const { connectionClosedAt } = entry;
    this.#open.set(entry.connection, connectionClosedAt === null ? Infinity : Date.parse(connectionClosedAt));
    this.isParallel = received < this.#busyUntil || this.#open.size >= fewestConnections;
    this.#busyUntil = Math.max(this.#busyUntil, replied);
  }
}
