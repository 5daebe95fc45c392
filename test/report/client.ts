import { Agent, request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SandboxHandle } from '../../src/index.ts';
import { send } from '../support/send.ts';

/** How a client behaves. Each ill-behaved one of the tests differs from the good one in one of these. */
export interface Manners {
  readonly tries: number;
  /** Seconds before the next try, after so many failures. */
  readonly pause: (failures: number) => number;
  readonly heedsRetryAfter: boolean;
  /** What of a batch is sent again where a part of it failed. */
  readonly sendsAgain: 'what failed' | 'the whole batch';
  /** Whether a submission is sent again whose reply was lost. */
  readonly resubmits: boolean;
  /** Whether refusals for good are tried again too. */
  readonly repeatsRefusals: boolean;
  /** Whether it stops once its key is refused. */
  readonly stopsWithoutKey: boolean;
  /** Seconds between any two calls. */
  readonly pace: number;
  readonly keepsConnections: boolean;
  readonly query: string;
  /** What it adds to the parameters of each element. */
  readonly extras: object;
}

export const goodManners: Manners = {
  tries: 6,
  pause: (failures) => 2 ** failures,
  heedsRetryAfter: true,
  sendsAgain: 'what failed',
  resubmits: false,
  repeatsRefusals: false,
  stopsWithoutKey: true,
  pace: 1,
  keepsConnections: true,
  query: '',
  extras: {},
};

interface Reply {
  readonly status: number;
  readonly retryAfter: number | null;
  readonly outputs: readonly { readonly output?: { readonly status?: string } }[] | null;
}

/** No reply, or none that can be read. */
const lost: Reply = { status: 0, retryAfter: null, outputs: null };

/** A client of the service that waits on the sandbox's clock: a test takes no time for it. */
export class Client {
  readonly #sandbox: SandboxHandle;
  readonly #manners: Manners;
  readonly #agent: Agent;
  #isRefused = false;

  constructor(sandbox: SandboxHandle, manners: Manners) {
    this.#sandbox = sandbox;
    this.#manners = manners;
    this.#agent = new Agent({ keepAlive: manners.keepsConnections, maxSockets: 1 });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends elements, and does again what its manners say. */
  async send(operation: string, elements: readonly object[]): Promise<void> {
    const { tries, sendsAgain, repeatsRefusals, stopsWithoutKey } = this.#manners;
    let left = elements.map((element) => ({ ...element, ...this.#manners.extras }));
    for (let failures = 0; failures < tries && left.length > 0; failures += 1) {
      if (this.#isRefused && stopsWithoutKey) return;
      const reply = await this.#once(operation, left);
      await this.#wait(this.#manners.pace);
      if (reply.status === 401) this.#isRefused = true;
      if (reply.outputs !== null && reply.status === 200) {
        const failed = left.filter((_, index) => reply.outputs?.[index]?.output?.status !== 'ok');
        // An element that fails alone is refused for good, as far as anybody can tell.
        if (failed.length === left.length && !repeatsRefusals) return;
        left = failed.length > 0 && sendsAgain === 'the whole batch' ? left : failed;
      } else if (!this.#mayRepeat(operation, reply)) return;
      await this.#waitAfter(reply, failures);
    }
  }

  #mayRepeat(operation: string, { status }: Reply): boolean {
    const { repeatsRefusals, resubmits } = this.#manners;
    const mayPass = status === 0 || status === 429 || status >= 500;
    const isUnknown = status === 0 || status === 500 || status === 502 || status === 504;
    if (!mayPass) return repeatsRefusals;
    return operation !== 'submit-user-course-item' || !isUnknown || resubmits;
  }

  async #waitAfter({ retryAfter, outputs, status }: Reply, failures: number): Promise<void> {
    const { pause, heedsRetryAfter } = this.#manners;
    if (status === 200 && outputs !== null) return;
    await this.#wait(Math.max(pause(failures), heedsRetryAfter ? (retryAfter ?? 0) : 0));
  }

  async #wait(seconds: number): Promise<void> {
    if (seconds > 0) await this.#sandbox.clock.advance({ seconds });
  }

  /** One call. Whatever holds its reply up is over at once: the clock moves on until the reply is there. */
  async #once(operation: string, elements: readonly object[]): Promise<Reply> {
    const reply = this.#exchange(operation, elements);
    // Most replies are there after a few turns of this thread; only for others is it worth to ask the server.
    for (let turns = 0; turns < 50; turns += 1)
      if (await Promise.race([reply.then(() => true), nextTurn(false)])) return reply;
    // A reply that does not wait arrives within a few turns.
    for (let turns = 0; await this.#isPending(reply); turns += 1) {
      if (turns > 20) await this.#sandbox.clock.advance({ seconds: 1 });
    }
    return reply;
  }

  /** Asking the server something is a turn in which it gets on with the rest. */
  #isPending(reply: Promise<Reply>): Promise<boolean> {
    const turn = send(`${this.#sandbox.baseUrl}/healthz`).then(() => true);
    return Promise.race([turn, reply.then(() => false)]);
  }

  #exchange(operation: string, elements: readonly object[]): Promise<Reply> {
    return new Promise((done) => {
      const sent = request(
        `${this.#sandbox.baseUrl}/public/${operation}${this.#manners.query}`,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            'SERVICE-API-KEY': this.#sandbox.apiKey('riverside'),
            'Content-Type': 'application/json',
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.once('error', () => done(lost));
          response.once('end', () =>
            done(read(response.statusCode ?? 0, response.headers['retry-after'], text)),
          );
        },
      );
      sent.once('error', () => done(lost));
      sent.end(JSON.stringify({ data: elements.map((data) => ({ data })) }));
    });
  }
}

function read(status: number, retryAfter: string | undefined, text: string): Reply {
  let outputs: unknown;
  try {
    outputs = JSON.parse(text);
  } catch {
    outputs = null;
  }
  // What the service answers, as far as it is a list.
  const list = Array.isArray(outputs) ? (outputs as NonNullable<Reply['outputs']>) : null;
  return {
    status: status === 200 && list === null ? 0 : status,
    retryAfter: retryAfter === undefined ? null : Number(retryAfter),
    outputs: list,
  };
}
