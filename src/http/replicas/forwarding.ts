import { request as send, type IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { after } from '../../sandbox/clock.ts';
import type { DirectRequest } from '../server/direct-request.ts';
import type { DirectResponse } from '../server/direct-response.ts';
import { isGone, whenGone } from '../server/when-gone.ts';
import { endToEnd } from '../hop-by-hop.ts';
import { forwardedHeader } from './forwarded.ts';
import type { SentBody } from './sent-body.ts';

/** The status with which a replica says that it does not own the sandbox (RFC 9110, 15.5.20). */
export const misdirected = 421;

/** The header of that response, which no other response has. */
export const notHereHeader = 'sandbox-not-here';

/** How long a connection to a replica may take, in milliseconds. */
const connectMs = 1000;

/** How often a replica is asked whether it lives, while it owes a response, in milliseconds. */
const checkMs = 1000;
/** A replica that misses this number of checks in a row is dead. An owner stops trusting its session sooner. */
const maxMissedChecks = 3;

/** What came of a forwarded request. Only after `answered` and `unknown`, the replica may have processed it. */
export type Outcome = 'answered' | 'not there' | 'unreachable' | 'unknown';

/** Forwards requests to other replicas, and their responses to the clients. */
export class Forwarder {
  readonly #agent: Promise<Agent>;
  readonly #secret: string;
  readonly #depose: (address: string) => Promise<void>;

  /** `depose` ends the ownership of a replica that owes a response and does not answer any more. */
  constructor(secret: string, depose: (address: string) => Promise<void>) {
    this.#secret = secret;
    this.#depose = depose;
    this.#agent = openAgent();
  }

  /** Ends the connections that are not in use: a kept one would delay the stop of the other replica. */
  close(): void {
    void this.#agent.then((agent) => agent.destroy());
  }

  /** Sends a request to a replica. Resolves when its response has begun, or none comes. */
  async exchange(
    address: string,
    request: DirectRequest,
    body: SentBody,
    response: DirectResponse,
  ): Promise<Outcome> {
    const agent = await this.#agent;
    const content = await body.next();
    if (isGone(response)) return 'unreachable';
    return new Promise((done) => {
      const passing = new Passing(response, done);
      const checks = this.#watch(address, () => passing.abort());
      passing.onSettled = () => checks.cancel();
      agent.dispatch(
        {
          origin: address,
          // Node accepts no other methods either.
          method: request.method as Dispatcher.HttpMethod,
          path: request.url ?? '/',
          headers: [...this.#headersOf(request)],
          body: content,
        },
        passing,
      );
    });
  }

  #headersOf({ socket, forwardedFor, rawHeaders }: DirectRequest): readonly string[] {
    const client = forwardedFor ?? { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    return [...endToEnd(rawHeaders, ['expect']), ...forwardedHeader(this.#secret, client)];
  }

  /** Asks a replica again and again whether it lives. */
  #watch(address: string, giveUp: () => void): { cancel(): void } {
    let missed = 0;
    let isOver = false;
    const check = (): void => {
      if (isOver) return;
      const asked = send(`${address}/healthz`, { agent: false, timeout: checkMs });
      asked.on('response', (reply) => {
        missed = 0;
        reply.resume();
        next = after(checkMs, check);
      });
      asked.on('timeout', () => asked.destroy(new Error('No answer.')));
      asked.on('error', () => {
        missed += 1;
        if (missed < maxMissedChecks) return check();
        // Afterwards, the next request is not sent to it again.
        void this.#depose(address).finally(giveUp);
      });
      asked.end();
    };
    let next = after(checkMs, check);
    return {
      cancel: () => {
        isOver = true;
        next.cancel();
      },
    };
  }
}

/** Loads the client only where there are other replicas. */
async function openAgent(): Promise<Agent> {
  const { Agent: Connections } = await import('undici');
  return new Connections({
    // Whether a replica that owes a response lives is asked separately.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectMs },
  });
}

/** Sends the response of a replica to the client, cut off where it is cut off. */
class Passing implements Dispatcher.DispatchHandler {
  readonly #response: DirectResponse;
  readonly #done: (outcome: Outcome) => void;
  #exchange: Dispatcher.DispatchController | null = null;
  /** Whether the response is sent to the client. */
  #isPassing = false;
  #isOver = false;
  /** The length of the body, if the replica says it. */
  #length: number | null = null;
  onSettled: () => void = () => {};

  constructor(response: DirectResponse, done: (outcome: Outcome) => void) {
    this.#response = response;
    this.#done = done;
    whenGone(response, () => this.abort());
  }

  abort(): void {
    if (!this.#isOver) this.#exchange?.abort(new Error('The response is not needed any more.'));
  }

  /** From here on, the replica may process the request. */
  onRequestStart(exchange: Dispatcher.DispatchController): void {
    this.#exchange = exchange;
    if (isGone(this.#response)) this.abort();
  }

  onResponseStart(
    exchange: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    if (status < 200) return;
    // A fault may have the same status.
    if (headers[notHereHeader] !== undefined) return this.#settle('not there');
    this.#settle('answered');
    if (isGone(this.#response)) return this.abort();
    this.#isPassing = true;
    this.#length = Number(headers['content-length'] ?? Number.NaN);
    this.#response.writeHead(status, statusText, [...endToEnd(textsOf(exchange.rawHeaders))]);
    this.#response.on('drain', () => exchange.resume());
  }

  onResponseData(exchange: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isPassing) return;
    // In one piece with the headers.
    if (chunk.length === this.#length) this.#response.end(chunk);
    else if (!this.#response.write(chunk)) exchange.pause();
  }

  onResponseEnd(): void {
    this.#isOver = true;
    if (this.#isPassing && !this.#response.writableEnded) this.#response.end();
  }

  onResponseError(): void {
    this.#isOver = true;
    if (this.#isPassing) this.#response.destroy();
    else this.#settle(this.#exchange === null ? 'unreachable' : 'unknown');
  }

  #settle(outcome: Outcome): void {
    this.onSettled();
    this.#done(outcome);
  }
}

/** Returns headers as Node has them: name, value, name, value … */
function textsOf(headers: Dispatcher.DispatchController['rawHeaders']): readonly string[] {
  return Array.isArray(headers) ? headers.map((one) => one.toString('latin1')) : [];
}
