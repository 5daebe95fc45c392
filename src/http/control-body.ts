import express, { type Request, type RequestHandler, type Response } from 'express';
import { standardMemory } from '../base/amounts.ts';
import { BusyError } from '../base/errors.ts';
import type { ServerLimits } from '../base/server-limits.ts';
import { weightOf } from '../base/weight.ts';
import { InFlight } from '../sandbox/in-flight.ts';
import type { Slices } from '../sandbox/slices.ts';
import { Turn } from '../sandbox/turn.ts';
import { readingJson } from './read-json.ts';

/** A patch may be declared as what it is (RFC 7396). */
export const jsonTypes = ['application/json', 'application/merge-patch+json'];

/** The bodies of requests to the control plane. They are counted together, from the first byte to the end of the response. */
export class ControlBodies {
  readonly #caps: ServerLimits;
  readonly #slices: Slices;
  readonly #memory: InFlight;
  readonly #heldBy = new WeakMap<Request, Held>();
  readonly #importing = new Turn();
  readonly #receiveImport: RequestHandler;
  readonly #receiveOther: RequestHandler;

  constructor(caps: ServerLimits, slices: Slices) {
    this.#caps = caps;
    this.#slices = slices;
    this.#memory = new InFlight(Math.min(caps.bodiesInFlightBytes, standardMemory(256)));
    // What a compressed body takes up in memory would be known only when it is too late.
    const common = { type: jsonTypes, inflate: false };
    this.#receiveImport = express.raw({ ...common, limit: caps.importBytes });
    this.#receiveOther = express.raw({ ...common, limit: Math.min(caps.recordBytes, caps.importBytes) });
  }

  /** Receives the body into memory. Passes on BusyError if there is no room for it. */
  readonly receive: RequestHandler = (request, response, next) => {
    const held = new Held(this.#memory);
    this.#heldBy.set(request, held);
    response.once('close', () => held.end());
    const limit = isImport(request) ? this.#caps.importBytes : Math.min(this.#caps.recordBytes, this.#caps.importBytes);
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      // What is too large is received, but not stored.
      if (bytes > limit) held.end();
      else if (held.grow(chunk.length)) return;
      // The reader of the body stops at an error of the request, and passes it on.
      else request.emit('error', this.#noRoom());
      request.off('data', count);
    };
    if (Number(request.headers['content-length'] ?? 0) <= limit) request.on('data', count).on('error', () => {});
    const receive = isImport(request) ? this.#receiveImport : this.#receiveOther;
    void receive(request, response, next);
  };

  /** Reads the received body as JSON, and calls back with it; an empty one is an object without members. Only one import is in memory at a time. */
  async use<T>(request: Request, response: Response, act: (body: unknown) => Promise<T>): Promise<T | null> {
    // Without a body, express leaves this undefined.
    const sent: unknown = request.body;
    // A connection holds its last request until the next one comes.
    request.body = undefined;
    if (!Buffer.isBuffer(sent)) return act(sent);
    if (sent.length === 0) return act({});
    if (!isImport(request)) {
      const body = await this.#slices.run(readingJson(sent, this.#caps.recordValues));
      const weight = typeof body === 'object' ? weightOf(body) : 0;
      if (this.#heldBy.get(request)?.grow(weight) === false) throw this.#noRoom();
      return act(body);
    }
    const release = await this.#turn();
    try {
      return response.destroyed ? null : await act(await this.#slices.run(readingJson(sent, null)));
    } finally {
      release();
    }
  }

  #turn(): Promise<() => void> {
    return new Promise((done) => {
      if (this.#importing.isTaken) this.#importing.whenFree(() => done(this.#importing.take()));
      else done(this.#importing.take());
    });
  }

  #noRoom(): BusyError {
    return new BusyError(
      `This server is handling bodies of ${this.#memory.used} bytes for its control plane; the maximum is ${this.#memory.most} (bodiesInFlightBytes, or a quarter of the memory). Nothing of the request took effect. Try again in 1 s.`,
    );
  }
}

/** What the body of one request takes up in memory. */
class Held {
  readonly #memory: InFlight;
  #bytes = 0;

  constructor(memory: InFlight) {
    this.#memory = memory;
  }

  /** Returns false if there is no room; then nothing is held any more. */
  grow(bytes: number): boolean {
    const hasRoom = this.#memory.take(bytes);
    if (hasRoom) this.#bytes += bytes;
    else this.end();
    return hasRoom;
  }

  end(): void {
    this.#memory.give(this.#bytes);
    this.#bytes = 0;
  }
}

function isImport({ method, path }: Request): boolean {
  return method === 'PUT' && /^\/control\/sandboxes\/[^/]+\/state\/?$/.test(path);
}
