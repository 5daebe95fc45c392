import { request as send } from 'node:http';
import { after, stopwatch } from '../../sandbox/clock.ts';
import { Soon } from '../../store/soon.ts';
import type { OpenExchange } from './outcome.ts';

/** A replica that owes a response for longer is asked whether it lives, in milliseconds. */
const slowMs = 500;

/** How long the answer may take, in milliseconds. */
const checkMs = 1000;

/** A replica that misses this number of checks in a row is dead. An owner stops trusting its session sooner. */
const maxMissedChecks = 3;

/** The requests for which replicas owe a response. A replica that does not answer any more is deposed. */
export class OwedResponses {
  readonly #depose: (address: string) => Promise<void>;
  /** By address; when they were sent. */
  readonly #open = new Map<string, Map<OpenExchange, number>>();
  readonly #asked = new Set<string>();
  /** One timer for all: each would cost its call more than the rest of this. */
  readonly #look = new Soon(slowMs, () => this.#askSlow());

  /** `depose` ends the ownership of a replica. */
  constructor(depose: (address: string) => Promise<void>) {
    this.#depose = depose;
  }

  add(address: string, exchange: OpenExchange): void {
    const known = this.#open.get(address);
    if (known === undefined) this.#open.set(address, new Map([[exchange, stopwatch()]]));
    else known.set(exchange, stopwatch());
    this.#look.request();
  }

  close(): void {
    this.#look.cancel();
  }

  /** Asks the replicas that owe a response for long whether they live. */
  #askSlow(): void {
    const since = stopwatch() - slowMs;
    for (const [address, exchanges] of this.#open) {
      for (const exchange of exchanges.keys()) if (exchange.isOver) exchanges.delete(exchange);
      if (exchanges.size === 0) this.#open.delete(address);
      else if ([...exchanges.values()].some((sent) => sent <= since)) this.#ask(address);
    }
    if (this.#open.size > 0) this.#look.request();
  }

  /** Asks a replica until it answers, or is deposed. */
  #ask(address: string): void {
    if (this.#asked.has(address)) return;
    this.#asked.add(address);
    let missed = 0;
    const ask = (): void => {
      const began = stopwatch();
      const asked = send(`${address}/healthz`, { agent: false, timeout: checkMs });
      asked.on('response', (reply) => {
        reply.resume();
        this.#asked.delete(address);
      });
      asked.on('timeout', () => asked.destroy(new Error('No answer.')));
      asked.on('error', ({ code }: NodeJS.ErrnoException) => {
        // It lives, but has as many connections as it can have.
        if (code === 'ECONNRESET') return void this.#asked.delete(address);
        missed += 1;
        // A replica that restarts refuses connections at once.
        if (missed < maxMissedChecks) after(Math.max(0, checkMs - (stopwatch() - began)), ask);
        else this.#giveUp(address);
      });
      asked.end();
    };
    ask();
  }

  #giveUp(address: string): void {
    const exchanges = [...(this.#open.get(address)?.keys() ?? [])];
    // Afterwards, the next request is not sent to it again.
    void this.#depose(address).finally(() => {
      this.#asked.delete(address);
      for (const exchange of exchanges) if (!exchange.isOver) exchange.abort();
    });
  }
}
