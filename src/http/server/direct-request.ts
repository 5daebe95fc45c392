import { IncomingMessage } from 'node:http';
import { stopwatch } from '../../sandbox/clock.ts';
import type { InFlight } from '../../sandbox/in-flight.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ConnectionTimes } from '../../sandbox/journal-entry.ts';
import type { DirectResponse } from './direct-response.ts';
import { unread, type ReadBody } from './read-body.ts';
import type { ReadingTurns } from './reading-turns.ts';
import type { SlowBodies } from './slow-bodies.ts';
import { finish, giveBack, isSmallPart, maxBytes, take, type Taking } from './taken-body.ts';

/** Where a request is from. */
export interface ClientAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * A request whose body can be read directly from the parser, because a stream would cost as much time as
 * processing the call. Until `takeBody` is called, it is an ordinary request.
 */
export class DirectRequest extends IncomingMessage {
  #taking: Taking | null = null;
  #isLeft = false;
  #connection: ConnectionTimes | null = null;
  /** The response before its own, if that was not sent when this request began to arrive. */
  previous: DirectResponse | null = null;
  /** What preceded the path in its target, such as `http://user@host`. */
  authority = '';
  /** The client, if another replica has forwarded its request. */
  forwardedFor: ClientAddress | null = null;
  /** Limits how much of all connections is read at once. */
  reading: ReadingTurns | null = null;
  /** The sandbox that `hold` keeps in memory. */
  #held: Pick<Sandbox, 'begin' | 'finish'> | null = null;

  /** Keeps a sandbox in memory until the request is processed, or its client has gone. */
  hold(sandbox: Pick<Sandbox, 'begin' | 'finish'>): void {
    sandbox.begin();
    this.#held = sandbox;
  }

  /** Ends what `hold` began. Static, because express replaces the prototype of a request. */
  static release(request: DirectRequest): void {
    const held = request.#held;
    request.#held = null;
    held?.finish();
  }

  /** Instead of a listener for each request, which would cost a read as much as its journal entry. */
  override destroy(error?: Error): this {
    DirectRequest.release(this);
    return super.destroy(error);
  }

  /** When its connection was opened and closed. */
  get connectionTimes(): ConnectionTimes {
    return (this.#connection ??= { openedMs: stopwatch(), closedMs: null });
  }

  set connectionTimes(times: ConnectionTimes) {
    this.#connection = times;
  }

  /** Returns a header by its lower-case name; several headers of a name are joined. */
  header(name: string): string | undefined {
    const value: unknown = this.headers[name];
    if (typeof value === 'string' || value === undefined) return value;
    // `__proto__` is not a header, but every object has this property.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  /**
   * Calls back once with the whole body, or never if the client disconnects. `inFlight` counts the bytes of
   * large bodies meanwhile, and `slow` those of small ones that do not arrive at once.
   */
  takeBody(
    { inFlight, slow }: { readonly inFlight: InFlight; readonly slow: SlowBodies },
    done: (body: ReadBody) => void,
  ): void {
    const declared = this.header('content-length');
    if (declared !== undefined && Number(declared) > maxBytes) done(unread(Number(declared), false));
    else
      this.#taking = {
        done,
        inFlight,
        slow,
        length: declared === undefined ? null : Number(declared),
        counted: 0,
        chunks: [],
        gathered: null,
        decoded: null,
        undecodedBytes: 0,
        bytes: 0,
        state: 'open',
      };
    if (this.readableLength > 0 || this.complete) this.#takeArrived();
    if (this.isWaiting) slow.expect(this);
  }

  /** Takes what has arrived before the body was wanted. */
  #takeArrived(): void {
    const chunk: unknown = this.read();
    if (chunk instanceof Buffer) this.push(chunk);
    if (this.complete) this.push(null);
  }

  /** Whether nothing of the body has arrived yet. */
  get isWaiting(): boolean {
    const taking = this.#taking;
    return taking?.state === 'open' && taking.bytes === 0 && !this.#isLeft && !this.destroyed;
  }

  /** Whether the client waits for `100 Continue` before it sends a body, and may send it. */
  awaitsContinue(): boolean {
    return expectsContinue(this) && Number(this.header('content-length') ?? 0) <= maxBytes;
  }

  /** Ignores the rest of the body. */
  leave(): void {
    this.#isLeft = true;
  }

  /** Whether the client uses HTTP/1.1 without `Connection: close`. */
  mayKeepConnection(): boolean {
    const connection = this.header('connection');
    return (
      this.httpVersionMinor === 1 && (connection === undefined || connection.toLowerCase() === 'keep-alive')
    );
  }

  /** Node drains an unread body after the reply. After `takeBody`, nothing is left to drain. */
  override resume(): this {
    return this.#taking?.state === 'complete' ? this : super.resume();
  }

  /** The parser calls this for every piece of the body, and with null at its end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    // The first chunk arrives with the request, which was counted.
    if (chunk !== null && this.#taking?.bytes !== 0) this.reading?.read(this.socket);
    if (this.#isLeft) return true;
    const taking = this.#taking;
    if (taking === null || taking.state === 'cut off') return super.push(chunk, encoding);
    if (chunk === null) {
      taking.slow.release(this);
      finish(taking);
      return true;
    }
    const isFirst = taking.counted === 0;
    take(taking, chunk);
    // If the client disconnects, release its incomplete body.
    if (isFirst && taking.counted > 0) this.once('close', () => giveBack(taking));
    if (isSmallPart(taking)) taking.slow.hold(this, chunk.length);
    else taking.slow.release(this);
    return true;
  }
}

/**
 * Whether the client waits for `100 Continue` before it sends a body. HTTP/1.0 has no such response. A function,
 * because express replaces the prototype of a request.
 */
export function expectsContinue({ httpVersionMinor, headers }: IncomingMessage): boolean {
  return httpVersionMinor === 1 && headers.expect !== undefined;
}
