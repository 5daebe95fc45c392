import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox, type SandboxHandle } from '../../src/index.ts';
import { judgmentOf, type Judgment } from './accusations.ts';
import type { Client } from './kit/api.ts';
import { Deadline } from './kit/deadline.ts';
import type { Condition } from './spec.ts';

/** No run of a client takes longer. */
const longestMs = 220_000;

/** Small, because there are thousands: no requests and responses. */
export interface Outcome extends Judgment {
  readonly calls: number;
  /** What the client threw, in words; null if nothing. */
  readonly problem: string | null;
  /** How long this process did nothing else at most, in milliseconds: pauses look longer by as much. */
  readonly lagMs: number;
}

/** Notes when this process did not get round to its timers in time. */
export class LagMeter {
  readonly #everyMs = 20;
  readonly #late: { readonly at: number; readonly ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();

  constructor() {
    this.#timer = setInterval(() => {
      const at = performance.now();
      const ms = at - this.#last - this.#everyMs;
      if (ms > this.#everyMs) this.#late.push({ at, ms });
      this.#last = at;
    }, this.#everyMs);
  }

  mostSince(start: number): number {
    return Math.round(this.#late.reduce((most, { at, ms }) => (at < start ? most : Math.max(most, ms)), 0));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Runs a client once, in real time, against a server of its own: no connection is shared between runs. */
export async function play(
  client: Client,
  condition: Condition,
  seed: number,
  lag: LagMeter,
): Promise<Outcome> {
  const { scenario = null, rules = [], limits, prepare } = condition;
  const server = await startSandbox({ port: 0 });
  try {
    const sandbox = await server.createSandbox({ randomSeed: seed, scenario });
    for (const rule of rules) await sandbox.faults.add(rule);
    if (limits !== undefined) await sandbox.limits.set({ scale: limits });
    await prepare?.(sandbox);
    const started = performance.now();
    const limit = new Deadline(longestMs);
    const { signal } = limit;
    setMaxListeners(0, signal);
    const key = sandbox.apiKey('riverside');
    const problem = await client({ url: server.url, key, seed, signal, random: randomFrom(seed) }).then(
      () => null,
      (error: unknown) => (signal.aborted ? 'It took too long.' : wordsFor(error)),
    );
    limit.end();
    // What a client left behind when it hung up is journaled a little later.
    await sleep(50);
    const own = await judged(sandbox);
    // Calls without a key are in the journal of the default sandbox.
    const keyless = await judged(server.default);
    return {
      failed: [...own.failed, ...keyless.failed],
      advised: [...own.advised, ...keyless.advised],
      notJudged: [...own.notJudged, ...keyless.notJudged],
      accusations: [...own.accusations, ...keyless.accusations],
      calls: own.calls + keyless.calls,
      problem,
      lagMs: lag.mostSince(started),
    };
  } finally {
    await server.close();
  }
}

async function judged(sandbox: SandboxHandle): Promise<Judgment & { readonly calls: number }> {
  const [report, entries] = await Promise.all([sandbox.report(), sandbox.journal.list()]);
  return { ...judgmentOf({ report, entries }), calls: entries.length };
}

function wordsFor(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
}

/** mulberry32: small, and the same on all machines. */
function randomFrom(seed: number): () => number {
  let state = (seed * 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs tasks, so many at once, and starts them one after another. */
export async function atMost(
  count: number,
  everyMs: number,
  tasks: readonly (() => Promise<void>)[],
): Promise<void> {
  const rest = [...tasks];
  await Promise.all(
    Array.from({ length: Math.min(count, tasks.length) }, async (_, index) => {
      await sleep(index * everyMs);
      for (let task = rest.shift(); task !== undefined; task = rest.shift()) await task();
    }),
  );
}
