import type { Attempt } from '../attempt.ts';
import { seconds, type Check } from '../check.ts';

/**
 * How long an idle connection is certainly open: the server keeps it open longer, but not every client does.
 */
const keptMs = 4000;

/** Fewer new connections prove nothing. */
const fewest = 5;

export const connectionReuse: Check = {
  check: 'connection-reuse',
  title: 'Reuses connections',
  rule:
    `If an idle connection from the same client address exists, a call must use it. The connection must be unbroken, and idle for less than ${seconds(keptMs)} of real time. The check tolerates fewer than ${fewest} unneeded new connections, ` +
    'or at most as many as reused ones, because several programs may be running. Behind a proxy, these are the connections of the proxy.',
  occasion: 'calls with an idle connection available',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts }) => {
    const { reused, opened } = tally(attempts);
    const [first, ...more] = opened;
    const isBroken = first !== undefined && opened.length >= fewest && opened.length > reused;
    const message = `The client opened ${opened.length} connections while others were idle, and reused one ${reused} times.`;
    return {
      occasions: opened.length >= fewest || reused > 0 ? opened.length + reused : 0,
      breaches: isBroken ? [{ message, calls: [first, ...more] }] : [],
    };
  },
};

interface Connection {
  readonly address: string;
  readonly repliedAt: number;
}

/**
 * Counts the calls with an idle connection available that reused one, and returns those that opened a new
 * one.
 */
function tally(attempts: readonly Attempt[]): {
  readonly reused: number;
  readonly opened: readonly Attempt[];
} {
  const known = new Set<string>();
  const open = new Map<string, Connection>();
  const opened: Attempt[] = [];
  let reused = 0;
  for (const attempt of attempts) {
    const { connection, address } = attempt.entry;
    if (known.has(connection)) reused += 1;
    else if (isSomeAtRest(open, address, attempt.received)) opened.push(attempt);
    known.add(connection);
    if (staysOpen(attempt)) open.set(connection, { address, repliedAt: attempt.replied });
    else open.delete(connection);
  }
  return { reused, opened };
}

function isSomeAtRest(open: Map<string, Connection>, address: string, now: number): boolean {
  for (const [name, { address: own, repliedAt }] of open) {
    // A connection that has been idle for this long is treated as closed.
    if (now - repliedAt > keptMs) open.delete(name);
    else if (own === address && repliedAt <= now) return true;
  }
  return false;
}

/** Some faults end the connection, and after others the client may end it. */
function staysOpen({ ending, entry }: Attempt): boolean {
  return ending !== 'lost' && ending !== 'gone' && entry.faults.length === 0;
}
