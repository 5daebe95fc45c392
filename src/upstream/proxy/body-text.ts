import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { decodedText, firstInvalidByte, notUtf8 } from '../../base/utf8.ts';
import { weightOfText } from '../../base/weight.ts';
import type { Share } from '../../sandbox/in-flight.ts';
import type { MemoryQueue } from '../../sandbox/memory-queue.ts';
import type { Slices } from '../../sandbox/slices.ts';
import { maxHeldBytes, type Body } from './messages.ts';

/** A body as text, or the reason why there is none: the body is wrong, or it could not be read. */
export type BodyText = { readonly text: string } | { readonly wrong: string } | { readonly unread: string };

/**
 * The maximum number of compressions of one body. More are not decompressed, because each takes as long as
 * the first.
 */
const maxLayers = 2;

/** The maximum size of the result of gzip and deflate, in times the compressed size. */
const maxRatio = 1032;

/** Texts up to this size, in characters, do not count as held. */
const uncountedChars = 32_768;

const options = { maxOutputLength: maxHeldBytes };
const decoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, options),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, options),
  br: (bytes) => promisify(brotliDecompress)(bytes, options),
  deflate: (bytes) => promisify(inflaterOf(bytes))(bytes, options),
};

/** Returns how to decompress deflate: some send it in zlib format, as the standard requires, others raw. */
export function inflaterOf(bytes: Buffer): typeof inflate {
  return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw;
}

const tooLarge: BodyText = { unread: 'is too large to check' };
const noRoom: BodyText = { unread: 'was not checked, because the proxy was handling too many large bodies' };

/**
 * Returns the text of a body, decompressed according to its Content-Encoding. Leaves the body itself
 * unchanged.
 */
export async function bodyText(
  body: Body,
  encoding: string | undefined,
  share: Share,
  { queue, slices }: { readonly queue: MemoryQueue; readonly slices: Slices },
): Promise<BodyText> {
  const { bytes, rest } = body;
  if (rest !== null) return bytes.length + rest.readableLength > maxHeldBytes ? tooLarge : noRoom;
  const layers = (encoding ?? '').split(',').flatMap((name) => {
    const known = name.trim().toLowerCase();
    return known === '' || known === 'identity' ? [] : [known];
  });
  // Responses to HEAD, for example, have the header but no body.
  if (layers.length === 0 || bytes.length === 0) return kept(bytes, share, slices);
  const unknown = layers.find((name) => !Object.hasOwn(decoders, name));
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.length > 40 ? `${unknown.slice(0, 39)}…` : unknown);
    return { unread: `is encoded as ${shown}, which the proxy does not support` };
  }
  if (layers.length > maxLayers)
    return {
      unread: `is compressed ${layers.length} times; the proxy decompresses at most ${maxLayers} layers`,
    };
  const isBounded = layers.length === 1 && layers[0] !== 'br';
  const memory = isBounded ? Math.min(maxHeldBytes, bytes.length * maxRatio) : maxHeldBytes;
  return queue.run(2 * memory, async () => {
    const plain = await decompressed(bytes, layers);
    return Buffer.isBuffer(plain) ? kept(plain, share, slices) : plain;
  });
}

async function decompressed(bytes: Buffer, layers: readonly string[]): Promise<Buffer | BodyText> {
  let plain = bytes;
  for (const name of layers.toReversed()) {
    if (plain.length === 0) break;
    try {
      plain = (await decoders[name]?.(plain)) ?? plain;
    } catch (error) {
      if (isTooLarge(error)) return tooLarge;
      return { wrong: `is declared as ${JSON.stringify(name)}, but cannot be decompressed.` };
    }
  }
  return plain;
}

/** Returns the text if there is room for it. */
async function kept(bytes: Buffer, share: Share, slices: Slices): Promise<BodyText> {
  if (!share.take(Math.max(0, 2 * (bytes.length - uncountedChars)))) return noRoom;
  // A native check, which takes few milliseconds.
  if (isUtf8(bytes)) return { text: await slices.run(decodedText(bytes)) };
  return { wrong: notUtf8((await slices.run(firstInvalidByte(bytes))) ?? 0) };
}

/** Returns the memory that it takes to parse and check a text, in bytes. */
export function weightOfCheck(read: BodyText): number {
  return 'text' in read ? weightOfText(read.text) : 0;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
