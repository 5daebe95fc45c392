import type { Attempt } from '../attempt.ts';
import { seconds, type Check } from '../check.ts';

/** For how long a connection is sure to be kept: the server does so longer, but not every client. */
const keptMs = 4000;

/** Fewer new connections say nothing. */
const fewest = 5;

export const connectionReuse: Check = {
  check: 'connection-reuse',
  title: 'Reuses connections',
  rule:
    `Where a connection of the same address has been at rest for less than ${seconds(keptMs)} of real time, and nothing broke it, a call takes one that is there. Less than ${fewest} new connections in such a place, ` +
    'or fewer than calls that took one that was there, are tolerated: several programs may be at work. Behind a proxy these are the connections of the proxy.',
  occasion: 'calls that found a connection at rest',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts }) => {
    const { reused, opened } = tally(attempts);
    const [first, ...more] = opened;
    const isBroken = first !== undefined && opened.length >= fewest && opened.length > reused;
    const message = `It opened ${opened.length} connections while others were at rest, and took one that was there ${reused} times.`;
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

/** How the calls that found a connection at rest came: over one that was there, or over a new one. */
function tally(attempts: readonly Attempt[]): { readonly reused: number; readonly opened: readonly Attempt[] } {
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
    // What is that old is closed.
    if (now - repliedAt > keptMs) open.delete(name);
    else if (own === address && repliedAt <= now) return true;
  }
  return false;
}

/** Some faults end the connection, and others may have the client do so. */
function staysOpen({ ending, entry }: Attempt): boolean {
  return ending !== 'lost' && ending !== 'gone' && entry.faults.length === 0;
}
