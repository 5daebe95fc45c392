import type { InFlight } from '../../sandbox/in-flight.ts';
import { invalidByteIn, withoutMark } from '../../base/utf8.ts';
import { BodyText } from './body-text.ts';
import { unread, type ReadBody } from './read-body.ts';
import type { SlowBodies } from './slow-bodies.ts';

/** The maximum number of bytes read of a body: the largest option of the assumption `maxPayload`. */
export const maxBytes = 10_485_760;

/** Bodies up to this size do not count as large, in bytes. */
const smallBytes = 65_536;

/** Bodies up to this size are decoded at once, in bytes. */
const quicklyDecoded = 1_048_576;

/** Chunks below the first size are combined, in buffers of at most the second size. */
const smallChunkBytes = 4096;
const maxGatheredBytes = 65_536;

/** A body that is being received. */
export interface Taking {
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

/** Whether more is to come of a body that does not count as large. */
export function isSmallPart({ state, counted, bytes, length }: Taking): boolean {
  return state === 'open' && counted === 0 && bytes !== length;
}

export function take(taking: Taking, chunk: Buffer): void {
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

export function giveBack(taking: Taking): void {
  taking.inFlight.give(taking.counted);
  taking.counted = 0;
}

export function finish(taking: Taking): void {
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
