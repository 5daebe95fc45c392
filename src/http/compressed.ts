import { constants, createGzip, type Gzip } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler } from 'express';

/** Shorter responses are sent as they are: compressing them would take longer than it saves. */
export const minCompressedBytes = 16_384;

/** The types of YAML, which `compression` does not know. */
const yamlType = /^(?:application|text)\/(?:[\w.-]+\+)?(?:x-)?yaml\b/i;

/** Compresses pages and their files, except parts of files: their positions are those of the whole file. */
export function compressedPages(): RequestHandler {
  const compress = compression({
    threshold: minCompressedBytes,
    filter: (request, response) =>
      request.headers.range === undefined &&
      (yamlType.test(String(response.getHeader('Content-Type'))) || compression.filter(request, response)),
  });
  return (request, response, next) => {
    // Even if a response is short, a part, or "not modified": a cache must not take it for another one.
    response.vary('Accept-Encoding');
    compress(request.method === 'HEAD' ? asGet(request) : request, response, next);
  };
}

/** `compression` skips HEAD, but its response must have the headers of GET. Express and Node send no body then. */
function asGet(request: Request): Request {
  // Cast: it is the same request, except for its method.
  return Object.create(request, { method: { value: 'GET' } }) as Request;
}

/** Whether a response to a request could be compressed, for another client or a longer content. */
export function mayCompress({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a response of the control plane may be compressed. */
export function wantsGzip(request: Request): boolean {
  return mayCompress(request) && request.acceptsEncodings('gzip') === 'gzip';
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
