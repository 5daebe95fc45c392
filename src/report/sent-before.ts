import { connectionOf, type Attempt } from './attempt.ts';

/**
 * Finds calls that a client sent before it had the response to another one. The server answers quickly, so such
 * calls hardly overlap, but each needs a connection of its own.
 */
export class SentBefore {
  readonly #opening: ReadonlySet<Attempt>;

  constructor(attempts: readonly Attempt[]) {
    this.#opening = openingCalls(attempts);
  }

  /** Whether the later call was certainly sent before: it came earlier than the response, or its connection did. */
  isCertain(later: Attempt, earlier: Attempt): boolean {
    return (
      later.received < earlier.replied || (this.#opening.has(later) && openedAt(later) <= earlier.replied)
    );
  }

  /**
   * Whether it may have been sent before: it opened a connection although that of the earlier call was still open.
   * A busy server accepts connections late.
   */
  isPossible(later: Attempt, earlier: Attempt): boolean {
    if (this.isCertain(later, earlier)) return true;
    const { connectionClosedAt } = earlier.entry;
    const isOpen = connectionClosedAt === null || Date.parse(connectionClosedAt) > openedAt(later);
    return this.#opening.has(later) && isOpen;
  }
}

function openedAt({ entry: { connectionOpenedAt } }: Attempt): number {
  return Date.parse(connectionOpenedAt);
}

/** Returns the first call on each connection. */
function openingCalls(attempts: readonly Attempt[]): ReadonlySet<Attempt> {
  const first = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const connection = connectionOf(attempt);
    if (!first.has(connection)) first.set(connection, attempt);
  }
  return new Set(first.values());
}
