import type { ClientRequest, IncomingMessage } from 'node:http';

/** A larger body cannot be sent a second time, in bytes: the largest body of a call. */
const maxKeptBytes = 10_485_760;

/** The body of a request, which can be sent to several replicas one after another. */
export class SentBody {
  readonly #from: IncomingMessage;
  #kept: Buffer[] | null = [];
  #bytes = 0;
  #to: ClientRequest | null = null;

  constructor(from: IncomingMessage) {
    this.#from = from;
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
    this.#kept = null;
    this.#from.resume();
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > maxKeptBytes) this.#kept = null;
    else this.#kept?.push(chunk);
    if (this.#to?.write(chunk) === false) this.#from.pause();
  }
}
