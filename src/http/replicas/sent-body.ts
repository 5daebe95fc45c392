import type { ClientRequest, IncomingMessage } from 'node:http';
import { Share, type InFlight } from '../../sandbox/in-flight.ts';

/** A larger body cannot be sent a second time, in bytes: the largest body of a call. */
const maxKeptBytes = 10_485_760;

/** Smaller bodies do not count as large, in bytes. */
const smallBytes = 65_536;

/** The body of a request, which can be sent to several replicas one after another. */
export class SentBody {
  readonly #from: IncomingMessage;
  readonly #memory: Share;
  /** Null if it was too large, or if there was no memory for it. */
  #kept: Buffer[] | null = [];
  #bytes = 0;
  #to: ClientRequest | null = null;

  constructor(from: IncomingMessage, largeBodies: InFlight) {
    this.#from = from;
    this.#memory = new Share(largeBodies);
    from.on('data', (chunk: Buffer) => this.#add(chunk)).on('end', () => this.#to?.end());
  }

  /** Whether the whole body can be sent again. */
  get isKept(): boolean {
    return this.#kept !== null;
  }

  /** Sends what has arrived, and then what arrives. */
  sendTo(to: ClientRequest): void {
    this.#to = to;
    to.on('drain', () => this.#from.resume());
    for (const chunk of this.#kept ?? []) to.write(chunk);
    if (this.#from.readableEnded) to.end();
    else this.#from.resume();
  }

  /** Nobody reads it any more. */
  leave(): void {
    this.#to = null;
    this.#forget();
    this.#from.resume();
  }

  /** It is not sent again. */
  #forget(): void {
    this.#kept = null;
    this.#memory.end();
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const isLarge = this.#bytes > smallBytes;
    if (this.#bytes > maxKeptBytes || (isLarge && this.#kept !== null && !this.#memory.take(chunk.length)))
      this.#forget();
    this.#kept?.push(chunk);
    if (this.#to?.write(chunk) === false) this.#from.pause();
  }
}
