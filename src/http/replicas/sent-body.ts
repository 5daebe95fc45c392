import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Share, type InFlight } from '../../sandbox/in-flight.ts';

/** A larger body cannot be sent a second time, in bytes: the largest body of a call. */
const maxKeptBytes = 10_485_760;

/** Smaller bodies do not count as large, in bytes. They are sent when they are complete. */
const smallBytes = 65_536;

/** The body of a request, which can be sent to several replicas one after another. */
export class SentBody {
  readonly #from: IncomingMessage;
  readonly #memory: Share;
  /** Null if it was too large, or if there was no memory for it. */
  #kept: Buffer[] | null = [];
  #bytes = 0;
  /** What has arrived before it is sent for the first time. */
  #waiting: Buffer[] = [];
  #to: Readable | null = null;
  #isLeft = false;
  /** Called when the body is complete, or large. */
  #onKnown: (() => void) | null = null;

  constructor(from: IncomingMessage, largeBodies: InFlight) {
    this.#from = from;
    this.#memory = new Share(largeBodies);
    from.on('data', (chunk: Buffer) => this.#add(chunk)).on('end', () => this.#end());
  }

  /** Whether the whole body can be sent again. */
  get isKept(): boolean {
    return this.#kept !== null;
  }

  /** Resolves to what to send next: all that has arrived, and then what arrives. Null for nothing. */
  async next(): Promise<Buffer | Readable | null> {
    if (!this.#from.readableEnded && this.#bytes <= smallBytes)
      await new Promise<void>((done) => (this.#onKnown = done));
    const arrived = this.#kept ?? this.#waiting;
    this.#waiting = [];
    if (this.#from.readableEnded) return this.#bytes === 0 ? null : Buffer.concat(arrived);
    const to = new Readable({ read: () => void this.#from.resume() });
    for (const chunk of arrived) to.push(chunk);
    this.#to = to;
    return to;
  }

  /** Nobody reads it any more. */
  leave(): void {
    this.#isLeft = true;
    this.#to = null;
    this.#waiting = [];
    this.#forget();
    this.#from.resume();
    this.#onKnown?.();
  }

  /** It is not sent again. */
  #forget(): void {
    this.#kept = null;
    this.#memory.end();
  }

  #add(chunk: Buffer): void {
    if (this.#isLeft) return;
    this.#bytes += chunk.length;
    const isLarge = this.#bytes > smallBytes;
    if (this.#bytes > maxKeptBytes || (isLarge && this.#kept !== null && !this.#memory.take(chunk.length)))
      this.#forget();
    this.#kept?.push(chunk);
    if (this.#to === null) this.#waiting.push(chunk);
    if (this.#to === null ? isLarge : !this.#to.push(chunk)) this.#from.pause();
    if (isLarge) this.#onKnown?.();
  }

  #end(): void {
    this.#to?.push(null);
    this.#onKnown?.();
  }
}
