import { StringDecoder } from 'node:string_decoder';
import { invalidByteIn, replacement } from '../../base/utf8.ts';

/** The longest incomplete character at the end of a chunk, in bytes. */
const maxIncomplete = 3;

/** Decodes a body that arrives in chunks. */
export class BodyText {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #bytes = 0;
  /** The end of the last chunk, which may be the beginning of a character. */
  #tail: Buffer = Buffer.alloc(0);
  #isOpen = false;
  #invalidByte: number | null = null;

  write(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    this.#text += text;
    this.#check(chunk, text, false);
  }

  /** Returns the text, and the offset of the first byte that is not UTF-8, or null. */
  end(): { readonly text: string; readonly invalidByte: number | null } {
    const text = this.#decoder.end();
    this.#check(Buffer.alloc(0), text, true);
    return { text: this.#text + text, invalidByte: this.#invalidByte };
  }

  /** The end of a chunk is judged with the next one, because a character may be divided between them. */
  #check(chunk: Buffer, text: string, isLast: boolean): void {
    const bytes = Buffer.concat([this.#tail, chunk]);
    const start = startOfLast(bytes);
    if (this.#invalidByte === null && (this.#isOpen || text.includes(replacement))) {
      const at = invalidByteIn(bytes);
      this.#isOpen = at !== null && !isLast && at >= start;
      if (at !== null && !this.#isOpen) this.#invalidByte = this.#bytes - this.#tail.length + at;
    }
    this.#bytes += chunk.length;
    this.#tail = Buffer.from(bytes.subarray(start));
  }
}

/** Returns where the character begins that the last bytes belong to, at most 3 bytes before the end. */
function startOfLast(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - maxIncomplete);
  for (let at = bytes.length - 1; at >= first; at -= 1) if ((bytes[at] ?? 0) >= 0xc0) return at;
  return bytes.length;
}
