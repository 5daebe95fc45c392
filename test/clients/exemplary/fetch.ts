import { fetchSend } from '../kit/send-fetch.ts';
import type { Client } from '../kit/api.ts';
import { inGroups, pooled, serially, workDay, type Run } from '../kit/day.ts';
import {
  decorrelatedJitter,
  equalJitter,
  fullJitter,
  goodPolicy,
  retrying,
  type Pause,
} from '../kit/retry.ts';
import type { Exemplary } from '../spec.ts';

function client(pauses: (random: () => number) => Pause, run: Run): Client {
  return (context) =>
    workDay(context, retrying(fetchSend(context), context, goodPolicy(pauses(context.random))), run);
}

/** Each worker waits for the Retry-After of its own calls only, as the SDKs of many services do. */
function ownWaits(run: Run): Client {
  return (context) => {
    const policy = { ...goodPolicy(equalJitter(context.random)), sharesRetryAfter: false };
    return workDay(context, retrying(fetchSend(context), context, policy), run);
  };
}

export const fetchClients: readonly Exemplary[] = [
  {
    name: 'fetch-serial',
    is: "Node's fetch, one call after another, exponential backoff with equal jitter.",
    random: 'its pauses',
    run: client(equalJitter, serially),
  },
  {
    name: 'fetch-full-jitter',
    is: "Node's fetch, one call after another, backoff with full jitter.",
    random: 'its pauses',
    run: client(fullJitter, serially),
  },
  {
    name: 'fetch-decorrelated-jitter',
    is: "Node's fetch, one call after another, backoff with decorrelated jitter.",
    random: 'its pauses',
    run: client(decorrelatedJitter, serially),
  },
  {
    name: 'fetch-all-6',
    is: "`Promise.all` of 6 calls of Node's fetch at a time.",
    random: 'some pauses',
    run: client(equalJitter, inGroups(6)),
  },
  {
    name: 'fetch-all-10',
    is: "`Promise.all` of 10 calls of Node's fetch at a time, full jitter.",
    random: 'its pauses',
    run: client(fullJitter, inGroups(10)),
  },
  {
    name: 'fetch-all-20',
    is: "`Promise.all` of 20 calls of Node's fetch at a time, decorrelated jitter.",
    random: 'some pauses',
    run: client(decorrelatedJitter, inGroups(20)),
  },
  {
    name: 'fetch-pool-4',
    is: "A pool of 4 workers with Node's fetch; a Retry-After pauses the operation for all of them.",
    random: 'some pauses',
    run: client(equalJitter, pooled(4)),
  },
  {
    name: 'fetch-pool-8-own-waits',
    is: "A pool of 8 workers with Node's fetch; each waits only for the Retry-After of its own call.",
    random: 'some pauses',
    run: ownWaits(pooled(8)),
  },
];
