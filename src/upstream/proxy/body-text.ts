import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Body } from './messages.ts';

/** A body as text, or why it cannot be had: what is wrong with it, or that it is out of reach. */
export type BodyText = { readonly text: string } | { readonly wrong: string } | { readonly unread: string };

/** What a body may become when it is decompressed: a small one may hold the whole memory. In bytes. */
const maxBytes = 64 * 1024 * 1024;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: maxBytes }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: maxBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: maxBytes }),
  deflate: inflated,
  identity: (bytes) => bytes,
};

/** The text of a body, decompressed where `encoding`, its Content-Encoding, says so. The body itself stays as it is. */
export function bodyText({ bytes, rest }: Body, encoding: string | undefined): BodyText {
  if (rest !== null) return { unread: 'is too large to be checked' };
  const encodings = (encoding ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || []);
  let plain = bytes;
  for (const name of encodings.toReversed()) {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decode === undefined) return { unread: `is encoded as ${JSON.stringify(name)}, which is not read here` };
    // Replies such as those to HEAD have the header, but no body.
    if (plain.length === 0) break;
    try {
      plain = decode(plain);
    } catch (error) {
      if (isTooLarge(error)) return { unread: 'is too large to be checked' };
      return { wrong: `is declared as ${JSON.stringify(name)}, but cannot be decompressed.` };
    }
  }
  return { text: plain.toString('utf8') };
}

/** Some send it with the wrapper of zlib, as is right, and others without. */
function inflated(bytes: Buffer): Buffer {
  const options = { maxOutputLength: maxBytes };
  return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
