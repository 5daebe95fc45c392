import { unbracketed } from '../../base/unbracketed.ts';
import { connect, type Socket } from 'node:net';
import type { DirectResponse } from '../server/direct-response.ts';
import { connectMs, misdirected, notHereHeader, type OpenExchange, type Outcome } from './outcome.ts';

/** After this time without data, the system asks whether the other side is there, in milliseconds. */
const aliveMs = 10_000;

const endOfHead = '\r\n\r\n';

/** What begins like a response and has a longer head is passed on as it is, in bytes. */
const maxHeadBytes = 65_536;

/** A connection to a replica, for one call after another. */
export class RelayLine implements OpenExchange {
  readonly #socket: Socket;
  readonly #unused: (line: RelayLine) => void;
  #isConnected = false;
  #error: NodeJS.ErrnoException | null = null;
  #response: DirectResponse | null = null;
  #done: (outcome: Outcome) => void = nothing;
  #isSettled = true;
  /** What has arrived of an incomplete head. */
  #begun: Buffer | null = null;
  /** How much of the response is missing, in bytes; infinite if its end is that of the connection. Null before its head. */
  #rest: number | null = null;
  #isLast = false;
  /** For the owner of the line: whether nothing has used it since it looked. */
  isUnused = false;

  /** `unused` is called whenever another call can be sent. */
  constructor(address: string, unused: (line: RelayLine) => void) {
    const { hostname, port } = new URL(address);
    this.#unused = unused;
    const host = unbracketed(hostname);
    // A machine that is gone sends nothing, not even the end of a connection.
    const alive = { keepAlive: true, keepAliveInitialDelay: aliveMs };
    this.#socket = connect({ host, port: Number(port || 80), noDelay: true, ...alive });
    this.#socket
      .setTimeout(connectMs, () => this.#socket.destroy())
      .once('connect', () => {
        this.#isConnected = true;
        this.#socket.setTimeout(0);
      })
      .on('data', (bytes: Buffer) => this.#receive(bytes))
      .on('error', (error: NodeJS.ErrnoException) => (this.#error = error))
      .once('close', () => this.#closed());
  }

  get isOver(): boolean {
    return this.#response === null;
  }

  /** Whether a call can be sent: the replica has not ended the connection. */
  get isOpen(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded;
  }

  send(text: string, response: DirectResponse, done: (outcome: Outcome) => void): void {
    this.#response = response;
    this.#done = done;
    this.#isSettled = false;
    this.#rest = null;
    response.req.socket.once('close', this.#leave);
    this.#socket.write(text, 'latin1');
  }

  abort(): void {
    this.#settle('unknown');
    this.end();
  }

  end(): void {
    this.#socket.destroy();
  }

  /** The client has disconnected, which the replica must see as if it had been connected to it. */
  readonly #leave = (): void => {
    this.#settle('answered');
    this.#response = null;
    this.end();
  };

  #settle(outcome: Outcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#done(outcome);
  }

  #receive(bytes: Buffer): void {
    // Nothing is owed.
    if (this.#response === null) return this.end();
    if (this.#rest !== null) return this.#pass(this.#response, bytes);
    const begun = this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes]);
    this.#begun = null;
    const isResponse = begun.toString('latin1', 0, 7) === 'HTTP/1.'.slice(0, begun.length);
    const headBytes = isResponse ? begun.indexOf(endOfHead) + endOfHead.length : 0;
    if (isResponse && headBytes < endOfHead.length && begun.length < maxHeadBytes) {
      this.#begun = begun;
      return;
    }
    const head = begun.toString('latin1', 0, headBytes).toLowerCase();
    // A fault may have the same status.
    if (head.startsWith(`http/1.1 ${misdirected}`) && head.includes(`\r\n${notHereHeader}: `)) {
      this.#over();
      this.#settle('not there');
      return this.end();
    }
    this.#rest = isResponse ? headBytes + lengthIn(head) : Infinity;
    this.#isLast = head.includes('\r\nconnection: close\r\n');
    this.#settle('answered');
    this.#pass(this.#response, begun);
  }

  #pass(response: DirectResponse, bytes: Buffer): void {
    const rest = (this.#rest ?? 0) - bytes.length;
    this.#rest = rest;
    if (rest > 0) {
      if (response.sendPart(bytes, false)) return;
      this.#socket.pause();
      response.req.socket.once('drain', () => this.#socket.resume());
      return;
    }
    this.#over();
    response.sendPart(bytes, true);
    if (!this.#isLast && rest === 0) return this.#unused(this);
    response.req.socket.destroySoon();
    this.end();
  }

  /** The response is complete, or none comes. */
  #over(): void {
    this.#response?.req.socket.off('close', this.#leave);
    this.#response = null;
  }

  /** Ends the connection of the client as the replica has ended this one. */
  #closed(): void {
    const response = this.#response;
    this.#over();
    if (!this.#isConnected) return this.#settle('unreachable');
    if (response !== null) {
      const { socket } = response.req;
      if (this.#begun !== null) {
        response.sendPart(this.#begun, false);
        this.#settle('answered');
      }
      if (this.#error?.code === 'ECONNRESET') socket.resetAndDestroy();
      else socket.destroySoon();
    }
    this.#settle('unknown');
  }
}

/** Returns the length of the body from a head in lower case; infinite if the body ends with the connection. */
function lengthIn(head: string): number {
  const length = /\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /^http\/1\.\d (?:204|304) /.test(head) ? 0 : Infinity;
}

function nothing(): void {}
