import { groupBy } from '../../base/group-by.ts';
import type { Attempt } from '../attempt.ts';
import { seconds, type Breach, type Check } from '../check.ts';

/**
 * A connection is idle for certain if it has had no request for this time before another one opens: a busy
 * machine may open the connections of a burst one after another…
 */
const idleMs = 500;

/** … and gets none, and stays open, for this time after. */
const neglectedMs = 1000;

/** Clients may close idle connections after a few seconds, and then do not use them. */
const keptMs = 4000;

/** Fewer unneeded connections prove nothing: several programs may be running. */
const fewest = 20;

/** Fewer may come from a pool of workers that have made one call each. */
const fewestCertain = 60;

/** The share of single-call connections that shows that a client opens one for each call. */
const single = 0.8;

export const connectionReuse: Check = {
  check: 'connection-reuse',
  title: 'Reuses connections',
  rule: `The client must not open many connections that it does not need. A new connection is unneeded if another one has been idle for ${seconds(idleMs)} to ${seconds(keptMs)} of real time, and the client neither uses nor closes that one within the next ${seconds(neglectedMs)}.`,
  details: [
    `The check fails if a scope has ${fewestCertain} or more unneeded connections, and ${single * 100} percent of all its connections had only one call.`,
    'Behind a proxy, the connections are those of the proxy. Several processes should not share a scope.',
  ],
  exceptions: [
    `${fewest} to ${fewestCertain - 1} unneeded connections in a scope, or ${fewest} or more without a scope. They may come from workers or tests.`,
    'Clients that close each connection. That is slower, but leaves nothing open.',
  ],
  basis: 'RFC 9112, section 9.3: persistent connections carry several requests.',
  strength: 'should',
  occasion: 'connections that were opened while others were open',
  exercise: 'lp-sandbox exec -- CMD',
  examine: ({ attempts, busy }) => {
    // They used connections, too.
    const all = [...attempts, ...busy].toSorted((one, other) => one.received - other.received);
    const byAddress = [...groupBy(all, ({ entry }) => entry.address).values()];
    const found = byAddress.map(connectionsOf);
    const occasions = found.flat().filter(({ calls }) => calls.length > 1).length;
    const unneeded = found.flatMap(breachOf);
    // Each test of a suite may have a client of its own.
    const byScope = byAddress.flatMap((own) => [...groupBy(own, ({ entry }) => entry.scope ?? '').values()]);
    const breaches = byScope
      .filter(([first]) => first?.entry.scope !== null)
      .flatMap((own) => breachOf(connectionsOf(own)))
      .filter(({ calls }) => calls.length >= fewestCertain);
    const result = { occasions: occasions + unneeded.length, breaches };
    if (breaches.length === unneeded.length) return result;
    const notJudged = `The client opened connections that it did not need, but without a scope, or fewer than ${fewestCertain} in one scope. Each may come from a worker or of a test.`;
    return { ...result, notJudged };
  },
};

/** A connection, with times in milliseconds of real time. */
interface Connection {
  readonly openedAt: number;
  /** Infinity if it is open. */
  readonly closedAt: number;
  readonly calls: readonly [Attempt, ...Attempt[]];
}

/** Returns the connections in the order in which they were opened. */
function connectionsOf(attempts: readonly Attempt[]): readonly Connection[] {
  const byName = groupBy(attempts, ({ entry }) => entry.connection + entry.connectionOpenedAt);
  const all = [...byName.values()].flatMap(([first, ...more]): readonly Connection[] => {
    if (first === undefined) return [];
    const last = more.at(-1) ?? first;
    return [
      {
        openedAt: Date.parse(first.entry.connectionOpenedAt),
        closedAt: Date.parse(last.entry.connectionClosedAt ?? '') || Infinity,
        calls: [first, ...more],
      },
    ];
  });
  return all.toSorted((one, other) => one.openedAt - other.openedAt);
}

function breachOf(connections: readonly Connection[]): readonly Breach[] {
  const unneeded = connections.filter((one, place) =>
    hasIdle(connections.slice(Math.max(0, place - maxCompared), place), one),
  );
  const singles = connections.filter(({ calls }) => calls.length === 1).length;
  const [first, ...more] = unneeded.map(({ calls: [call] }) => call);
  if (first === undefined || unneeded.length < fewest || singles < single * connections.length) return [];
  const message = `The client opened ${unneeded.length} connections while others were idle, and used ${singles} of ${connections.length} connections only once.`;
  return [{ message, calls: [first, ...more] }];
}

/** Earlier connections that are compared with each one: the newest are the most likely to be idle. */
const maxCompared = 50;

/** Whether one of the earlier connections was idle when this one was opened, and stayed so. */
function hasIdle(earlier: readonly Connection[], { openedAt }: Connection): boolean {
  return earlier.some(({ closedAt, calls }) => {
    if (closedAt <= openedAt + neglectedMs) return false;
    const next = calls.find(({ received }) => received >= openedAt);
    const last = calls.findLast(({ received }) => received < openedAt);
    if (last === undefined || !staysOpen(last)) return false;
    const idle = openedAt - last.replied;
    return idle >= idleMs && idle <= keptMs && (next?.received ?? Infinity) > openedAt + neglectedMs;
  });
}

/** Some faults end the connection, and after others the client may end it. */
function staysOpen({ ending, entry }: Attempt): boolean {
  return ending !== 'lost' && ending !== 'gone' && entry.faults.length === 0;
}
