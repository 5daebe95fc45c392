import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Body } from './messages.ts';

/** A body as text, or the reason why there is none: the body is wrong, or it could not be read. */
export type BodyText = { readonly text: string } | { readonly wrong: string } | { readonly unread: string };

/** Maximum size of a decompressed body in bytes: a small body may expand to any size. */
const maxBytes = 64 * 1024 * 1024;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: maxBytes }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: maxBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: maxBytes }),
  deflate: inflated,
  identity: (bytes) => bytes,
};

/** Returns the text of a body, decompressed according to its Content-Encoding. Leaves the body itself unchanged. */
export function bodyText({ bytes, rest }: Body, encoding: string | undefined): BodyText {
  if (rest !== null) return { unread: 'is too large to check' };
  const encodings = (encoding ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || []);
  let plain = bytes;
  for (const name of encodings.toReversed()) {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decode === undefined) return { unread: `is encoded as ${JSON.stringify(name)}, which the proxy does not support` };
    // Responses to HEAD, for example, have the header but no body.
    if (plain.length === 0) break;
    try {
      plain = decode(plain);
    } catch (error) {
      if (isTooLarge(error)) return { unread: 'is too large to check' };
      return { wrong: `is declared as ${JSON.stringify(name)}, but cannot be decompressed.` };
    }
  }
  return { text: plain.toString('utf8') };
}

/** Some send it with the zlib wrapper, as the standard requires, others without. */
function inflated(bytes: Buffer): Buffer {
  const options = { maxOutputLength: maxBytes };
  return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
