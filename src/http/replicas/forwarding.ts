import { Agent, request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { after } from '../../sandbox/clock.ts';
import type { DirectRequest } from '../server/direct-request.ts';
import type { DirectResponse } from '../server/direct-response.ts';
import { isGone, whenGone } from '../server/when-gone.ts';
import { endToEnd } from '../hop-by-hop.ts';
import { KeptSockets } from '../connection/kept-sockets.ts';
import { forwardedHeader } from './forwarded.ts';
import { SentBody } from './sent-body.ts';

/** The status with which a replica says that it does not own the sandbox (RFC 9110, 15.5.20). */
export const misdirected = 421;

/** How often a replica is asked whether it lives, while it owes a response, in milliseconds. */
const checkMs = 1000;
/** A replica that does not answer so many checks one after another is dead. An owner does not trust its session for as long. */
const maxMissedChecks = 3;

/** What came of a forwarded request. Only after `answered` and `unknown`, the replica may have processed it. */
export type Outcome = 'answered' | 'not there' | 'unreachable' | 'unknown';

/** Forwards requests to other replicas, and their responses to the clients. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  readonly #secret: string;
  readonly #depose: (address: string) => Promise<void>;

  /** `depose` ends the ownership of a replica that owes a response and does not answer any more. */
  constructor(secret: string, depose: (address: string) => Promise<void>) {
    this.#secret = secret;
    this.#depose = depose;
    // So that no call is sent on a connection that the other replica is just closing.
    new KeptSockets(this.#agent);
  }

  /** Ends the connections that are not in use: a kept one would delay the stop of the other replica. */
  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request to a replica. Resolves when its response has begun, or none comes. */
  exchange(
    address: string,
    request: DirectRequest,
    body: SentBody,
    response: DirectResponse,
  ): Promise<Outcome> {
    return new Promise((done) => {
      const to = this.#open(address, request);
      const checks = this.#watch(address, to);
      const settle = (outcome: Outcome): void => {
        checks.cancel();
        done(outcome);
      };
      let isSent = false;
      to.on('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isSent = true));
        else isSent = true;
      });
      to.on('error', () => settle(isSent ? 'unknown' : 'unreachable'));
      to.on('response', (reply) => {
        if (reply.statusCode === misdirected) {
          reply.resume();
          return settle('not there');
        }
        settle('answered');
        pass(reply, response);
      });
      whenGone(response, () => to.destroy());
      body.sendTo(to);
    });
  }

  #open(address: string, request: DirectRequest): ClientRequest {
    const { socket, forwardedFor, headers, rawHeaders, method, url } = request;
    const client = forwardedFor ?? { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    const { hostname, port } = new URL(address);
    const isChunked = headers['transfer-encoding'] !== undefined;
    return send({
      agent: this.#agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: url,
      headers: [
        ...endToEnd(rawHeaders, ['expect']),
        ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
        ...forwardedHeader(this.#secret, client),
      ],
    });
  }

  /** Asks a replica again and again whether it lives. */
  #watch(address: string, to: ClientRequest): { cancel(): void } {
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
        void this.#depose(address).finally(() => to.destroy(new Error('The replica does not answer.')));
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

/** Sends the response of a replica to the client, cut off where it is cut off. */
function pass(reply: IncomingMessage, response: DirectResponse): void {
  if (isGone(response)) return void reply.destroy();
  const { statusCode = 0, statusMessage, rawHeaders } = reply;
  response.writeHead(statusCode, statusMessage, [...endToEnd(rawHeaders)]);
  reply.on('error', () => response.destroy()).on('aborted', () => response.destroy());
  reply.pipe(response);
}
