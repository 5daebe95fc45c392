import { IncomingMessage } from 'node:http';
import { stopwatch } from '../../sandbox/clock.ts';
import type { InFlight } from '../../sandbox/in-flight.ts';
import type { ConnectionTimes } from '../../sandbox/journal-entry.ts';
import { invalidByteIn, withoutMark } from '../../base/utf8.ts';
import { BodyText } from './body-text.ts';
import type { DirectResponse } from './direct-response.ts';
import { unread, type ReadBody } from './read-body.ts';
import type { ReadingTurns } from './reading-turns.ts';
import type { SlowBodies } from './slow-bodies.ts';

/** The maximum number of bytes read of a body: the largest option of the assumption `maxPayload`. */
const maxBytes = 10_485_760;

/** Bodies up to this size do not count as large, in bytes. */
const smallBytes = 65_536;

/** Bodies up to this size are decoded at once, in bytes. */
const quicklyDecoded = 1_048_576;

/** Chunks below the first size are combined, in buffers of at most the second size. */
const smallChunkBytes = 4096;
const maxGatheredBytes = 65_536;

/** Where a request is from. */
export interface ClientAddress {
  readonly address: string;
  readonly port: number;
}

/** A body that is being received. */
interface Taking {
  readonly done: (body: ReadBody) => void;
  readonly inFlight: InFlight;
  readonly slow: SlowBodies;
  /** As declared; null if it arrives in chunks. */
  readonly length: number | null;
  /** The number of bytes that count as in flight. */
  counted: number;
  chunks: Buffer[];
  /** The buffer in which the last chunks were combined; null if they were not. */
  gathered: { readonly bytes: Buffer; used: number } | null;
  /** The decoded part of a large body. */
  decoded: BodyText | null;
  undecodedBytes: number;
  bytes: number;
  state: 'open' | 'cut off' | 'complete';
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
  #release: (() => void) | null = null;

  /** Keeps a sandbox in memory until the request is processed, or its client has gone. */
  hold(release: () => void): void {
    this.#release = release;
    this.once('close', () => this.release());
  }

  release(): void {
    const release = this.#release;
    this.#release = null;
    release?.();
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

/** Whether more is to come of a body that does not count as large. */
function isSmallPart({ state, counted, bytes, length }: Taking): boolean {
  return state === 'open' && counted === 0 && bytes !== length;
}

function take(taking: Taking, chunk: Buffer): void {
  taking.bytes += chunk.length;
  const isWelcome = taking.bytes <= smallBytes || count(taking);
  if (isWelcome && taking.bytes <= maxBytes) {
    store(taking, chunk);
    taking.undecodedBytes += chunk.length;
    // A string that grows by a few characters at a time occupies many times its length.
    if (taking.bytes > quicklyDecoded && taking.undecodedBytes >= maxGatheredBytes) decode(taking);
    return;
  }
  taking.state = 'cut off';
  release(taking);
  giveBack(taking);
  taking.done(unread(taking.bytes, !isWelcome));
}

/** Stores a chunk. Small ones are combined, because each has a memory overhead. */
function store(taking: Taking, chunk: Buffer): void {
  const { chunks, gathered } = taking;
  if (chunks.length === 0 || chunk.length >= smallChunkBytes) {
    taking.gathered = null;
    chunks.push(chunk);
  } else if (gathered !== null && gathered.used + chunk.length <= gathered.bytes.length) {
    chunk.copy(gathered.bytes, gathered.used);
    gathered.used += chunk.length;
    chunks[chunks.length - 1] = gathered.bytes.subarray(0, gathered.used);
  } else {
    const bytes = Buffer.allocUnsafeSlow(
      Math.min(maxGatheredBytes, Math.max(4 * chunk.length, 2 * (gathered?.bytes.length ?? 0))),
    );
    chunk.copy(bytes);
    taking.gathered = { bytes, used: chunk.length };
    chunks.push(bytes.subarray(0, chunk.length));
  }
}

/** Decodes the received part, so that little is left to decode at the end. */
function decode(taking: Taking): void {
  const decoded = (taking.decoded ??= new BodyText());
  for (const chunk of taking.chunks) decoded.write(chunk);
  taking.chunks = [];
  taking.gathered = null;
  taking.undecodedBytes = 0;
}

/** Counts the received bytes of a large body. Returns false if there is no room. */
function count(taking: Taking): boolean {
  if (!taking.inFlight.take(taking.bytes - taking.counted)) return false;
  taking.counted = taking.bytes;
  return true;
}

/** Frees the memory of the received parts. */
function release(taking: Taking): void {
  taking.chunks = [];
  taking.gathered = null;
  taking.decoded = null;
}

function giveBack(taking: Taking): void {
  taking.inFlight.give(taking.counted);
  taking.counted = 0;
}

function finish(taking: Taking): void {
  taking.state = 'complete';
  const { bytes } = taking;
  if (taking.decoded !== null) decode(taking);
  const { text, invalidByte } = textOf(taking);
  // A connection references its last request until the next one arrives.
  release(taking);
  giveBack(taking);
  taking.done({ text: withoutMark(text), invalidByte, bytes, cutOff: false, isUnwelcome: false });
}

function textOf({ chunks, decoded, bytes }: Taking): Pick<ReadBody, 'text' | 'invalidByte'> {
  if (decoded !== null) return decoded.end();
  const [first] = chunks;
  const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes);
  return { text: whole.toString('utf8'), invalidByte: invalidByteIn(whole) };
}
