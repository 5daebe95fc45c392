import express, { type Request, type RequestHandler, type Response } from 'express';
import { defaultMemoryBytes } from '../base/amounts.ts';
import { ShortageError } from '../base/errors.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { weightOf } from '../base/weight.ts';
import { commonMemory, type InFlight } from '../sandbox/in-flight.ts';
import type { Slices } from '../sandbox/slices.ts';
import { MemoryQueue } from '../sandbox/memory-queue.ts';
import { readJson } from './read-json.ts';
import { expectsContinue } from './server/direct-request.ts';
import { lingerAtClose } from './server/linger.ts';
import { isGone, whenGone } from './server/when-gone.ts';

/** The media types of JSON bodies, including merge patches (RFC 7396). */
export const jsonTypes = ['application/json', 'application/merge-patch+json'];

/**
 * The bodies of requests to the control plane. Each counts toward a common limit, from its first byte to the
 * end of the response.
 */
export class ControlBodies {
  readonly #caps: ServerLimits;
  readonly #slices: Slices;
  readonly #memory: InFlight;
  readonly #heldBy = new WeakMap<Request, Held>();
  readonly #imports = new MemoryQueue(defaultMemoryBytes(512));
  readonly #import: Receiver;
  readonly #other: Receiver;

  constructor(caps: ServerLimits, slices: Slices) {
    this.#caps = caps;
    this.#slices = slices;
    this.#memory = commonMemory(caps.bodiesInFlightBytes);
    this.#import = receiverOf(caps.importBytes);
    this.#other = receiverOf(Math.min(caps.recordBytes, caps.importBytes));
  }

  /** Receives the body into memory. Passes a ShortageError to `next` if there is no room for it. */
  readonly receive: RequestHandler = (request, response, next) => {
    const held = new Held(this.#memory);
    this.#heldBy.set(request, held);
    whenGone(response, () => held.end());
    const { limit, receive } = isImport(request) ? this.#import : this.#other;
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > limit) {
      // The client need not send a body that is refused.
      response.set('Connection', 'close');
      lingerAtClose(request.socket);
      return next(new BodyTooLargeError(limit));
    }
    if (expectsContinue(request)) response.writeContinue();
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      // The rest of a body that is too large is received, but not stored.
      if (bytes > limit) held.end();
      else if (held.grow(chunk.length + bytesOfChunk)) return;
      // The body parser stops at an error of the request, and passes it on.
      else request.emit('error', this.#noRoom());
      request.off('data', count);
    };
    request.on('data', count).on('error', () => {});
    void receive(request, response, next);
  };

  /**
   * Parses the received body as JSON and calls `act` with it; an empty one is an object without members.
   * Returns null if the client disconnected.
   */
  async use<T>(request: Request, response: Response, act: (body: unknown) => Promise<T>): Promise<T | null> {
    // Express sets no body if the request has none.
    const sent: unknown = request.body;
    // A connection references its last request until the next one arrives.
    request.body = undefined;
    if (!Buffer.isBuffer(sent)) return act(sent);
    if (sent.length === 0) return act({});
    const held = this.#heldBy.get(request);
    held?.begin();
    try {
      if (isImport(request)) return await this.#useImport(sent, response, act);
      const body = await this.#slices.run(readJson(sent, this.#caps.recordValues, this.#caps.objectFields));
      if (held?.grow(typeof body === 'object' ? weightOf(body) : 0) === false) throw this.#noRoom();
      return await act(body);
    } finally {
      held?.finish();
    }
  }

  #useImport<T>(sent: Buffer, response: Response, act: (body: unknown) => Promise<T>): Promise<T | null> {
    return this.#imports.run(sent.length * memoryOfImport, async () =>
      isGone(response) ? null : act(await this.#slices.run(readJson(sent, null, this.#caps.objectFields))),
    );
  }

  #noRoom(): ShortageError {
    const message =
      'The control plane has no memory for this body in addition to those that it is handling. The request had no effect. Try again in 1 s.';
    return new ShortageError(message, 'bodiesInFlightBytes', this.#memory.shortage);
  }
}

/** Receives bodies of up to `limit` bytes. */
interface Receiver {
  readonly limit: number;
  readonly receive: RequestHandler;
}

function receiverOf(limit: number): Receiver {
  // The memory that a compressed body needs would be known too late.
  return { limit, receive: express.raw({ type: jsonTypes, inflate: false, limit }) };
}

/** The declared size of a body exceeds the limit. */
export class BodyTooLargeError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`The body has more than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** The memory that an import occupies per byte of its body: up to 20 bytes if it has many small values. */
const memoryOfImport = 20;

/** The additional memory of each chunk of a body. */
const bytesOfChunk = 200;

/** The memory that the body of one request occupies. */
class Held {
  readonly #memory: InFlight;
  #bytes = 0;
  #isInUse = false;
  #isOver = false;

  constructor(memory: InFlight) {
    this.#memory = memory;
  }

  /** Marks the body as in use, even if its client disconnects. */
  begin(): void {
    this.#isInUse = true;
  }

  finish(): void {
    this.#isInUse = false;
    if (this.#isOver) this.#giveBack();
  }

  /** Returns false if there is no room; then all memory of this body is released. */
  grow(bytes: number): boolean {
    const hasRoom = this.#memory.take(bytes);
    if (hasRoom) this.#bytes += bytes;
    else this.#giveBack();
    return hasRoom;
  }

  /** Ends the request: its response was sent, or its client disconnected. */
  end(): void {
    this.#isOver = true;
    if (!this.#isInUse) this.#giveBack();
  }

  #giveBack(): void {
    this.#memory.give(this.#bytes);
    this.#bytes = 0;
  }
}

function isImport({ method, path }: Request): boolean {
  return method === 'PUT' && /^\/control\/sandboxes\/[^/]+\/state\/?$/.test(path);
}
