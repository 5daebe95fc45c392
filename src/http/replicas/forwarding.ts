import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import type { DirectRequest } from '../server/direct-request.ts';
import type { DirectResponse } from '../server/direct-response.ts';
import { isGone, whenGone } from '../server/when-gone.ts';
import { endToEnd, withoutHopByHop } from '../hop-by-hop.ts';
import { forwardedHeader } from './forwarded.ts';
import { connectMs, notHereHeader, type OpenExchange, type Outcome } from './outcome.ts';
import { OwedResponses } from './owed-responses.ts';
import { Relay, relayedText } from './relay.ts';
import type { SentBody } from './sent-body.ts';

/** Forwards requests to other replicas, and their responses to the clients. */
export class Forwarder {
  readonly #agent: Promise<Agent>;
  readonly #lines = new Relay();
  readonly #secret: string;
  readonly #owed: OwedResponses;

  /** `depose` ends the ownership of a replica that owes a response and does not answer any more. */
  constructor(secret: string, depose: (address: string) => Promise<void>) {
    this.#secret = secret;
    this.#owed = new OwedResponses(depose);
    this.#agent = openAgent();
  }

  /** Ends the connections that are not in use: a kept one would delay the stop of the other replica. */
  close(): void {
    void this.#agent.then((agent) => agent.destroy());
    this.#lines.close();
    this.#owed.close();
  }

  /**
   * Returns the text of a call that can be relayed, after which its body is gone; null for other requests.
   */
  relayed(request: DirectRequest, response: DirectResponse): string | null {
    return relayedText(request, response, this.#secretOf(request));
  }

  /** Relays a call to a replica. Resolves when its response has begun, or none comes. */
  relay(address: string, text: string, response: DirectResponse): Promise<Outcome> {
    return this.#lines.exchange(address, text, response, (exchange) => this.#owed.add(address, exchange));
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
      this.#owed.add(address, passing);
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

  /** The journal of the owner shows what the client has named in Connection, too. */
  #headersOf(request: DirectRequest): readonly string[] {
    return [...withoutHopByHop(request.rawHeaders, ['expect']), ...this.#secretOf(request)];
  }

  #secretOf({ socket, forwardedFor }: DirectRequest): readonly string[] {
    const client = forwardedFor ?? { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    return forwardedHeader(this.#secret, client);
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
class Passing implements Dispatcher.DispatchHandler, OpenExchange {
  readonly #response: DirectResponse;
  readonly #done: (outcome: Outcome) => void;
  #exchange: Dispatcher.DispatchController | null = null;
  /** Whether the response is sent to the client. */
  #isPassing = false;
  isOver = false;
  /** The length of the body, if the replica says it. */
  #length: number | null = null;

  constructor(response: DirectResponse, done: (outcome: Outcome) => void) {
    this.#response = response;
    this.#done = done;
    whenGone(response, () => this.abort());
  }

  abort(): void {
    if (!this.isOver) this.#exchange?.abort(new Error('The response is not needed any more.'));
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
    if (headers[notHereHeader] !== undefined) return this.#done('not there');
    this.#done('answered');
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
    this.isOver = true;
    if (this.#isPassing && !this.#response.writableEnded) this.#response.end();
  }

  onResponseError(): void {
    this.isOver = true;
    if (this.#isPassing) this.#response.destroy();
    else this.#done(this.#exchange === null ? 'unreachable' : 'unknown');
  }
}

/** Returns headers as Node has them: name, value, name, value … */
function textsOf(headers: Dispatcher.DispatchController['rawHeaders']): readonly string[] {
  return Array.isArray(headers) ? headers.map((one) => one.toString('latin1')) : [];
}
