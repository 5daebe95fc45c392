import type { ServerResponse } from 'node:http';
import { after } from '../sandbox/clock.ts';
import { withoutPause, type SlicedWork } from '../base/sliced-work.ts';
import { InFlight } from '../sandbox/in-flight.ts';
import type { TextContent } from '../control/route.ts';
import type { Slices } from '../sandbox/slices.ts';
import { jsonPieces } from './json-pieces.ts';
import { textPieces } from './text-pieces.ts';
import { Compressor, minCompressedBytes } from './compressed.ts';
import { unreadMs } from './server/direct-response.ts';
import { isGone, whenGone } from './server/when-gone.ts';

/** Replies up to about this length, in characters, are sent as a whole. */
const wholeLength = 65_536;

/** How long a client may pause before the rest of its reply is buffered, in milliseconds. */
const pauseMs = 100;

/** The bytes of a reply that do not count as in flight, and the maximum size of its buffers. */
const uncountedBytes = 65_536;
const maxBufferedBytes = 33_554_432;

/** The maximum number of replies that wait for room in the buffers. */
const maxWaiting = 4;

/**
 * Sends JSON and text. Long content is written in pieces, as fast as the client reads. If the client
 * pauses, the rest is buffered, so that a slow client does not keep outdated state in memory. The buffers
 * count as replies in flight.
 */
export class PieceSender {
  readonly #slices: Slices;
  readonly #repliesInFlight: InFlight;
  readonly #waiting = new InFlight(maxWaiting);

  constructor(slices: Slices, repliesInFlight: InFlight) {
    this.#slices = slices;
    this.#repliesInFlight = repliesInFlight;
  }

  json(response: ServerResponse, status: number, content: unknown, isGzip: boolean): Promise<void> {
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return this.#send(response, jsonPieces(content), isGzip);
  }

  text(response: ServerResponse, { type, text }: TextContent, isGzip: boolean): Promise<void> {
    response.setHeader('Content-Type', type);
    return this.#send(response, textPieces(text, wholeLength), isGzip);
  }

  async #send(
    response: ServerResponse,
    pieces: Generator<string, void, void>,
    isGzip: boolean,
  ): Promise<void> {
    // This takes less than a slice, so a short reply need not wait for the long work of other requests.
    const first = withoutPause(gathering(pieces));
    if (isGone(response)) return;
    // A compressed record would need an entity tag of its own.
    const isCompressed = isGzip && first.bytes.length >= minCompressedBytes && !response.hasHeader('ETag');
    const compressor = isCompressed ? new Compressor(() => response.destroy()) : null;
    if (compressor !== null) {
      response.setHeader('Content-Encoding', 'gzip');
      whenGone(response, () => compressor.close());
    }
    if (first.isLast) {
      const bytes = (await compressor?.compress(first.bytes, true)) ?? first.bytes;
      // Meanwhile, a stopping server may have refused the request.
      if (isGone(response) || response.writableEnded) return;
      response.setHeader('Content-Length', bytes.length);
      return void response.end(bytes);
    }
    if (response.req.method === 'HEAD') return void response.end();
    const buffered = new Buffered(response, this.#repliesInFlight);
    let isReading = true;
    for (let part = first; ; part = await this.#slices.run(gathering(pieces))) {
      const bytes = (await compressor?.compress(part.bytes, part.isLast)) ?? part.bytes;
      if (!buffered.hasRoomFor(bytes.length)) await this.#untilRead(response);
      if (isGone(response) || response.writableEnded) return;
      const canTakeMore = buffered.write(bytes);
      if (part.isLast) return void response.end();
      if (canTakeMore || !response.writableNeedDrain) isReading = true;
      else if (isReading) isReading = await drained(response, pauseMs);
    }
  }

  /**
   * Only a few replies may wait with their content in memory. The others are cut off, and so are clients that
   * read nothing.
   */
  async #untilRead(response: ServerResponse): Promise<void> {
    if (!this.#waiting.take(1)) return void response.destroy();
    await drained(response, null);
    this.#waiting.give(1);
  }
}

/** The part of a reply that the client has not read. */
class Buffered {
  readonly #response: ServerResponse;
  readonly #repliesInFlight: InFlight;
  #bytes = 0;
  #counted = 0;
  #isClosed = false;

  constructor(response: ServerResponse, repliesInFlight: InFlight) {
    this.#response = response;
    this.#repliesInFlight = repliesInFlight;
    response.setTimeout(unreadMs);
    whenGone(response, () => {
      this.#count(0);
      this.#isClosed = true;
    });
  }

  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= maxBufferedBytes && this.#count(this.#bytes + bytes);
  }

  /** Returns whether the client reads fast enough. */
  write(bytes: Buffer): boolean {
    this.#bytes += bytes.length;
    return this.#response.write(bytes, () => {
      this.#bytes -= bytes.length;
      this.#count(this.#bytes);
    });
  }

  #count(bytes: number): boolean {
    if (this.#isClosed) return true;
    const counted = Math.max(0, bytes - uncountedBytes);
    if (counted > this.#counted && !this.#repliesInFlight.take(counted - this.#counted)) return false;
    if (counted < this.#counted) this.#repliesInFlight.give(this.#counted - counted);
    this.#counted = counted;
    return true;
  }
}

interface Part {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

function* gathering(pieces: Generator<string, void, void>): SlicedWork<Part> {
  let text = '';
  while (text.length < wholeLength) {
    const piece = pieces.next();
    if (piece.done === true) return { bytes: Buffer.from(text, 'utf8'), isLast: true };
    text += piece.value;
    yield;
  }
  return { bytes: Buffer.from(text, 'utf8'), isLast: false };
}

/**
 * Resolves with true when the client has read everything written, or has disconnected; with false after a
 * timeout.
 */
function drained(response: ServerResponse, longestMs: number | null): Promise<boolean> {
  return new Promise((done) => {
    const finish = (hasRead: boolean): void => {
      deadline?.cancel();
      response.off('drain', read);
      response.req.socket.off('close', read);
      done(hasRead);
    };
    const read = (): void => finish(true);
    const deadline = longestMs === null ? null : after(longestMs, () => finish(false));
    response.once('drain', read);
    response.req.socket.setMaxListeners(0).once('close', read);
  });
}
