import {
  Agent,
  createServer as createProxy,
  request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Send } from '../kit/api.ts';
import { Day, workDay } from '../kit/day.ts';
import * as ids from '../kit/ids.ts';
import { equalJitter, goodPolicy, retrying } from '../kit/retry.ts';
import { fetchSend } from '../kit/send-fetch.ts';
import type { Exemplary } from '../spec.ts';
import { hedged } from './situations.ts';

/** How long the network delays part of a response, in milliseconds; or it loses that part and all that follows. */
type Fate = number | 'lost';

function network(port: number, fateOf: (part: number) => Fate): Server {
  let parts = 0;
  return createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isLost = false;
    let sent = Promise.resolve();
    const deliver = async (before: Promise<void>, part: Buffer, delayMs: number): Promise<void> => {
      await before;
      await sleep(delayMs);
      near.write(part);
    };
    near.pipe(far);
    far.on('data', (part) => {
      parts += 1;
      const fate = fateOf(parts);
      if (fate === 'lost') isLost = true;
      else if (!isLost) sent = deliver(sent, part, fate);
    });
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => void sent.then(() => near.destroy()));
  });
}

/**
 * A proxy that keeps its connections, and delays or loses responses as the network to its clients would. `via` is the header
 * that it adds.
 */
function pool(port: number, via: object, fateOf: (part: number) => Fate): Server {
  const agent = new Agent({ keepAlive: true });
  let parts = 0;
  const deliver = async (response: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await text(response);
    parts += 1;
    const fate = fateOf(parts);
    if (fate === 'lost') return;
    await sleep(fate);
    reply.writeHead(response.statusCode ?? 502, response.headers).end(body);
  };
  const proxy = createProxy((near, reply) => {
    const headers = { ...near.headers, ...via };
    const options = { port, path: near.url, method: near.method, headers, agent };
    const far = request(options, (response) => {
      // The service may cut off a response, too.
      deliver(response, reply).catch(() => reply.destroy());
    });
    far.on('error', () => reply.destroy());
    near.pipe(far);
  });
  proxy.on('close', () => {
    agent.destroy();
  });
  return proxy;
}

/** Runs a client as one scope behind a network or proxy of its own. */
function behind(open: (port: number) => Server, run: Client): Client {
  return async (context) => {
    const proxy = open(Number(new URL(context.url).port));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('The network has no port.');
    const url = `http://127.0.0.1:${address.port}`;
    try {
      await run({ ...context, url, key: `${context.key}_run` });
    } finally {
      proxy.close();
    }
  };
}

const hedgesSoon: Client = (context) => {
  const plain = fetchSend(context);
  const hedging = hedged(plain, 300);
  const either: Send = (operation, elements, signal) =>
    operation.startsWith('get-') ? hedging(operation, elements) : plain(operation, elements, signal);
  return workDay(context, retrying(either, context, goodPolicy(equalJitter(context.random))));
};

/** Sends three copies of each read, and takes the first success. Each read is worth one such try. */
const sendsThreeCopies: Client = async (context) => {
  const send = fetchSend(context);
  const day = new Day(context);
  for (const courseItemId of ids.manyItems) {
    const copies = [0, 1, 2].map(async (copy) => {
      await sleep(copy * 35);
      return await send('get-course-item-data', [{ courseItemId }]);
    });
    // The last reason is as good as the others.
    await day.attempt(() => Promise.any(copies).catch(() => copies[2]));
    await sleep(300 + 400 * context.random());
  }
};

const timesOut: Client = (context) => {
  const send = fetchSend(context, { timeoutMs: 5000 });
  return workDay(context, retrying(send, context, goodPolicy(equalJitter(context.random))));
};

const quarterSlow = (part: number): Fate => (part % 4 === 0 ? 700 : 0);
const allSlow = (): Fate => 80;
const thirdLost = (part: number): Fate => (part % 3 === 0 ? 'lost' : 0);

const unavailable = { fault: 'http-error', with: { status: 503 } } as const;

export const networks: readonly Exemplary[] = [
  {
    name: 'hedged-reads-on-a-slow-network',
    is: 'Sends a read once more after 300 ms; some of the responses take 700 ms to arrive.',
    random: 'some pauses',
    run: behind((port) => network(port, quarterSlow), hedgesSoon),
  },
  {
    name: 'three-copies-on-a-slow-network',
    is: 'Sends three copies of a read 35 ms apart, because all responses take 80 ms to arrive.',
    random: 'some pauses',
    only: [
      { name: 'the first 70 calls fail', rules: [{ ...unavailable, when: { first: 70 } }] },
      { name: 'long-outage', scenario: 'long-outage' },
    ],
    run: behind((port) => network(port, allSlow), sendsThreeCopies),
  },
  {
    name: 'lost-responses',
    is: 'Waits 5 s for a response, behind a network that loses some of them.',
    random: 'some pauses',
    run: behind((port) => network(port, thirdLost), timesOut),
  },
  {
    name: 'hedged-reads-behind-a-pool',
    is: 'Sends a read once more after 300 ms, through a load balancer that keeps its connections and adds X-Forwarded-For.',
    random: 'some pauses',
    run: behind((port) => pool(port, { 'x-forwarded-for': '192.0.2.1' }, quarterSlow), hedgesSoon),
  },
  {
    name: 'lost-responses-behind-a-pool',
    is: 'Waits 5 s for a response, through a proxy that keeps its connections, on a network that loses some of them.',
    random: 'some pauses',
    run: behind((port) => pool(port, {}, thirdLost), timesOut),
  },
];
