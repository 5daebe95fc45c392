import { tail } from './binomial.ts';
import type { Attempt } from './attempt.ts';

/**
 * Finds whether a client certainly had the response to a call when it sent a later one.
 *
 * The journal shows when the server sent a response, not when the client received it: the response may still be on
 * its way when the client sends a second copy of a slow read, or may have been lost. Only one thing proves that it
 * arrived: the client used the connection again. An HTTP client does so after it has read the whole response. A
 * longer pause, one call at a time, or a connection that was closed prove nothing: a client that waited in vain closes
 * the connection, too.
 */
export class Knowledge {
  /** The next call on the same connection. */
  readonly #reuse = new Map<Attempt, Attempt>();
  /** The call before with the same request, and the one after. */
  readonly #before = new Map<Attempt, Attempt>();
  readonly #after = new Map<Attempt, Attempt>();

  /** `attempts` are in the order of arrival. */
  constructor(attempts: readonly Attempt[]) {
    const last = new Map<string, Attempt>();
    const lastOf = new Map<string, Attempt>();
    for (const attempt of attempts) {
      const request = `${attempt.client} ${attempt.request}`;
      const same = lastOf.get(request);
      if (same !== undefined) {
        this.#before.set(attempt, same);
        this.#after.set(same, attempt);
      }
      lastOf.set(request, attempt);
      const connection = `${attempt.entry.connection} ${attempt.entry.connectionOpenedAt}`;
      const before = last.get(connection);
      if (before !== undefined) this.#reuse.set(before, attempt);
      last.set(connection, attempt);
    }
  }

  /** Whether the client had the response, because it used the connection again by then. */
  isProven(earlier: Attempt, later: Attempt): boolean {
    const reuse = this.#reuse.get(earlier);
    return reuse !== undefined && reuse.number <= later.number && reuse.received >= earlier.replied;
  }

  /**
   * Returns the neighboring calls with the same request that may be copies of a slow read: the client may not have had a
   * response when it sent the later of both. It then uses one of the responses, and ignores the other.
   */
  copiesOf(attempt: Attempt): readonly Attempt[] {
    const [before, after] = [this.#before.get(attempt), this.#after.get(attempt)];
    return [
      ...(before !== undefined && !this.isProven(before, attempt) ? [before] : []),
      ...(after !== undefined && !this.isProven(attempt, after) ? [after] : []),
    ];
  }
}

/** A network that loses more responses than this share is not considered. */
export const mostLost = 0.5;

/** The probability that a client is accused although the network lost the responses. */
export const falsePositives = 1 / 10_000;

interface Repeat {
  readonly asked: Attempt;
  readonly next: Attempt;
}

/**
 * Returns the clients that repeat a request even after repeats so often that lost responses do not explain it. The
 * first repeat may be a second copy of a slow read, so only later ones count. `repeats` are all that followed a certain
 * response, and `wrong` those that a client with the response would not have sent.
 */
export function certainlyInformed(
  repeats: readonly Repeat[],
  wrong: ReadonlySet<Repeat>,
): ReadonlySet<string> {
  const sentWrongly = new Set([...wrong].map(({ next }) => next));
  const counts = new Map<string, { all: number; wrong: number }>();
  for (const repeat of repeats) {
    if (!sentWrongly.has(repeat.asked)) continue;
    const { client } = repeat.asked;
    const count = counts.get(client) ?? { all: 0, wrong: 0 };
    counts.set(client, count);
    count.all += 1;
    if (wrong.has(repeat)) count.wrong += 1;
  }
  const informed = [...counts].filter(
    ([, count]) => tail(count.all, count.wrong, mostLost) <= falsePositives,
  );
  return new Set(informed.map(([client]) => client));
}
