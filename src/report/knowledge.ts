import { tail } from './binomial.ts';
import { connectionOf, senderOf, type Attempt } from './attempt.ts';
import { waited } from './calls.ts';
import { PooledConnections } from './pooled-connections.ts';

/** A read has at most this many copies, including the first, and all of them are sent within this time. */
export const mostCopies = 3;
export const copiesMs = 5000;

/** No client gives up waiting for a response, and sends a copy, within this time. */
const soonestCopyMs = 20;

/** Two pauses are alike if neither is more than twice as long as the other, apart from this time. */
const unevenMs = 100;

/**
 * Finds whether a client certainly had the response to a call when it sent a later one.
 *
 * The journal shows when the server sent a response, not when the client received it: the response may still be on
 * its way when the client sends a second copy of a slow read, or may have been lost. Only one thing proves that it
 * arrived: the client used the connection again. An HTTP client does so after it has read the whole response. A
 * longer pause, one call at a time, or a connection that was closed prove nothing: a client that waited in vain closes
 * the connection, too.
 *
 * Even that proves nothing
 * - behind a proxy that keeps connections to the server: it has read the response, but its own client may not have;
 * - if the request began to arrive before the response was sent: the client did not wait for it;
 * - if the client also repeats successful requests after similar pauses. No client ignores a success: responses do
 *   not reach it in time, which a proxy that adds no header would explain.
 */
export class Knowledge {
  /** The next call on the same connection. */
  readonly #reuse = new Map<Attempt, Attempt>();
  /** The call before with the same request, and the one after. */
  readonly #before = new Map<Attempt, Attempt>();
  readonly #after = new Map<Attempt, Attempt>();
  readonly #pooled: PooledConnections;
  /** The pauses after successes before the same request, of each sender and rounded. */
  readonly #afterSuccess = new Set<string>();

  /** `attempts` are in the order of arrival. */
  constructor(attempts: readonly Attempt[]) {
    this.#pooled = new PooledConnections(attempts);
    const last = new Map<string, Attempt>();
    const lastOf = new Map<string, Attempt>();
    for (const attempt of attempts) {
      const { request } = attempt;
      const same = lastOf.get(request);
      if (same !== undefined) {
        this.#before.set(attempt, same);
        this.#after.set(same, attempt);
        if (same.ending === 'ok') this.#afterSuccess.add(pauseOf(same, attempt, 0));
      }
      lastOf.set(request, attempt);
      const connection = connectionOf(attempt);
      const before = last.get(connection);
      if (before !== undefined) this.#reuse.set(before, attempt);
      last.set(connection, attempt);
    }
  }

  /** Whether the client had the response, because it used the connection again by then. */
  isProven(earlier: Attempt, later: Attempt): boolean {
    const reuse = this.#reuse.get(earlier);
    return (
      reuse !== undefined &&
      reuse.number <= later.number &&
      reuse.received >= earlier.replied &&
      reuse.entry.pipelined !== true &&
      !this.#pooled.has(earlier) &&
      !this.#isAsAfterSuccess(earlier, later)
    );
  }

  #isAsAfterSuccess(earlier: Attempt, later: Attempt): boolean {
    if (later.received - earlier.received < soonestCopyMs) return false;
    return [-1, 0, 1].some((more) => this.#afterSuccess.has(pauseOf(earlier, later, more)));
  }

  /**
   * Returns the other calls with the same request that may be copies of a slow read: the client may not have had a
   * response when it sent the later of both. It then uses one of the responses, and ignores the others. A client that
   * goes on to send the request does not send copies.
   */
  copiesOf(attempt: Attempt): readonly Attempt[] {
    const copies = [
      ...this.#run(attempt, (one) => this.#before.get(one)),
      ...this.#run(attempt, (one) => this.#after.get(one)),
    ];
    const all = [attempt, ...copies].toSorted((one, other) => one.number - other.number);
    const [first, last] = [all[0] ?? attempt, all.at(-1) ?? attempt];
    return all.length > mostCopies || last.received - first.received > copiesMs ? [] : copies;
  }

  /** Returns the calls in one direction that may be copies, and one more if there are too many. */
  #run(attempt: Attempt, neighbor: (one: Attempt) => Attempt | undefined): readonly Attempt[] {
    const found: Attempt[] = [];
    for (let [one, next] = [attempt, neighbor(attempt)]; next !== undefined; next = neighbor(one)) {
      const [earlier, later] = next.number < one.number ? [next, one] : [one, next];
      if (later.received - earlier.received > copiesMs || this.isProven(earlier, later)) break;
      found.push(next);
      if (found.length >= mostCopies) break;
      one = next;
    }
    return found;
  }
}

/** Identifies a sender and a pause, rounded so that like pauses are equal or neighbors. */
function pauseOf(before: Attempt, next: Attempt, more: number): string {
  const rounded = Math.floor(Math.log2(Math.max(0, waited(before, next)) + unevenMs));
  return `${rounded + more} ${senderOf(next)}`;
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
 * first repeats may be copies of a slow read, so only later ones count. `repeats` are all that followed a certain
 * response, and `wrong` those that a client with the response would not have sent.
 */
export function certainlyInformed(
  repeats: readonly Repeat[],
  wrong: ReadonlySet<Repeat>,
): ReadonlySet<string> {
  /** The call that each wrong one repeated. */
  const repeated = new Map([...wrong].map(({ asked, next }) => [next, asked]));
  const counts = new Map<string, { all: number; wrong: number }>();
  for (const repeat of repeats) {
    if (!follows(repeat.asked, repeated)) continue;
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

/**
 * Whether a call was a wrong repeat that was no copy of a slow read: it came too soon after the call that it
 * repeated, or that was a wrong repeat, too.
 */
function follows(asked: Attempt, repeated: ReadonlyMap<Attempt, Attempt>): boolean {
  const before = repeated.get(asked);
  return before !== undefined && (asked.received - before.received < soonestCopyMs || repeated.has(before));
}
