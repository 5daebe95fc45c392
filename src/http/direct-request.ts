import { IncomingMessage } from 'node:http';

/** The most that is ever read of a body: the largest option of the assumption `maxPayload`. */
const mostBytes = 10_485_760;

export interface ReadBody {
  readonly text: string;
  readonly bytes: number;
  /** There was more than is ever read. */
  readonly cutOff: boolean;
}

/**
 * A request whose body can be taken as it comes from the parser, past the machinery of streams, which costs a call as much as
 * answering it. Until `takeBody` is called it is an ordinary request.
 */
export class DirectRequest extends IncomingMessage {
  #done: ((body: ReadBody) => void) | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #taken = false;

  /** A header by its lower-case name; several of one name are one list. Looked up, because few of them are ever wanted. */
  header(name: string): string | undefined {
    const { rawHeaders } = this;
    let found: string | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at] ?? '';
      if (sent.length !== name.length || (sent !== name && sent.toLowerCase() !== name)) continue;
      found = found === undefined ? rawHeaders[at + 1] : `${found}, ${rawHeaders[at + 1]}`;
    }
    return found;
  }

  /** Calls back once with the whole body; never where the client goes away before its end. */
  takeBody(done: (body: ReadBody) => void): void {
    const declared = this.header('content-length');
    if (declared !== undefined && Number(declared) > mostBytes) done({ text: '', bytes: Number(declared), cutOff: true });
    else this.#done = done;
  }

  /** Whether the client speaks HTTP/1.1 and has not asked for the connection to be closed. */
  mayKeepConnection(): boolean {
    const connection = this.header('connection');
    return this.httpVersionMinor === 1 && (connection === undefined || connection.toLowerCase() === 'keep-alive');
  }

  /** The server has an unread body drained after the reply; one that was taken has nothing left. */
  override resume(): this {
    return this.#taken ? this : super.resume();
  }

  /** What the parser calls for every piece of the body, and with null at its end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    const done = this.#done;
    if (done === null) return super.push(chunk, encoding);
    if (chunk === null) {
      this.#done = null;
      this.#taken = true;
      const [first] = this.#chunks;
      const whole = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#bytes);
      this.#chunks = [];
      done({ text: whole.toString('utf8'), bytes: this.#bytes, cutOff: false });
      return false;
    }
    this.#bytes += chunk.length;
    if (this.#bytes <= mostBytes) this.#chunks.push(chunk);
    else {
      this.#done = null;
      this.#chunks = [];
      done({ text: '', bytes: this.#bytes, cutOff: true });
    }
    return true;
  }
}
