import { constants, createGzip, type Gzip } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler } from 'express';

/** Shorter responses are sent as they are: compressing them would take longer than it saves. */
export const minCompressedBytes = 16_384;

/** Compresses pages and their files, except parts of files: their positions are those of the whole file. */
export function compressedPages(): RequestHandler {
  return compression({
    threshold: minCompressedBytes,
    filter: (request, response) =>
      request.headers.range === undefined && compression.filter(request, response),
  });
}

/** Whether a response of the control plane may be compressed. */
export function wantsGzip(request: Request): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && request.acceptsEncodings('gzip') === 'gzip';
}

/**
 * Compresses a response part by part. The package `compression` does not report when the client has read
 * something, on which the memory for long responses depends.
 */
export class Compressor {
  readonly #gzip: Gzip;
  readonly #ready: Buffer[] = [];

  constructor(onFailed: () => void) {
    // The threads that compress also bring changes to the disk.
    this.#gzip = createGzip({ level: constants.Z_BEST_SPEED })
      .on('data', (bytes: Buffer) => this.#ready.push(bytes))
      .on('error', onFailed);
  }

  /** Returns what of the response is ready to be sent; nothing after `close`. */
  async compress(bytes: Buffer, isLast: boolean): Promise<Buffer> {
    if (this.#gzip.destroyed) return Buffer.alloc(0);
    await new Promise<void>((done) => {
      // It closes also if the client disconnects.
      if (isLast) this.#gzip.once('close', done).end(bytes);
      else this.#gzip.write(bytes, () => done());
    });
    return Buffer.concat(this.#ready.splice(0));
  }

  /** Frees the memory of a response that does not end. */
  close(): void {
    this.#gzip.destroy();
  }
}
